import type { LoadModule, SlotName } from '../../wire/kinds.ts';
import { MEMORY_BYTES, MEMORY_PAGES } from '../../wire/slots.ts';
import { slotFault } from './fault.ts';

type Code = (...args: number[]) => unknown;

/** A running module of one slot, with the memory that only it has. */
export interface SlotInstance {
  readonly slot: SlotName;
  readonly variant: string;
  readonly candidate: boolean;
  readonly domain: LoadModule['domain'];
  readonly entry: Code;
  readonly prepare: Code | null;
  readonly floats: Float32Array;
  readonly bytes: Uint8Array;
}

/** A module of a lane, compiled once; audits instantiate it again. */
export interface SlotCode {
  readonly module: WebAssembly.Module;
  readonly row: LoadModule;
}

export function compileSlot(row: LoadModule, bytes: Uint8Array<ArrayBuffer>): SlotCode {
  try {
    return { module: new WebAssembly.Module(bytes), row };
  } catch (error) {
    throw slotFault('module', row, error);
  }
}

/**
 * An export as the module's own data property: a module can export any name, `then` and `__proto__` too, so exports
 * are neither read through a prototype nor passed through a promise.
 */
function exported(exports: WebAssembly.Exports, name: string, row: LoadModule): Code {
  const value: unknown = Object.getOwnPropertyDescriptor(exports, name)?.value;
  if (typeof value !== 'function') throw slotFault('module', row, 'export is missing');
  return value as Code;
}

/** Instantiates with a memory of its own. A start function runs here, under the host's deadline. */
export function instantiate(code: SlotCode): SlotInstance {
  const { row } = code;
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES, maximum: MEMORY_PAGES });
  let instance: WebAssembly.Instance;
  try {
    instance = new WebAssembly.Instance(code.module, { env: { memory } });
  } catch (error) {
    const reason = error instanceof WebAssembly.LinkError ? 'module' : 'trap';
    throw slotFault(reason, row, error);
  }
  // Taken after the start function: `memory.grow(0)` would have detached an earlier view.
  const floats = new Float32Array(memory.buffer);
  return {
    slot: row.slot,
    variant: row.variant,
    candidate: row.candidate,
    domain: row.domain,
    entry: exported(instance.exports, row.entry, row),
    prepare: row.prepare === null ? null : exported(instance.exports, row.prepare, row),
    floats,
    bytes: new Uint8Array(memory.buffer),
  };
}

/** `memory.grow(0)` succeeds and detaches every view: no honest kernel does it, and outputs could not be read. */
export function assertAttached(instance: SlotInstance): void {
  if (instance.bytes.length !== MEMORY_BYTES) throw slotFault('crashed', instance, 'memory was detached');
}

/** Runs `prepare` and holds it to its contract: bytes written, from 1 to what there is room for. */
export function runPrepare(instance: SlotInstance, to: number, from: number, k: number, n: number, room: number): void {
  if (instance.prepare === null) return;
  let written: unknown;
  try {
    written = instance.prepare(to, from, k, n);
  } catch (error) {
    throw slotFault('trap', instance, error);
  }
  assertAttached(instance);
  if (typeof written !== 'number' || written < 1 || written > room) {
    throw slotFault('crashed', instance, 'prepare returned a size outside its room');
  }
}
