import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  capacityThatFits,
  devnetConsensus,
  loadConsensusFolder,
  mainnetConsensus,
} from '../../../config/consensus/index.ts';
import { canonicalJson } from '../../../evaluator/identity/index.ts';
import { consensusDigest, parseConsensus, readConsensus } from '../../../evaluator/peer/index.ts';

const subject = {
  genesis_hash: `0x${'11'.repeat(32)}`,
  netuid: 2,
  arena_digest: 'a1'.repeat(32),
  catalog_digest: 'a2'.repeat(32),
  genesis_stack_digest: 'a3'.repeat(32),
  speed_policy_digest: 'a4'.repeat(32),
  evaluation_digest: 'a5'.repeat(32),
};

test('both columns of section 2 are consensus objects, and their capacity fits', () => {
  const devnet = devnetConsensus(subject);
  const mainnet = mainnetConsensus(subject, 5_000_000);
  assert.deepEqual(parseConsensus(devnet), devnet);
  assert.deepEqual(parseConsensus(mainnet), mainnet);
  assert.equal(capacityThatFits(devnet, 1), 4);
  assert.equal(capacityThatFits(mainnet, 12), 2);
  assert.equal(capacityThatFits({ ...devnet, measure_blocks: 10, show_blocks: 5 }, 1), 0);
});

test('a folder is read by digest, and its active object must be there', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'consensus-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const active = join(folder, 'active');
  const first = devnetConsensus(subject);
  const second = devnetConsensus(subject, 500);
  const load = () => loadConsensusFolder(folder, active, { parse: readConsensus, digest: consensusDigest });
  assert.throws(load, { code: 'CONSENSUS_UNREADABLE', fault: 'operator' });
  writeFileSync(join(folder, 'a.json'), canonicalJson(first));
  writeFileSync(join(folder, 'b.json'), JSON.stringify(second, null, 2));
  writeFileSync(join(folder, 'notes.txt'), 'not an object');
  writeFileSync(active, `${consensusDigest(second)}\n`);
  const loaded = load();
  assert.equal(loaded.objects.size, 2);
  assert.deepEqual(loaded.objects.get(loaded.active), second);

  writeFileSync(active, `${'0'.repeat(63)}1\n`);
  assert.throws(load, { code: 'CONSENSUS_INVALID' });
  writeFileSync(active, 'not a digest');
  assert.throws(load, { code: 'CONSENSUS_INVALID' });
  writeFileSync(join(folder, 'c.json'), canonicalJson(first).replace('{', '{"netuid":3,'));
  writeFileSync(join(folder, 'd.json'), canonicalJson({ ...first, lag_blocks: 65 }));
  // Both files at once, each with its field.
  assert.throws(load, /c\.json: .*duplicate object key.*d\.json: lag_blocks/);
  rmSync(join(folder, 'c.json'));
  writeFileSync(join(folder, 'd.json'), Buffer.alloc(20_000));
  assert.throws(load, { code: 'CONSENSUS_INVALID' });
});
