import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalDigest, compareCodePoints, sha256Hex } from '../../../evaluator/identity/index.ts';
import { parseReferenceManifest } from '../../../evaluator/manifest/index.ts';
import {
  secretCommitment,
  selectionCommitment,
  selectionSeed,
  selectV1,
  selectV2,
} from '../../../evaluator/select/index.ts';
import { makeWorld } from '../../native/qualify/support/world.ts';

const reference = parseReferenceManifest(makeWorld().rules.reference);
const digests = Array.from({ length: 20 }, (_, i) => sha256Hex(`prompt ${i}`)).sort();

function commitment(promptDigests: readonly string[] = digests, selectCount = 5) {
  return selectionCommitment({
    sourcePlanDigest: sha256Hex('plan'),
    reference,
    secretCommitment: secretCommitment(Buffer.alloc(32, 1)),
    promptDigests,
    selectCount,
    policyVersion: 'qualification-selection.v2',
  });
}

test('v2 ranks by the key of prompt digest and seed alone, and sorts what it takes', () => {
  const seed = sha256Hex('seed');
  const key = (prompt_digest: string) =>
    canonicalDigest('cacheon.qualification.selection-key.v2', { prompt_digest, seed });
  const expected = [...digests]
    .sort((a, b) => compareCodePoints(key(a), key(b)))
    .slice(0, 5)
    .sort();
  assert.deepEqual(selectV2(commitment(), seed), expected);
  assert.notDeepEqual(selectV2(commitment(), sha256Hex('other seed')), expected);
  assert.notDeepEqual(selectV1(commitment(), seed), expected);
});

test('a secret below 32 bytes, a bad pool and a bad count are refused by code', () => {
  assert.throws(() => secretCommitment(new Uint8Array(31)), { code: 'SECRET_LENGTH' });
  assert.throws(() => secretCommitment(new Uint8Array(4097)), { code: 'SECRET_LENGTH' });
  for (const count of [0, 21, 1.5, -1]) assert.throws(() => commitment(digests, count), { code: 'SELECT_COUNT' });
  assert.throws(() => commitment([...digests].reverse()), { code: 'POOL_INVALID', field: 'prompt_digests[1]' });
  assert.throws(() => commitment([digests[0] as string, digests[0] as string]), { code: 'POOL_INVALID' });
  assert.throws(() => commitment([]), { code: 'POOL_INVALID' });
  assert.throws(() => commitment(['0'.repeat(64)], 1), { code: 'DIGEST_INVALID' });
});

test('the seed depends on attempt, block hash and secret', () => {
  const seeds = fc.sample(fc.tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.nat(), fc.nat()), 50);
  const all = seeds.map(([secret, block, attempt]) => {
    return selectionSeed(sha256Hex(`a${attempt}`), `0x${sha256Hex(`b${block}`)}`, secret);
  });
  assert.equal(new Set(all).size, new Set(seeds.map(([s, b, a]) => `${Buffer.from(s).toString('hex')}${b}/${a}`)).size);
  assert.equal(
    selectionSeed('aa', '0xbb', Buffer.from('cc', 'hex')),
    canonicalDigest('cacheon.peer.selection-seed.v1', { attempt_digest: 'aa', block_hash: '0xbb', secret: 'cc' }),
  );
});
