import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArena, prebuildOptions, type WasmArena } from '../../native/engine/index.ts';
import { createWasmLaneFactory, type Lane, type Sequence, type SlotModule } from '../../native/lane/index.ts';
import { createPrebuild } from '../../native/prebuild/index.ts';

/**
 * Measures the embedded arena on this machine: compile seconds, start-to-ready of a lane, round trip, and for each
 * example kernel the whole-model speed against stock, from ABBA quads of fresh pairs of lanes. Nothing is asserted.
 *
 *   scripts/node24 scripts/bench/lane.ts [pairs] [quads]
 */
const PAIRS = Number(process.argv[2] ?? 3);
const QUADS = Number(process.argv[3] ?? 8);
const DEADLINE_MS = 600_000;
const EXAMPLES = [
  ['matmul-copy', null],
  ['matmul-simd', 'prepare'],
  ['matmul-wrong', null],
] as const;
const STARTS = 10;
/** Sequences of one block: about 0.1 s of stock. */
const SEQUENCES = 2;
const ROUND_TRIPS = 500;

const signal = AbortSignal.timeout(DEADLINE_MS);

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A block of the arena's own workload, whose prompts no other block has. */
function block(arena: WasmArena, number: number): Sequence[] {
  const { workload, shape } = arena.config;
  return Array.from({ length: SEQUENCES }, (_, index) => {
    const seed = number * SEQUENCES + index;
    const length = workload.minPrompt + ((seed * 71) % (workload.maxPrompt - workload.minPrompt + 1));
    const prompt = Array.from({ length }, (_, i) => (i * 37 + seed * 101 + 5) % shape.vocab);
    return { prompt, decode: workload.maxPositions - length };
  });
}

/** Milliseconds and tokens (prompt and decoded) of one block. */
async function timed(lane: Lane, sequences: readonly Sequence[]): Promise<{ ms: number; tokens: number }> {
  const { elapsedNs } = await lane.generate(sequences, signal);
  return { ms: Number(elapsedNs) / 1e6, tokens: sequences.reduce((sum, s) => sum + s.prompt.length + s.decode, 0) };
}

async function prewarm(lane: Lane, arena: WasmArena): Promise<void> {
  const end = performance.now() + arena.config.workload.prewarmMs;
  for (let number = 1000; performance.now() < end; number++) await timed(lane, block(arena, number));
}

async function compare(arena: WasmArena, module: SlotModule): Promise<{ ratios: number[]; b: number[]; c: number[] }> {
  const factory = createWasmLaneFactory({}, { arena });
  const result = { ratios: [] as number[], b: [] as number[], c: [] as number[] };
  for (let pair = 0; pair < PAIRS; pair++) {
    const b = await factory.open({ slotIndex: 0, modules: [] }, signal);
    const c = await factory.open({ slotIndex: 1, modules: [module] }, signal);
    await prewarm(b, arena);
    await prewarm(c, arena);
    const quads: number[] = [];
    for (let quad = 0; quad < QUADS; quad++) {
      const sequences = block(arena, pair * QUADS + quad);
      const reads = [];
      for (const lane of [b, c, c, b]) reads.push(await timed(lane, sequences));
      const [b1, c1, c2, b2] = reads.map(({ ms }) => ms) as [number, number, number, number];
      quads.push((b1 + b2) / (c1 + c2));
      const tokens = reads[0]?.tokens ?? 0;
      result.b.push(((2 * tokens) / (b1 + b2)) * 1000);
      result.c.push(((2 * tokens) / (c1 + c2)) * 1000);
    }
    result.ratios.push(median(quads));
    await Promise.all([b.close(), c.close()]);
  }
  return result;
}

const cacheDir = mkdtempSync(join(tmpdir(), 'cacheon-bench-'));
try {
  const opening = performance.now();
  const arena = await openArena({ cacheDir }, signal);
  console.log(`engine and stock slots compiled in ${((performance.now() - opening) / 1000).toFixed(1)} s`);
  console.log(`sandbox ${arena.sandbox.kind}, engine ${arena.engineDigest}, ${arena.compiler}`);

  const factory = createWasmLaneFactory({}, { arena });
  const starts: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const at = performance.now();
    const lane = await factory.open({ slotIndex: 0, modules: [] }, signal);
    starts.push(performance.now() - at);
    await lane.close();
  }
  console.log(`start to ready: median ${median(starts).toFixed(0)} ms, least ${Math.min(...starts).toFixed(0)} ms`);

  const lane = await factory.open({ slotIndex: 0, modules: [] }, signal);
  const trips: number[] = [];
  for (let i = 0; i < ROUND_TRIPS; i++) trips.push((await timed(lane, [{ prompt: [i % 256], decode: 1 }])).ms * 1000);
  console.log(`one-token request: median ${median(trips).toFixed(0)} us`);
  await lane.close();

  const prebuild = createPrebuild(prebuildOptions(arena, cacheDir));
  for (const [name, prepare] of EXAMPLES) {
    const data = readFileSync(new URL(`../../native/kernels/examples/${name}.ts`, import.meta.url));
    const row = { slot: 'linear.matmul', variant: 'default', entry: 'matmul', prepare, domain: {} } as const;
    const built = await prebuild.build({ ...row, source: 'k.ts', files: [{ path: 'k.ts', data }] }, signal);
    if (!built.ok) throw new Error(built.detail);
    const { ratios, b, c } = await compare(arena, { ...row, wasm: built.wasm });
    const list = ratios.map((ratio) => ratio.toFixed(3)).join(' ');
    console.log(`${name}: compiled in ${built.seconds.toFixed(1)} s; ratio ${median(ratios).toFixed(3)} (${list})`);
    console.log(`  tokens/s: stock ${median(b).toFixed(0)}, ${name} ${median(c).toFixed(0)}`);
  }
} finally {
  rmSync(cacheDir, { recursive: true, force: true });
}
