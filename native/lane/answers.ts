import { z } from 'zod';
import { parseStrictJson } from '../../evaluator/identity/index.ts';
import type { Frame } from '../wire/frame.ts';
import { KIND } from '../wire/kinds.ts';
import { LaneError } from './errors.ts';
import type { Continuation } from './requests.ts';
import type { AuditOutput, Sequence, SlotId, TokenGrade } from './types.ts';

/** Bytes of one grade: best token (i32), its logit and the graded token's logit (f32), little-endian. */
const GRADE_BYTES = 12;
/** Text of a failure, characters. */
const WHAT_MAX_CHARS = 100;
const VARIANT_MAX_CHARS = 256;

const SLOT = z.enum(['linear.matmul', 'attention.decode', 'activation.silu_and_mul', 'norm.rmsnorm']);
const EMPTY = z.strictObject({});
const HELLO = z.strictObject({
  node: z.string().max(32),
  environment: z.number().int().nonnegative(),
});
const OUTPUTS = z.strictObject({
  calls: z.array(z.strictObject({ clean: z.boolean(), candidate: z.boolean() })),
});
const FAILURE = z.strictObject({
  reason: z.enum(['trap', 'module', 'crashed', 'engine']),
  slot: SLOT.nullable(),
  variant: z.string().max(VARIANT_MAX_CHARS).nullable(),
  candidate: z.boolean(),
  what: z.string().max(WHAT_MAX_CHARS),
});

const FAILURE_CODES = { trap: 'TRAP', module: 'MODULE', crashed: 'CRASHED', engine: 'ENGINE' } as const;

function answer(message: string): LaneError {
  return new LaneError('ANSWER', message);
}

function parse<T>(schema: z.ZodType<T>, frame: Frame): T {
  try {
    return schema.parse(parseStrictJson(frame.json));
  } catch (cause) {
    throw new LaneError('ANSWER', 'text of an answer is not what it should be', { cause });
  }
}

function view(frame: Frame, bytes: number): DataView {
  if (frame.body.length !== bytes) throw answer('an answer of another size than its request makes');
  return new DataView(frame.body.buffer, frame.body.byteOffset, frame.body.byteLength);
}

/** The lane's own report of a failure, as the error that it is. */
function failure(frame: Frame): LaneError {
  const { reason, slot, candidate, what } = parse(FAILURE, frame);
  const details = slot === null ? {} : { field: slot satisfies SlotId };
  return new LaneError(FAILURE_CODES[reason], what, { ...details, fault: candidate ? 'candidate' : 'infrastructure' });
}

/** Refuses every frame but one of this kind. @throws LaneError the lane's own failure, or ANSWER */
function expect(frame: Frame, kind: number): void {
  if (frame.kind === KIND.failed) throw failure(frame);
  if (frame.kind !== kind) throw answer('an answer of another kind');
}

/** Facts from the frame that a lane sends by itself. */
export function readHello(frame: Frame): { readonly node: string; readonly environment: number } {
  expect(frame, KIND.hello);
  return parse(HELLO, frame);
}

export function readReady(frame: Frame): void {
  expect(frame, KIND.ready);
  parse(EMPTY, frame);
}

/** Tokens of each sequence: exactly as many as were asked for, each one of the vocabulary. */
export function readTokens(frame: Frame, sequences: readonly Sequence[], vocab: number): number[][] {
  expect(frame, KIND.tokens);
  parse(EMPTY, frame);
  const total = sequences.reduce((sum, { decode }) => sum + decode, 0);
  const data = view(frame, 2 * total);
  let at = 0;
  return sequences.map(({ decode }) =>
    Array.from({ length: decode }, () => {
      const token = data.getUint16(at, true);
      at += 2;
      if (token >= vocab) throw answer('not a token');
      return token;
    }),
  );
}

export function readGrades(frame: Frame, sequences: readonly Continuation[], vocab: number): TokenGrade[][] {
  expect(frame, KIND.grades);
  parse(EMPTY, frame);
  const total = sequences.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const data = view(frame, GRADE_BYTES * total);
  let at = 0;
  return sequences.map(({ tokens }) =>
    tokens.map(() => {
      const grade = {
        best: data.getInt32(at, true),
        bestLogit: data.getFloat32(at + 4, true),
        tokenLogit: data.getFloat32(at + 8, true),
      };
      at += GRADE_BYTES;
      if (grade.best < 0 || grade.best >= vocab) throw answer('not a token');
      return grade;
    }),
  );
}

/** Outputs of an audit. `outputs` holds the elements of each call's output. */
export function readOutputs(frame: Frame, outputs: readonly number[]): AuditOutput[] {
  expect(frame, KIND.outputs);
  const { calls } = parse(OUTPUTS, frame);
  if (calls.length !== outputs.length) throw answer('an answer to another number of calls');
  const total = outputs.reduce((sum, count) => sum + count, 0);
  view(frame, 4 * total);
  const floats = new Float32Array(frame.body.slice().buffer);
  let at = 0;
  return calls.map(({ clean, candidate }, index) => {
    const count = outputs[index] as number;
    at += count;
    return { output: floats.slice(at - count, at), clean, usedCandidate: candidate };
  });
}
