import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { sha256Hex } from '../../../../evaluator/identity/index.ts';
import { type Disk, disk, heldBlobs, never } from '../support.ts';

const BYTES = Buffer.from('evidence');
const DIGEST = sha256Hex(BYTES);

function damage({ folder }: Disk, digest: string): void {
  const path = join(folder, 'evidence', digest.slice(0, 2), digest);
  chmodSync(path, 0o600);
  writeFileSync(path, 'evidenCe');
}

test('bytes are fetched once, then come from the disk, and are indexed when they are whole', async (t) => {
  const d = await disk(t);
  let fetched = 0;
  const held = heldBlobs(d, {
    fetchBlob: async () => {
      fetched++;
      return BYTES;
    },
  });
  assert.equal(held.isIndexed(DIGEST), false);
  for (let i = 0; i < 2; i++) {
    assert.deepEqual(Buffer.from(await held.get(DIGEST, 'evidence-file', 100, [], never)), BYTES);
  }
  assert.equal(fetched, 1);
  assert.equal(held.isIndexed(DIGEST), true);
});

test('damaged bytes are taken away and fetched again: they keep nobody waiting for ever', async (t) => {
  const d = await disk(t);
  let answer: Uint8Array | null = null;
  const held = heldBlobs(d, {
    fetchBlob: async () => {
      if (answer === null) throw new Error('nobody is here');
      return answer;
    },
  });
  await held.put(BYTES, 'evidence-file');
  damage(d, DIGEST);
  await assert.rejects(held.get(DIGEST, 'evidence-file', 100, [], never), /nobody is here/);
  assert.equal(held.isIndexed(DIGEST), false, 'and they are not shown');
  answer = BYTES;
  assert.deepEqual(Buffer.from(await held.get(DIGEST, 'evidence-file', 100, [], never)), BYTES);
});

test('more bytes than the bound are not held, whether they are here or at a peer', async (t) => {
  const d = await disk(t);
  const bounds: number[] = [];
  const held = heldBlobs(d, {
    fetchBlob: async (_digest, maxBytes) => {
      bounds.push(maxBytes);
      throw new Error('too large');
    },
  });
  await assert.rejects(held.get(DIGEST, 'evidence-file', BYTES.length - 1, [], never), /too large/);
  assert.deepEqual(bounds, [BYTES.length - 1]);
  await held.put(BYTES, 'evidence-file');
  await assert.rejects(held.get(DIGEST, 'evidence-file', BYTES.length - 1, [], never), { code: 'BLOB_TOO_LARGE' });
  assert.deepEqual(Buffer.from(await held.get(DIGEST, 'evidence-file', BYTES.length, [], never)), BYTES);
});
