import type { TokenFact } from '../audit/index.ts';
import { ObjectReader } from '../fields/index.ts';
import type { GradedSequence } from './sample.ts';

/** Grades of one sequence by the pristine reference, one for each decoded token. */
export type SequenceGrades = readonly TokenFact[];

/** reference.json: best tokens as bytes and logits as big-endian f32 bits, in hex, in the order T graded them. */
export function referenceFile(grades: readonly SequenceGrades[]): unknown {
  return {
    schema_version: 1,
    sequences: grades.map((facts) => ({
      best: Buffer.from(facts.map((fact) => fact.best)).toString('hex'),
      best_logits: hexFloats(facts.map((fact) => fact.bestLogit)),
      token_logits: hexFloats(facts.map((fact) => fact.tokenLogit)),
    })),
  };
}

/**
 * Reads reference.json against the sequences T was to grade.
 * @throws FieldError
 */
export function parseReference(value: unknown, sequences: readonly GradedSequence[]): SequenceGrades[] {
  const reader = new ObjectReader(value, 'reference', ['schema_version', 'sequences']);
  reader.literal('schema_version', 1);
  return reader.array('sequences', sequences.length, sequences.length).map((row, i) => {
    const fields = new ObjectReader(row, `reference.sequences[${i}]`, ['best', 'best_logits', 'token_logits']);
    const count = sequences[i]?.tokens.length ?? 0;
    const bytes = (key: string, width: number) => {
      const text = fields.text(key, /^[0-9a-f]*$/);
      if (text.length !== count * width * 2) fields.fail('FIELD_TEXT', key, 'not one value for each token');
      return Buffer.from(text, 'hex');
    };
    const [best, bestLogits, tokenLogits] = [bytes('best', 1), bytes('best_logits', 4), bytes('token_logits', 4)];
    return Array.from({ length: count }, (_, t) => ({
      best: best[t] as number,
      bestLogit: bestLogits.readFloatBE(t * 4),
      tokenLogit: tokenLogits.readFloatBE(t * 4),
    }));
  });
}

function hexFloats(values: readonly number[]): string {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) bytes.writeFloatBE(value, i * 4);
  return bytes.toString('hex');
}
