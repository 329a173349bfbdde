import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  CONSENSUS_DOMAIN,
  type ConsensusDependencies,
  capacityThatFits,
  consensusSchema,
  devnetConsensus,
  loadConsensusFolder,
  mainnetConsensus,
  parseConsensus,
} from '../../../config/consensus/index.ts';
import { canonicalDigest, canonicalJson, parseStrictJson } from '../../../evaluator/identity/index.ts';

const subject = {
  genesis_hash: `0x${'11'.repeat(32)}`,
  netuid: 2,
  arena_digest: 'a1'.repeat(32),
  catalog_digest: 'a2'.repeat(32),
  genesis_stack_digest: 'a3'.repeat(32),
  speed_policy_digest: 'a4'.repeat(32),
  evaluation_digest: 'a5'.repeat(32),
};
const dependencies: ConsensusDependencies = {
  parseJson: (bytes) => parseStrictJson(bytes),
  digest: (object) => canonicalDigest(CONSENSUS_DOMAIN, object),
};

test('both default columns satisfy the schema, and their capacity fits', () => {
  const devnet = devnetConsensus(subject);
  const mainnet = mainnetConsensus(subject, 5_000_000);
  assert.deepEqual(consensusSchema.parse(devnet), devnet);
  assert.deepEqual(consensusSchema.parse(mainnet), mainnet);
  assert.equal(Object.keys(devnet).length, 31);
  assert.equal(capacityThatFits(devnet, 1), 4);
  assert.equal(capacityThatFits(mainnet, 12), 2);
  assert.equal(capacityThatFits({ ...devnet, measure_blocks: 10, show_blocks: 5 }, 1), 0);
});

test('closed: an unknown, a missing and an out-of-range field are each named', () => {
  const good = devnetConsensus(subject);
  const fields = (value: unknown): string[] => {
    const result = parseConsensus(Buffer.from(canonicalJson(value)), dependencies);
    return 'problems' in result ? result.problems.map((p) => p.field) : [];
  };
  assert.deepEqual(fields(good), []);
  assert.deepEqual(fields({ ...good, extra: 1 }), ['$']);
  const { restart: _, ...missing } = good;
  assert.deepEqual(fields(missing), ['restart']);
  assert.deepEqual(fields({ ...good, lag_blocks: 65, confirmations: 0 }), ['lag_blocks', 'confirmations']);
  assert.deepEqual(fields({ ...good, show_blocks: 241 }), ['show_blocks']);
  assert.deepEqual(fields({ ...good, arena_digest: '0'.repeat(64) }), ['arena_digest']);
});

test('a folder is read by digest, and its active object must be there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'consensus-'));
  const active = join(folder, 'active');
  const first = devnetConsensus(subject);
  const second = devnetConsensus(subject, 500);
  const load = () => loadConsensusFolder(folder, active, dependencies);
  assert.throws(load, { code: 'CONSENSUS_UNREADABLE', fault: 'operator' });
  writeFileSync(join(folder, 'a.json'), canonicalJson(first));
  writeFileSync(join(folder, 'b.json'), JSON.stringify(second, null, 2));
  writeFileSync(active, `${dependencies.digest(second)}\n`);
  const loaded = load();
  assert.equal(loaded.objects.size, 2);
  assert.deepEqual(loaded.objects.get(loaded.active), second);

  writeFileSync(active, `${'0'.repeat(63)}1\n`);
  assert.throws(load, { code: 'CONSENSUS_INVALID' });
  writeFileSync(active, 'not a digest');
  assert.throws(load, { code: 'CONSENSUS_INVALID' });
  writeFileSync(join(folder, 'c.json'), canonicalJson(first).replace('{', '{"netuid":3,'));
  assert.throws(load, /c\.json .*duplicate object key/);
});
