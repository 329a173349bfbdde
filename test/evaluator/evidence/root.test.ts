import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CacheonError } from '../../../config/errors.ts';
import {
  EVIDENCE_MAX_BYTES,
  type EvidenceFile,
  evidenceRoot,
  JSON_MEDIA_TYPE,
  OUTPUT_MEDIA_TYPE,
  outputName,
  parseEvidenceRoot,
} from '../../../evaluator/evidence/index.ts';
import { canonicalBytes, sha256Hex } from '../../../evaluator/identity/index.ts';

const json = (name: string, text = '{}'): EvidenceFile => ({
  name,
  bytes: Buffer.from(text),
  mediaType: JSON_MEDIA_TYPE,
});
const output = (index: number, bytes = 4): EvidenceFile => ({
  name: outputName(index),
  bytes: new Uint8Array(bytes),
  mediaType: OUTPUT_MEDIA_TYPE,
});
const row = (name: string, change: object = {}) => ({
  name,
  sha256: sha256Hex(name),
  size: 2,
  media_type: JSON_MEDIA_TYPE,
  ...change,
});

test('a root is the canonical list of its files, sorted by name', () => {
  const bytes = evidenceRoot([json('secret.json'), output(3), json('attempt.json')]);
  assert.deepEqual(
    parseEvidenceRoot(bytes).map((entry) => entry.name),
    ['attempt.json', 'outputs/0003.bin', 'secret.json'],
  );
  assert.deepEqual(Buffer.from(bytes), Buffer.from(canonicalBytes(parseEvidenceRoot(bytes))));
  assert.deepEqual(parseEvidenceRoot(bytes)[0], {
    name: 'attempt.json',
    sha256: sha256Hex('{}'),
    size: 2,
    media_type: JSON_MEDIA_TYPE,
  });
});

test('unknown names, bad order, doubles, other media types and bounds are refused', () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [[row('notes.json')], 'EVIDENCE_NAME'],
    [[row('outputs/12.bin', { media_type: OUTPUT_MEDIA_TYPE })], 'EVIDENCE_NAME'],
    [[row('../log.json')], 'EVIDENCE_NAME'],
    [[row('secret.json'), row('log.json')], 'ROOT_MALFORMED'],
    [[row('log.json'), row('log.json')], 'ROOT_MALFORMED'],
    [[row('log.json', { media_type: 'text/plain' })], 'ROOT_MALFORMED'],
    [[row('log.json', { size: -1 })], 'FIELD_INTEGER'],
    [[row('log.json', { extra: 1 })], 'FIELD_UNKNOWN'],
    [[row('audit.json', { size: EVIDENCE_MAX_BYTES }), row('log.json', { size: 1 })], 'EVIDENCE_BOUNDS'],
    [Array.from({ length: 4097 }, (_, i) => row(outputName(i), { media_type: OUTPUT_MEDIA_TYPE })), 'EVIDENCE_BOUNDS'],
    [{}, 'ROOT_MALFORMED'],
  ];
  for (const [value, code] of cases) assert.throws(() => parseEvidenceRoot(canonicalBytes(value)), { code });
  assert.throws(() => parseEvidenceRoot(Buffer.from('[ ]')), { code: 'FILE_MALFORMED' });
  assert.throws(() => parseEvidenceRoot(new Uint8Array(2 ** 20 + 1)), { code: 'JSON_TOO_LONG' });
  assert.throws(() => evidenceRoot([output(1, EVIDENCE_MAX_BYTES), output(2)]), { code: 'EVIDENCE_BOUNDS' });
});

test('no bytes make the reader throw anything but a typed error of a peer', () => {
  const valid = evidenceRoot([json('attempt.json'), json('log.json'), output(0)]);
  fc.assert(
    fc.property(fc.nat({ max: valid.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const bytes = Uint8Array.from(valid);
      bytes[at] = (bytes[at] as number) ^ flip;
      try {
        parseEvidenceRoot(bytes);
      } catch (error) {
        assert.ok(error instanceof CacheonError && error.fault === 'peer', String(error));
      }
    }),
    { numRuns: 300 },
  );
});
