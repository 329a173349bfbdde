import type { WasmModelShape } from '../../config/arena/wasm-engine.ts';
import { type Answered, type FramedProcess, ProcessEnd } from '../sandbox/index.ts';
import { KIND } from '../wire/kinds.ts';
import { readGrades, readOutputs, readTokens } from './answers.ts';
import { LaneError, type LaneErrorCode } from './errors.ts';
import { auditRequest, type Continuation, generateBody, gradeBody } from './requests.ts';
import type { AuditCall, AuditOutput, BlockResult, Lane, Sequence, TokenGrade } from './types.ts';

const END_CODES = {
  spawn: 'SPAWN',
  died: 'CRASHED',
  malformed: 'FRAME',
  unexpected: 'FRAME',
  memory: 'MEMORY',
  closed: 'CLOSED',
} as const;
/** Ends that a candidate's modules can bring about, where they are loaded. */
const CANDIDATE_CODES: ReadonlySet<LaneErrorCode> = new Set(['CRASHED', 'MEMORY', 'DEADLINE', 'MODULE', 'TRAP']);

/**
 * The lane's error for the end of its process. A signal whose reason is a TimeoutError (as of `AbortSignal.timeout`)
 * was a deadline; any other abort is the host's own wish and nobody's fault.
 */
export function laneEnd(error: unknown, hasCandidate: boolean, signal: AbortSignal): unknown {
  if (!(error instanceof ProcessEnd)) return error;
  const timedOut = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  const code: LaneErrorCode =
    error.reason === 'aborted' ? (timedOut ? 'DEADLINE' : 'ABORTED') : END_CODES[error.reason];
  const fault = hasCandidate && CANDIDATE_CODES.has(code) ? 'candidate' : 'infrastructure';
  const message = code === 'CRASHED' || code === 'SPAWN' || code === 'FRAME' ? error.message : undefined;
  return new LaneError(code, message, { fault, cause: error });
}

/** A lane over its process. An answer that does not fit ends the lane, as every other failure does. */
export class WasmLane implements Lane {
  readonly facts: Lane['facts'];
  readonly #process: FramedProcess;
  readonly #shape: WasmModelShape;
  readonly #hasCandidate: boolean;

  constructor(process: FramedProcess, shape: WasmModelShape, hasCandidate: boolean, facts: Lane['facts']) {
    this.#process = process;
    this.#shape = shape;
    this.#hasCandidate = hasCandidate;
    this.facts = facts;
  }

  async generate(sequences: readonly Sequence[], signal: AbortSignal): Promise<BlockResult> {
    const body = generateBody(sequences, this.#shape);
    return this.#ask(KIND.generate, {}, [body], signal, ({ frame, elapsedNs }) => ({
      tokens: readTokens(frame, sequences, this.#shape.vocab),
      elapsedNs,
    }));
  }

  async audit(calls: readonly AuditCall[], signal: AbortSignal): Promise<readonly AuditOutput[]> {
    const { json, parts, outputs } = auditRequest(calls);
    return this.#ask(KIND.audit, json, parts, signal, ({ frame }) => readOutputs(frame, outputs));
  }

  async grade(sequences: readonly Continuation[], signal: AbortSignal): Promise<readonly (readonly TokenGrade[])[]> {
    const body = gradeBody(sequences, this.#shape);
    return this.#ask(KIND.grade, {}, [body], signal, ({ frame }) => readGrades(frame, sequences, this.#shape.vocab));
  }

  close(): Promise<void> {
    return this.#process.close();
  }

  async #ask<T>(
    kind: number,
    json: unknown,
    parts: readonly Uint8Array[],
    signal: AbortSignal,
    read: (answered: Answered) => T,
  ): Promise<T> {
    try {
      return read(await this.#process.request(kind, json, parts, signal));
    } catch (error) {
      await this.#process.close();
      throw laneEnd(error, this.#hasCandidate, signal);
    }
  }
}
