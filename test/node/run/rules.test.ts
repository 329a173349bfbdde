import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { canonicalJson } from '../../../evaluator/identity/index.ts';
import { type Consensus, consensusDigest } from '../../../evaluator/peer/index.ts';
import { readKnownConsensus } from '../../../node/run/rules.ts';
import { sampleConsensus } from '../../evaluator/peer/sample.ts';
import { temporaryFolder } from '../store/support.ts';

function folderWith(
  t: TestContext,
  active: Consensus,
): { folder: string; consensus: { folder: string; active: string } } {
  const root = temporaryFolder(t);
  const folder = join(root, 'consensus');
  mkdirSync(folder);
  writeFileSync(join(folder, 'first.json'), canonicalJson(active));
  writeFileSync(join(root, 'active'), consensusDigest(active));
  return { folder, consensus: { folder, active: join(root, 'active') } };
}

test('an object that is put into the folder while the node waits for it is found without a restart', (t) => {
  const first = sampleConsensus();
  const next = sampleConsensus({ activation_height: 200, ballot_blocks: 5 });
  const { folder, consensus } = folderWith(t, first);
  const known = readKnownConsensus({ consensus });
  assert.deepEqual(known.active, first);
  assert.equal(known.object(consensusDigest(next)), null);
  writeFileSync(join(folder, 'next.json'), canonicalJson(next).slice(0, 40));
  assert.equal(known.object(consensusDigest(next)), null, 'half a file is no object yet, and no reason to stop');
  assert.deepEqual(known.object(consensusDigest(first)), first);
  writeFileSync(join(folder, 'next.json'), canonicalJson(next));
  assert.deepEqual(known.object(consensusDigest(next)), next);
});

test('a folder that is wrong at the start is the operator’s to mend', (t) => {
  const { folder, consensus } = folderWith(t, sampleConsensus());
  writeFileSync(join(folder, 'odd.json'), '{}');
  assert.throws(() => readKnownConsensus({ consensus }), { code: 'CONSENSUS_INVALID', fault: 'operator' });
});
