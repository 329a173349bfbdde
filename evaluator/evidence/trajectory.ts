import { ObjectReader } from '../fields/index.ts';
import type { Run } from './context.ts';
import { type Schedule, sequenceOf } from './schedule.ts';

/** Decoded tokens of one sequence, one byte each. */
export type Tokens = readonly number[];

/** What both sides decoded from the prompts of one half of a quad. */
export interface HalfTokens {
  readonly candidate: readonly Tokens[];
  readonly baseline: readonly Tokens[];
}

/** By pair and half; half 2q is B and the first C of quad q, half 2q + 1 the second C and B'. */
export type Trajectory = readonly (readonly HalfTokens[])[];

const TOKENS = /^(?:[0-9a-f]{2})+$/;

/** trajectory.json: tokens as hex; the baseline's are null where they equal the candidate's. */
export function trajectoryFile(trajectory: Trajectory): unknown {
  const pairs = trajectory.map((halves) =>
    halves.map((half) => {
      const candidate = half.candidate.map(hexTokens);
      const baseline = half.baseline.map(hexTokens).map((text, i) => (text === candidate[i] ? null : text));
      return { candidate, baseline };
    }),
  );
  return { schema_version: 1, pairs };
}

/**
 * Reads trajectory.json against its schedule: exactly as many tokens of every sequence as the host asked for.
 * @throws FieldError
 */
export function parseTrajectory(value: unknown, run: Run, schedule: Schedule): Trajectory {
  const reader: ObjectReader = new ObjectReader(value, 'trajectory', ['schema_version', 'pairs']);
  reader.literal('schema_version', 1);
  const pairs = reader.array('pairs', schedule.pairs.length, schedule.pairs.length);
  return pairs.map((halves, p) => {
    const prompts = schedule.pairs[p]?.halves ?? [];
    if (!Array.isArray(halves) || halves.length !== prompts.length) reader.fail('FIELD_ARRAY', 'pairs');
    return halves.map((half: unknown, h: number) => {
      const counts = (prompts[h] ?? []).map((at) => sequenceOf(run, at, schedule.size.positions).decode);
      return parseHalf(half, `trajectory.pairs[${p}][${h}]`, counts);
    });
  });
}

function parseHalf(value: unknown, at: string, counts: readonly number[]): HalfTokens {
  const fields: ObjectReader = new ObjectReader(value, at, ['candidate', 'baseline']);
  const texts = (key: string) => fields.array(key, counts.length, counts.length);
  const read = (text: unknown, key: string, i: number): Tokens => {
    if (typeof text !== 'string' || !TOKENS.test(text) || text.length !== 2 * (counts[i] ?? 0)) {
      fields.fail('FIELD_TEXT', key, 'not the tokens that were asked for');
    }
    return [...Buffer.from(text, 'hex')];
  };
  const candidate = texts('candidate').map((text, i) => read(text, 'candidate', i));
  const baseline = texts('baseline').map((text, i) => {
    if (text === null) return candidate[i] as Tokens;
    const tokens = read(text, 'baseline', i);
    if (sameTokens(tokens, candidate[i] as Tokens)) fields.fail('FIELD_VALUE', 'baseline', 'equal, so not null');
    return tokens;
  });
  return { candidate, baseline };
}

export function sameTokens(a: Tokens, b: Tokens): boolean {
  return a.length === b.length && a.every((token, i) => token === b[i]);
}

function hexTokens(tokens: Tokens): string {
  return Buffer.from(tokens).toString('hex');
}
