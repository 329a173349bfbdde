import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { prebuildOptions, type WasmArena } from '../../../native/engine/index.ts';
import type { BuildRow, SlotModule } from '../../../native/lane/types.ts';
import { createPrebuild } from '../../../native/prebuild/index.ts';
import { BUILD_DEADLINE_MS, CACHE_DIR, patience } from './arena.ts';

const EXAMPLES = new URL('../../../native/kernels/examples/', import.meta.url);

/** A row of linear.matmul with one file. */
export function matmulRow(text: string | Uint8Array, prepare: string | null = null): BuildRow {
  const data = typeof text === 'string' ? Buffer.from(text) : text;
  const files = [{ path: 'kernels/matmul.ts', data }];
  return { slot: 'linear.matmul', variant: 'default', source: 'kernels/matmul.ts', files, entry: 'matmul', prepare };
}

/** A compiled example kernel as the module of a lane. */
export async function example(arena: WasmArena, name: string, prepare: string | null = null): Promise<SlotModule> {
  const row = matmulRow(readFileSync(new URL(`${name}.ts`, EXAMPLES)), prepare);
  const options = { ...prebuildOptions(arena, CACHE_DIR), deadlineMs: BUILD_DEADLINE_MS };
  const built = await createPrebuild(options).build(row, patience());
  assert.ok(built.ok, built.ok ? '' : built.detail);
  return { slot: row.slot, variant: row.variant, entry: row.entry, prepare, domain: {}, wasm: built.wasm };
}
