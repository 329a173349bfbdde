import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { prebuildOptions } from '../../../native/engine/index.ts';
import type { BuildRow } from '../../../native/lane/types.ts';
import { createPrebuild } from '../../../native/prebuild/index.ts';
import { BUILD_DEADLINE_MS, CACHE_DIR, patience, testArena } from '../support/arena.ts';
import { matmulRow } from '../support/build.ts';

const SIGNATURE = 'out: usize, x: usize, w: usize, rows: i32, k: i32, n: i32';
const GOOD = `export function matmul(${SIGNATURE}): void { store<f32>(out, 1); }`;

const options = { ...prebuildOptions(await testArena(), CACHE_DIR), deadlineMs: BUILD_DEADLINE_MS };
const prebuild = createPrebuild(options);

async function refused(row: BuildRow, detail: RegExp): Promise<void> {
  const outcome = await prebuild.build(row, patience());
  assert.ok(!outcome.ok);
  assert.match(outcome.detail, detail);
  assert.equal(outcome.fault, 'candidate');
}

function withFile(row: BuildRow, path: string, text: string): BuildRow {
  return { ...row, files: [...row.files, { path, data: Buffer.from(text) }] };
}

test('a row that imports its own files compiles, and gives the same bytes again', async () => {
  const importing = `import { one } from "./lib/one";\n${GOOD.replace('1)', 'one())')}`;
  const row = withFile(matmulRow(importing), 'kernels/lib/one.ts', 'export function one(): f32 { return 1; }');
  const outcome = await prebuild.build(row, patience());
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.detail);
  const again = await prebuild.build(row, patience());
  assert.ok(again.ok && again.sha256 === outcome.sha256);
});

test('a module damaged in the cache is built again, to the same bytes', async () => {
  const cacheDir = await mkdtemp(join(tmpdir(), 'cacheon-prebuild-'));
  const own = createPrebuild({ ...options, cacheDir });
  const first = await own.build(matmulRow(GOOD), patience());
  const [name] = await readdir(cacheDir);
  const path = join(cacheDir, name as string);
  await chmod(path, 0o600);
  await writeFile(path, Buffer.alloc(64, 1));
  const second = await own.build(matmulRow(GOOD), patience());
  await rm(cacheDir, { recursive: true });
  assert.ok(first.ok && second.ok);
  assert.equal(second.sha256, first.sha256);
  assert.deepEqual(second.wasm, first.wasm);
});

test('a listed file that the compiler does not read is refused', async () => {
  await refused(
    withFile(matmulRow(GOOD), 'kernels/unused.ts', 'export const a = 1;'),
    /SOURCE_REFUSED.*wasm_sources\[1\]/,
  );
});

test('an import of a file that is not listed does not compile', async () => {
  const source = 'native/engine/assembly/index';
  await refused(matmulRow(`import "../../${source}";\n${GOOD}`), /COMPILE_FAILED/);
});

test('a diagnostic is a code and a position, never text of the source', async () => {
  const outcome = await prebuild.build(
    matmulRow('export function matmul(): void { let secret: i32 = "x"; }'),
    patience(),
  );
  assert.ok(!outcome.ok);
  assert.match(outcome.detail, /COMPILE_FAILED: TS2322\(1,\d+\)/);
  assert.ok(!outcome.detail.includes('secret'));
});

test('imports and further exports are refused after compiling', async () => {
  const imported = 'declare function now(): f32;';
  await refused(matmulRow(`${imported}\n${GOOD.replace('1)', 'now())')}`), /MODULE_IMPORTS/);
  await refused(matmulRow(`${GOOD}\nexport function more(): void {}`), /MODULE_EXPORTS/);
  await refused(matmulRow(GOOD, 'prepare'), /MODULE_EXPORTS/);
});

test('what needs no compiler is refused without one', async () => {
  const row = matmulRow(GOOD);
  await refused({ ...row, entry: 'a-b' }, /SOURCE_REFUSED.*entry/);
  await refused({ ...row, source: 'other.ts' }, /SOURCE_REFUSED.*source/);
  await refused({ ...row, slot: 'norm.rmsnorm', prepare: 'prepare' }, /SOURCE_REFUSED.*prepare/);
  await refused(withFile(row, 'kernels/matmul.ts', ''), /SOURCE_REFUSED/);
  await refused(withFile(row, 'big.ts', ' '.repeat(256 * 1024)), /SOURCE_REFUSED.*bytes/);
  for (const path of ['~lib/memory.ts', '../a.ts', '/a.ts', '-o.ts', 'a.js', '.hidden.ts', 'a//b.ts']) {
    await refused(withFile(row, path, ''), /SOURCE_REFUSED.*files\[1\]/);
  }
  await refused({ ...row, files: [{ path: row.source, data: Uint8Array.of(0xff) }] }, /SOURCE_REFUSED/);
});

test('an aborted build says so and is nobody’s fault', async () => {
  const outcome = await prebuild.build(matmulRow(`${GOOD}// aborted`), AbortSignal.abort());
  assert.ok(!outcome.ok && outcome.fault === 'infrastructure');
  assert.match(outcome.detail, /COMPILE_ABORTED/);
});

test('the example kernels compile to what their rows say', async () => {
  for (const [name, prepare] of [
    ['matmul-simd', 'prepare'],
    ['matmul-copy', null],
    ['matmul-wrong', null],
  ] as const) {
    const file = new URL(`../../../native/kernels/examples/${name}.ts`, import.meta.url);
    const outcome = await prebuild.build(matmulRow(readFileSync(file), prepare), patience());
    assert.ok(outcome.ok, outcome.ok ? '' : outcome.detail);
  }
});
