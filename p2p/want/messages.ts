import { FieldError, ObjectReader } from '../../evaluator/fields/index.ts';
import { isDigest } from '../../evaluator/identity/index.ts';
import { WANT_MAX_DIGESTS } from '../limits.ts';

/**
 * `/cacheon/want/1.0.0`, one question per stream:
 *
 *   ask   {digests: [at most 200]}
 *   reply {held: [those of them that can be fetched here, in the same order]}
 */
export const WANT_PROTOCOL = '/cacheon/want/1.0.0';

/** @throws FieldError */
export function parseWant(value: unknown): string[] {
  return digests(new ObjectReader(value, 'want', ['digests']), 'digests');
}

/** Reads the answer to `asked`: a list of some of it, in its order. @throws FieldError */
export function parseHeld(value: unknown, asked: readonly string[]): string[] {
  const reader = new ObjectReader(value, 'want reply', ['held']);
  const held = digests(reader, 'held');
  let from = 0;
  for (const digest of held) {
    const at = asked.indexOf(digest, from);
    if (at < 0) throw new FieldError('FIELD_VALUE', 'not among what was asked, in that order', { field: 'held' });
    from = at + 1;
  }
  return held;
}

function digests(reader: ObjectReader, key: string): string[] {
  return reader.array(key, 0, WANT_MAX_DIGESTS).map((item) => {
    if (!isDigest(item)) return reader.fail('FIELD_DIGEST', key);
    return item;
  });
}
