import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { CacheonError } from '../../../config/errors.ts';
import { canonicalDigest } from '../../../evaluator/identity/index.ts';
import { consensusDigest, PeerError, parseConsensus, readConsensus } from '../../../evaluator/peer/index.ts';
import { sampleConsensus } from './sample.ts';

const consensus = sampleConsensus();

function refusedField(change: Record<string, unknown>): string | null {
  try {
    parseConsensus({ ...consensus, ...change });
  } catch (error) {
    assert.ok(error instanceof PeerError, String(error));
    return error.field;
  }
  return null;
}

test('the object survives its JSON, and its digest names it', () => {
  const read = readConsensus(JSON.stringify(consensus));
  assert.deepEqual(read, consensus);
  assert.equal(consensusDigest(read), canonicalDigest('cacheon.peer.consensus.v1', consensus));
});

test('every vector gives a consensus object within the bounds', () => {
  const path = new URL('../../vectors/peer_fold.json', import.meta.url);
  const file = JSON.parse(readFileSync(path, 'utf8')) as { vectors: { input: { consensus: unknown } }[] };
  for (const vector of file.vectors) parseConsensus(vector.input.consensus);
});

test('the bounds of section 2, each at its edge', () => {
  const bounds: Record<string, [number, number]> = {
    lag_blocks: [2, 64],
    max_cohort: [1, 32],
    confirmations: [1, 4],
    stake_samples: [0, 32],
    min_active_stake_ppm: [0, 1_000_000],
    netuid: [0, 65_535],
  };
  for (const [field, [low, high]] of Object.entries(bounds)) {
    assert.equal(refusedField({ [field]: low }), null, field);
    assert.equal(refusedField({ [field]: high }), null, field);
    assert.equal(refusedField({ [field]: low - 1 }), field);
    assert.equal(refusedField({ [field]: high + 1 }), field);
  }
});

test('missing, unknown, stale and mistyped fields are refused by name', () => {
  for (const field of Object.keys(consensus)) {
    const { [field]: _, ...rest } = consensus as unknown as Record<string, unknown>;
    assert.throws(() => parseConsensus(rest), { code: 'CONSENSUS_MALFORMED', field });
    assert.equal(refusedField({ [field]: true }), field);
  }
  assert.equal(refusedField({ extra: 1 }), 'extra');
  assert.equal(refusedField({ schema_version: 2 }), 'schema_version');
  assert.equal(refusedField({ settlement_policy_version: 'settlement-order.v1' }), 'settlement_policy_version');
  assert.equal(refusedField({ arena_digest: '0'.repeat(64) }), 'arena_digest');
  assert.equal(refusedField({ restart: 'a'.repeat(64) }), null);
  assert.throws(() => parseConsensus([]), PeerError);
  assert.throws(() => readConsensus(`{"a":1,"a":1}`), CacheonError);
});

test('no untyped exception leaves the parser', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
      try {
        readConsensus(text);
      } catch (error) {
        assert.ok(error instanceof CacheonError, String(error));
      }
    }),
  );
});
