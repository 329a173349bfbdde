import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prebuildOptions } from '../../../native/engine/index.ts';
import { createPrebuild } from '../../../native/prebuild/index.ts';
import { ProcessEnd } from '../../../native/sandbox/index.ts';
import { endMeaning } from '../../../native/wasm/compile.ts';
import { BUILD_DEADLINE_MS, CACHE_DIR, patience, testArena } from '../support/arena.ts';
import { matmulRow } from '../support/build.ts';

const SIGNATURE = 'out: usize, x: usize, w: usize, rows: i32, k: i32, n: i32';
/** CPU time given here, seconds: enough to start compiling, too little to wait for. */
const CPU_SECONDS = 4;

const options = prebuildOptions(await testArena(), CACHE_DIR);

/** Each function is inlined twice into the next: 2^40 copies from two kilobytes of text. */
function endlessInlining(): string {
  const steps = Array.from(
    { length: 40 },
    (_, i) => `@inline function f${i + 1}(a: f32): f32 { return f${i}(a + 1) * f${i}(a - 1); }`,
  );
  const first = '@inline function f0(a: f32): f32 { return a * a; }';
  return `${first}\n${steps.join('\n')}\nexport function matmul(${SIGNATURE}): void { store<f32>(out, f40(load<f32>(x))); }`;
}

test('source that inlines without end is stopped at a limit, and that is the candidate’s fault', async () => {
  const prebuild = createPrebuild({ ...options, cpuSeconds: CPU_SECONDS, deadlineMs: BUILD_DEADLINE_MS });
  const outcome = await prebuild.build(matmulRow(endlessInlining()), patience());
  assert.ok(!outcome.ok);
  assert.equal(outcome.fault, 'candidate');
  assert.match(outcome.detail, /COMPILE_(LIMIT|FAILED)/);
});

test('a static segment of a gigabyte is stopped at a limit', async () => {
  const bomb = `const at = memory.data(1 << 30);\nexport function matmul(${SIGNATURE}): void { store<f32>(out, load<f32>(at)); }`;
  const outcome = await createPrebuild({ ...options, deadlineMs: BUILD_DEADLINE_MS }).build(
    matmulRow(bomb),
    patience(),
  );
  assert.ok(!outcome.ok);
  assert.equal(outcome.fault, 'candidate');
  assert.match(outcome.detail, /COMPILE_(LIMIT|FAILED)/);
});

test('a deadline counts against the source only if the compiler had the CPU time for it', () => {
  const idle = new AbortController().signal;
  const after = (cpuSeconds: number) => endMeaning(new ProcessEnd('aborted', '', { cpuSeconds }), 20_000, idle);
  assert.equal(after(15).code, 'COMPILE_LIMIT');
  assert.equal(after(15).fault, 'candidate');
  assert.equal(after(5).code, 'COMPILE_STARVED');
  assert.equal(after(5).fault, 'infrastructure');
});

test('the caller’s own abort is never a limit', () => {
  const end = endMeaning(new ProcessEnd('aborted', '', { cpuSeconds: 19 }), 20_000, AbortSignal.abort());
  assert.equal(end.code, 'COMPILE_ABORTED');
});
