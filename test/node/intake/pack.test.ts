import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { contentHash, sha256Hex } from '../../../evaluator/identity/index.ts';
import { extractArchive, packBundle } from '../../../node/intake/index.ts';
import { temporaryFolder } from '../store/support.ts';

const signal = AbortSignal.timeout(20_000);

test('packing is deterministic, leaves out what the hash skips, and reads back', async (t) => {
  const make = (): string => {
    const folder = temporaryFolder(t);
    mkdirSync(join(folder, 'src', '__pycache__'), { recursive: true });
    mkdirSync(join(folder, '.git'));
    mkdirSync(join(folder, 'empty'));
    writeFileSync(join(folder, '.git', 'config'), 'x');
    writeFileSync(join(folder, 'src', '__pycache__', 'a.pyc'), 'x');
    writeFileSync(join(folder, 'src', `${'long'.repeat(40)}.ts`), 'export {}');
    writeFileSync(join(folder, 'src', 'a.b'), '');
    return folder;
  };
  const first = await packBundle(make());
  const folder = make();
  utimesSync(join(folder, 'src', 'a.b'), 1, 1);
  const second = await packBundle(folder);
  assert.equal(sha256Hex(first.archive), sha256Hex(second.archive));
  const files = await extractArchive(first.archive, signal);
  assert.deepEqual(
    files.map((f) => f.path),
    ['src/a.b', `src/${'long'.repeat(40)}.ts`],
  );
  assert.equal(contentHash(files), first.contentHash);
  assert.equal(first.files, 2);
});

test('links, names that cannot be published and empty folders are refused', async (t) => {
  const folder = temporaryFolder(t);
  await assert.rejects(packBundle(folder), { code: 'TREE_EMPTY' });
  await assert.rejects(packBundle(join(folder, 'absent')), { code: 'PACK_REFUSED', fault: 'candidate' });
  writeFileSync(join(folder, 'manifest.toml'), 'x = 1');
  symlinkSync('manifest.toml', join(folder, 'link'));
  await assert.rejects(packBundle(folder), { code: 'PACK_REFUSED', field: 'link' });
  const other = temporaryFolder(t);
  writeFileSync(join(other, '.hidden'), '');
  await assert.rejects(packBundle(other), { code: 'BUNDLE_PATH' });
});
