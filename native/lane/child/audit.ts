import type { SlotName } from '../../wire/kinds.ts';
import { auditLayout, type CallPlace } from '../../wire/layout.ts';
import { HOST_START, preparedBytes, slotSizes } from '../../wire/slots.ts';
import { chosen } from './choice.ts';
import { slotFault } from './fault.ts';
import { assertAttached, instantiate, runPrepare, type SlotCode, type SlotInstance } from './instance.ts';

export interface AuditJob {
  readonly slot: SlotName;
  readonly args: readonly number[];
  readonly inputs: readonly Float32Array[];
}

export interface AuditAnswer {
  readonly output: Float32Array;
  readonly clean: boolean;
  readonly candidate: boolean;
}

/** A fresh instance and a copy of what the host's part of its memory must hold. */
interface Watched {
  readonly instance: SlotInstance;
  readonly expected: Uint8Array;
}

function write(watched: Watched, address: number, data: Float32Array): void {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  watched.instance.bytes.set(bytes, address);
  watched.expected.set(bytes, address);
}

/**
 * True if nothing of the host's part differs from what was expected, outside [from, to), which the call may write.
 * Afterwards the memory as it is is expected, so that each call answers for itself.
 */
function untouched({ instance, expected }: Watched, from: number, to: number): boolean {
  expected.set(instance.bytes.subarray(from, to), from);
  const clean = Buffer.compare(instance.bytes.subarray(HOST_START), expected.subarray(HOST_START)) === 0;
  if (!clean) expected.set(instance.bytes);
  return clean;
}

/** Hands a matrix to `prepare`, or lays it down as it is. */
function placeMatrix(watched: Watched, job: AuditJob, at: number, staging: number): boolean {
  const { instance } = watched;
  const [, k = 0, n = 0] = job.args;
  const matrix = job.inputs[1] as Float32Array;
  if (instance.prepare === null) {
    write(watched, at, matrix);
    return true;
  }
  const room = preparedBytes(k, n);
  write(watched, staging, matrix);
  runPrepare(instance, at, staging, k, n, room);
  const clean = untouched(watched, at, at + room);
  write(watched, staging, new Float32Array(k * n).fill(Number.NaN));
  return clean;
}

function run(watched: Watched, job: AuditJob, place: CallPlace, rmsEps: number): AuditAnswer {
  const { instance } = watched;
  const size = slotSizes(job.slot, job.args).output;
  write(watched, place.output, new Float32Array(size).fill(Number.NaN));
  job.inputs.forEach((input, index) => {
    if (job.slot !== 'linear.matmul' || index !== 1) write(watched, place.inputs[index] as number, input);
  });
  const extra = job.slot === 'norm.rmsnorm' ? [rmsEps] : [];
  try {
    instance.entry(place.output, ...place.inputs, ...job.args, ...extra);
  } catch (error) {
    throw slotFault('trap', instance, error);
  }
  assertAttached(instance);
  const end = place.output + 4 * size;
  const clean = untouched(watched, place.output, end);
  return { output: instance.floats.slice(place.output / 4, end / 4), clean, candidate: instance.candidate };
}

/**
 * Runs direct calls of slots in fresh instances, one for each module that serves at least one of them: every matrix
 * is prepared before the first call, then the calls run in the order given. `out` holds NaN at entry; all of the
 * host's memory is compared after each call, not only what lies around `out`.
 */
export function audit(jobs: readonly AuditJob[], codes: readonly SlotCode[], rmsEps: number): AuditAnswer[] {
  const served = new Map<SlotCode, AuditJob[]>();
  for (const job of jobs) {
    const ofSlot = codes.filter((code) => code.row.slot === job.slot);
    const code = ofSlot[chosen(job.slot, job.args, ofSlot)] as SlotCode;
    served.set(code, [...(served.get(code) ?? []), job]);
  }
  const prepared = new Map<AuditJob, { watched: Watched; place: CallPlace; clean: boolean }>();
  for (const [code, mine] of served) {
    const instance = instantiate(code);
    const watched = { instance, expected: instance.bytes.slice() };
    const layout = auditLayout(
      code.row.slot,
      mine.map((job) => job.args),
    );
    mine.forEach((job, index) => {
      const place = layout.calls[index] as CallPlace;
      const isMatmul = job.slot === 'linear.matmul';
      const clean = !isMatmul || placeMatrix(watched, job, place.inputs[1] as number, layout.staging);
      prepared.set(job, { watched, place, clean });
    });
  }
  return jobs.map((job) => {
    const { watched, place, clean } = prepared.get(job) as { watched: Watched; place: CallPlace; clean: boolean };
    const answer = run(watched, job, place, rmsEps);
    return { ...answer, clean: answer.clean && clean };
  });
}
