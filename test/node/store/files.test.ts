import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentHash, sha256Hex } from '../../../evaluator/identity/index.ts';
import { openBlobStore, openBundleStore, packChunks, unpack } from '../../../node/store/index.ts';
import { temporaryFolder } from './support.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const reserved = { reservedFreeBytes: 0 };

test('a blob is sealed, found by its digest and hashed again when read', async (t) => {
  const dataDir = temporaryFolder(t);
  const blobs = await openBlobStore(dataDir, { ...reserved, maxBytes: 100 });
  const digest = await blobs.put(bytes('evidence'));
  assert.equal(await blobs.put(bytes('evidence')), digest);
  const path = join(dataDir, 'evidence', digest.slice(0, 2), digest);
  assert.equal(statSync(path).mode & 0o777, 0o444);
  assert.deepEqual([await blobs.has(digest), await blobs.size(digest)], [true, 8]);
  assert.equal(Buffer.from(await blobs.read(digest, 3, 100)).toString(), 'dence');
  assert.equal((await blobs.read(digest, 100, 5)).length, 0);
  assert.deepEqual(readdirSync(join(dataDir, 'evidence', 'tmp')), []);

  chmodSync(path, 0o644);
  writeFileSync(path, 'evidencE');
  await assert.rejects(blobs.get(digest), { code: 'BLOB_CORRUPT', fault: 'infrastructure' });
  await blobs.remove(digest);
  await assert.rejects(blobs.get(digest), { code: 'BLOB_MISSING' });
  await assert.rejects(blobs.put(Buffer.alloc(101)), { code: 'BLOB_TOO_LARGE' });
});

test('a name that is no digest never becomes a path', async (t) => {
  const blobs = await openBlobStore(temporaryFolder(t), reserved);
  const bundles = await openBundleStore(temporaryFolder(t), reserved);
  for (const name of ['../../etc/passwd', '', 'A'.repeat(64), `${'a'.repeat(63)}/`]) {
    await assert.rejects(async () => blobs.get(name), { code: 'BLOB_MISSING', fault: 'peer' });
    await assert.rejects(async () => bundles.read(name, 0, 1), { code: 'BLOB_MISSING', fault: 'peer' });
  }
});

test('what an interrupted write left is removed at start, and a full disk is typed before writing', async (t) => {
  const dataDir = temporaryFolder(t);
  mkdirSync(join(dataDir, 'evidence', 'tmp'), { recursive: true });
  writeFileSync(join(dataDir, 'evidence', 'tmp', 'half'), 'x');
  const blobs = await openBlobStore(dataDir, { reservedFreeBytes: Number.MAX_SAFE_INTEGER });
  assert.deepEqual(readdirSync(join(dataDir, 'evidence', 'tmp')), []);
  await assert.rejects(blobs.put(bytes('x')), { code: 'DISK_FULL', fault: 'operator' });
});

test('a pack is the preimage of the content hash and unpacks to the hashed files', async (t) => {
  const component = fc
    .stringMatching(/^[a-z0-9.ü]{1,6}$/)
    .filter((c) => c !== '.' && c !== '..' && !c.startsWith('._'));
  const files = fc
    .uniqueArray(fc.record({ path: component.map((c) => `d/${c}`), data: fc.uint8Array({ maxLength: 40 }) }), {
      selector: (f) => f.path,
      minLength: 1,
      maxLength: 6,
    })
    .filter((list) => list.every((f) => !/[^/]\.py[co]$/.test(f.path)));
  fc.assert(
    fc.property(files, (list) => {
      const pack = Buffer.concat(packChunks(list));
      assert.equal(sha256Hex(pack), contentHash(list));
      assert.equal(contentHash(unpack(pack)), contentHash(list));
      // No other byte string than this one unpacks: cutting and growing are refused.
      assert.throws(() => unpack(pack.subarray(0, -1)), { code: 'PACK_MALFORMED' });
      assert.throws(() => unpack(Buffer.concat([pack, Buffer.alloc(1)])), { code: 'PACK_MALFORMED' });
    }),
    { numRuns: 50 },
  );
  const bundles = await openBundleStore(temporaryFolder(t), reserved);
  const list = [
    { path: 'a.b', data: bytes('2') },
    { path: 'a/b', data: bytes('1') },
    { path: '.git/config', data: bytes('skipped') },
  ];
  const stored = await bundles.put(list);
  assert.equal(stored.contentHash, contentHash(list));
  assert.deepEqual(
    (await bundles.get(stored.contentHash)).map((f) => f.path),
    ['a/b', 'a.b'],
  );
  assert.equal(await bundles.size(stored.contentHash), stored.size);
  await bundles.remove(stored.contentHash);
  await bundles.putPack(stored.contentHash, Buffer.concat(packChunks(list)));
  assert.equal(await bundles.has(stored.contentHash), true);
});

test('packs that are not in the one form are refused, whatever they hash to', async (t) => {
  const bundles = await openBundleStore(temporaryFolder(t), reserved);
  const row = (path: string, data = '', size = data.length): Buffer => {
    const name = Buffer.from(path, 'latin1');
    const head = Buffer.alloc(12);
    head.writeUInt32BE(name.length);
    head.writeBigUInt64BE(BigInt(size), 4);
    return Buffer.concat([head.subarray(0, 4), name, head.subarray(4), Buffer.from(data)]);
  };
  const bad: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    'wrong order': Buffer.concat([row('b'), row('a')]),
    'same path twice': Buffer.concat([row('a'), row('a')]),
    'file that is a folder': Buffer.concat([row('a'), row('a/b')]),
    parent: row('../a'),
    absolute: row('/a'),
    'empty component': row('a//b'),
    dot: row('./a'),
    backslash: row('a\\b'),
    control: row('a\nb'),
    'not UTF-8': row('a\xff'),
    skipped: row('.git/a'),
    'bytecode file': row('a.pyc'),
    'size beyond the end': row('a', 'x', 2),
    'huge size': row('a', '', Number.MAX_SAFE_INTEGER),
    'huge path': row('a'.repeat(4097)),
    'too many files': Buffer.concat(Array.from({ length: 4097 }, (_, i) => row(String(i).padStart(5, '0')))),
  };
  for (const [name, pack] of Object.entries(bad)) {
    assert.throws(() => unpack(pack), { code: 'PACK_MALFORMED', fault: 'peer' }, name);
    await assert.rejects(bundles.putPack(sha256Hex(pack), pack), { code: 'PACK_MALFORMED' }, name);
  }
  await assert.rejects(bundles.putPack('ab'.repeat(32), row('a', 'x')), { code: 'PACK_MALFORMED' });
});
