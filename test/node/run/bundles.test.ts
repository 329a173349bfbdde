import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { contentHash, type TreeFile } from '../../../evaluator/identity/index.ts';
import type { EvaluationStackManifest } from '../../../evaluator/manifest/index.ts';
import { StoreError } from '../../../node/store/index.ts';
import { bundlesOf, disk, never, packOf } from './support.ts';

const FILES: TreeFile[] = [
  { path: 'k.ts', data: Buffer.from('kernel') },
  { path: 'manifest.toml', data: Buffer.from('bundle_id="b"') },
];
const HASH = contentHash(FILES);
const URL = 'https://miner.example/b.tar';
const MINER_FIRST = { url: URL, first: 'miner' } as const;

const names = (files: readonly TreeFile[]): string[] => files.map(({ path }) => path);

test("a bundle comes from the miner's host, is durable, and is never fetched again", async (t) => {
  const d = await disk(t);
  const asked: string[] = [];
  const fromMiner = async (url: string): Promise<TreeFile[]> => {
    asked.push(url);
    return FILES;
  };
  const bundles = bundlesOf(d, { fromMiner });
  assert.deepEqual(names(await bundles.acquire(HASH, MINER_FIRST, never)), ['k.ts', 'manifest.toml']);
  assert.equal(d.store.bundles.get(HASH)?.state, 'held');
  assert.deepEqual(names(await bundles.acquire(HASH, MINER_FIRST, never)), ['k.ts', 'manifest.toml']);
  // Another process on the same disk.
  assert.deepEqual(names(await bundlesOf(d).acquire(HASH, MINER_FIRST, never)), ['k.ts', 'manifest.toml']);
  assert.deepEqual(asked, [URL]);
});

test("when the miner's host is down peers deliver; when nobody does the host's failure is told", async (t) => {
  const d = await disk(t);
  const fromMiner = async (): Promise<never> => {
    throw new Error('the host is down');
  };
  await assert.rejects(bundlesOf(d, { fromMiner }).acquire(HASH, MINER_FIRST, never), /host is down/);
  assert.equal(d.store.bundles.get(HASH)?.state, 'wanted');
  const fromPeers = async (): Promise<Uint8Array> => packOf(FILES);
  const files = await bundlesOf(d, { fromMiner, fromPeers }).acquire(HASH, MINER_FIRST, never);
  assert.deepEqual(names(files), ['k.ts', 'manifest.toml']);
});

test('wrong bytes are not held, from whomever they come', async (t) => {
  const d = await disk(t);
  const other = [{ path: 'k.ts', data: Buffer.from('another kernel') }];
  const lying = bundlesOf(d, { fromPeers: async () => packOf(other) });
  await assert.rejects(lying.acquire(HASH, { url: null, first: 'peers' }, never), { code: 'PACK_MALFORMED' });
  await assert.rejects(bundlesOf(d, { fromMiner: async () => other }).acquire(HASH, MINER_FIRST, never));
  assert.equal(await d.bundles.has(HASH), false);
});

test('files that the miner serves and no pack can hold are not held, so that nobody waits for them', async (t) => {
  const d = await disk(t);
  const odd = [{ path: 'a\\b', data: Buffer.from('x') }];
  const hash = contentHash(odd);
  const bundles = bundlesOf(d, { fromMiner: async () => odd });
  await assert.rejects(bundles.acquire(hash, MINER_FIRST, never), { code: 'PACK_MALFORMED' });
  assert.equal(await d.bundles.has(hash), false);
});

test('a damaged pack is taken away and fetched again', async (t) => {
  const d = await disk(t);
  await d.bundles.put(FILES);
  const path = join(d.folder, 'bundles', `${HASH}.pack`);
  chmodSync(path, 0o600);
  writeFileSync(path, Buffer.from(packOf(FILES)).fill(0x21, 20));
  const bundles = bundlesOf(d, { fromPeers: async () => packOf(FILES) });
  await assert.rejects(bundles.acquire(HASH, { url: null, first: 'peers' }, never), { code: 'BLOB_CORRUPT' });
  assert.deepEqual(names(await bundles.acquire(HASH, { url: null, first: 'peers' }, never)), ['k.ts', 'manifest.toml']);
});

test('who comes while a bundle is being fetched waits for that fetch, and may give up alone', async (t) => {
  const d = await disk(t);
  const gate = Promise.withResolvers<TreeFile[]>();
  let fetches = 0;
  const bundles = bundlesOf(d, {
    fromMiner: () => {
      fetches++;
      return gate.promise;
    },
  });
  const stop = new AbortController();
  const first = bundles.acquire(HASH, MINER_FIRST, never);
  const others = [bundles.acquire(HASH, MINER_FIRST, never), bundles.acquire(HASH, MINER_FIRST, never)];
  const impatient = bundles.acquire(HASH, MINER_FIRST, stop.signal);
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort(new Error('gave up'));
  await assert.rejects(impatient, /gave up/);
  gate.resolve(FILES);
  for (const files of await Promise.all([first, ...others])) assert.equal(files.length, 2);
  assert.equal(fetches, 1);
});

test('a full disk is told as what it is and asks nobody else', async (t) => {
  const d = await disk(t);
  let peers = 0;
  const bundles = bundlesOf(d, {
    fromMiner: async () => {
      throw new StoreError('DISK_FULL');
    },
    fromPeers: async () => {
      peers++;
      return packOf(FILES);
    },
  });
  await assert.rejects(bundles.acquire(HASH, MINER_FIRST, never), { code: 'DISK_FULL', fault: 'operator' });
  assert.equal(peers, 0);
});

test('the sources of a stack stay open for whoever plans, however large what comes between', async (t) => {
  const d = await disk(t);
  await d.bundles.put(FILES);
  const manifest = {
    entries: { 'linear.matmul': { type: 'proposal', artifact_digest: HASH } },
  } as unknown as EvaluationStackManifest;
  const bundles = bundlesOf(d);
  const source = await bundles.openStack(manifest, never);
  // Two bundles of 40 MiB push everything else out of the memory that is shared.
  for (const fill of [1, 2]) {
    const files = [0, 1, 2].map((i) => ({ path: `f${i}`, data: Buffer.alloc(14 * 1024 * 1024, fill) }));
    const { contentHash: hash } = await d.bundles.put(files);
    await bundles.acquire(hash, { url: null, first: 'peers' }, never);
  }
  assert.equal(bundles.opened(HASH), null);
  assert.deepEqual(names(source(HASH) ?? []), ['k.ts', 'manifest.toml']);
  assert.equal(source('f'.repeat(64)), null);
});

test('a bundle counts as held only with every source of the stack it is planned against', async (t) => {
  const d = await disk(t);
  const other = [{ path: 'o', data: Buffer.from('incumbent') }];
  const entry = { type: 'proposal', artifact_digest: contentHash(other) };
  const manifest = { entries: { 'linear.matmul': entry } } as unknown as EvaluationStackManifest;
  const bundles = bundlesOf(d);
  await d.bundles.put(FILES);
  assert.equal(await bundles.isHeld(HASH, manifest), false);
  await d.bundles.put(other);
  assert.equal(await bundles.isHeld(HASH, manifest), true);
});
