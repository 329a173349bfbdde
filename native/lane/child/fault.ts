import type { Failure } from '../../wire/kinds.ts';
import type { SlotInstance } from './instance.ts';

/** Ends the process after it has been told to the host. */
export class SlotFault extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.what);
    this.failure = failure;
  }
}

/** V8's messages for traps are fixed texts; other errors can quote names that a candidate chose, so they are named only. */
function describe(error: unknown): string {
  if (error instanceof WebAssembly.RuntimeError) return error.message.slice(0, 100);
  if (error instanceof RangeError) return 'stack overflow';
  if (error instanceof WebAssembly.CompileError) return 'does not compile';
  if (error instanceof WebAssembly.LinkError) return 'does not link';
  return 'exception';
}

type Named = Pick<SlotInstance, 'slot' | 'variant' | 'candidate'>;

/** Attributes what came out of a module's code to that module. */
export function slotFault(reason: Failure['reason'], of: Named, error: unknown): SlotFault {
  if (error instanceof SlotFault) return error;
  const what = typeof error === 'string' ? error : describe(error);
  return new SlotFault({ reason, slot: of.slot, variant: of.variant, candidate: of.candidate, what });
}
