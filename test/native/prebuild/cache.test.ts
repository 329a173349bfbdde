import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildKey, ModuleCache } from '../../../native/prebuild/index.ts';
import { WasmError } from '../../../native/wasm/index.ts';

const directory = await mkdtemp(join(tmpdir(), 'cacheon-cache-'));
after(() => rm(directory, { recursive: true }));

const WASM = Uint8Array.of(1, 2, 3, 4, 5);
const KEY = 'a'.repeat(64);
const FILES = [{ path: 'a.ts', data: Uint8Array.of(1) }];

test('a module comes back as it was put, from a read-only file that is alone in its directory', async () => {
  const cache = new ModuleCache(join(directory, 'one'));
  assert.equal(await cache.get(KEY), null);
  await cache.put(KEY, WASM);
  assert.deepEqual([...((await cache.get(KEY)) ?? [])], [...WASM]);
  const [name, ...others] = await readdir(join(directory, 'one'));
  assert.deepEqual(others, []);
  assert.equal((await stat(join(directory, 'one', name as string))).mode & 0o777, 0o444);
});

test('a damaged file counts as absent and is replaced', async () => {
  const folder = join(directory, 'two');
  const cache = new ModuleCache(folder);
  await cache.put(KEY, WASM);
  const path = join(folder, `${KEY}.sealed`);
  const whole = await readFile(path);
  await chmod(path, 0o644);
  for (const at of [0, 31, 32, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] as number) ^ 1;
    await writeFile(path, damaged);
    assert.equal(await cache.get(KEY), null, `byte ${at}`);
  }
  await writeFile(path, whole.subarray(0, 20));
  assert.equal(await cache.get(KEY), null);
  await cache.put(KEY, WASM);
  assert.deepEqual([...((await cache.get(KEY)) ?? [])], [...WASM]);
});

test('a sealed file under another key does not open', async () => {
  const folder = join(directory, 'three');
  const cache = new ModuleCache(folder);
  await cache.put(KEY, WASM);
  const other = 'b'.repeat(64);
  await writeFile(join(folder, `${other}.sealed`), await readFile(join(folder, `${KEY}.sealed`)));
  assert.equal(await cache.get(other), null);
});

test('a directory that cannot be used is the machine’s fault', async () => {
  const blocked = join(directory, 'file');
  await writeFile(blocked, '');
  await assert.rejects(
    new ModuleCache(join(blocked, 'below')).put(KEY, WASM),
    (error) => error instanceof WasmError && error.code === 'CACHE_UNUSABLE' && error.fault === 'infrastructure',
  );
});

test('the oldest modules give way, so that miners cannot fill the disk', async () => {
  const folder = join(directory, 'four');
  const cache = new ModuleCache(folder, 3);
  for (const [index, digit] of ['1', '2', '3', '4', '5'].entries()) {
    await cache.put(digit.repeat(64), WASM);
    await utimes(join(folder, `${digit.repeat(64)}.sealed`), index, index);
  }
  assert.deepEqual((await readdir(folder)).map((name) => name[0]).sort(), ['3', '4', '5']);
});

test('the key covers source, path, entry file and compiler', () => {
  const keys = [
    buildKey('a.ts', FILES, 'one'),
    buildKey('a.ts', FILES, 'two'),
    buildKey('b.ts', FILES, 'one'),
    buildKey('a.ts', [{ path: 'a.ts', data: Uint8Array.of(2) }], 'one'),
    buildKey('a.ts', [{ path: 'b.ts', data: Uint8Array.of(1) }], 'one'),
  ];
  assert.equal(new Set(keys).size, keys.length);
});
