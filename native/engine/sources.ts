import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SlotId } from '../../evaluator/candidate/types.ts';
import type { SourceFile } from '../wasm/index.ts';

/** Entry file and export of each stock slot module, in `native/kernels/stock`. */
export const STOCK: Readonly<Record<SlotId, { readonly file: string; readonly entry: string }>> = {
  'linear.matmul': { file: 'matmul.ts', entry: 'matmul' },
  'attention.decode': { file: 'attention.ts', entry: 'attention' },
  'activation.silu_and_mul': { file: 'silu.ts', entry: 'silu_and_mul' },
  'norm.rmsnorm': { file: 'rmsnorm.ts', entry: 'rmsnorm' },
};

export const SLOTS = Object.keys(STOCK) as readonly SlotId[];
/** Entry file of the engine among `engineFiles`. */
export const ENGINE_ENTRY = 'index.ts';

const here = realpathSync(fileURLToPath(new URL('.', import.meta.url)));

function filesIn(folder: string): SourceFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((path) => ({ path, data: readFileSync(join(folder, path)) }));
}

/** The engine's source files, by their names in `native/engine/assembly`. */
export function engineFiles(): SourceFile[] {
  return filesIn(join(here, 'assembly'));
}

/** The stock slots' source files, by their names in `native/kernels/stock`. */
export function stockFiles(): SourceFile[] {
  return filesIn(join(here, '../kernels/stock'));
}
