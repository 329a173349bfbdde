import { readFileSync } from 'node:fs';
import { WASM_ABI } from '../../../evaluator/bundle/index.ts';
import type { TreeFile } from '../../../evaluator/identity/index.ts';
import type { MinerPlan } from '../layout.ts';

/** Kernel sources the devnet's miners propose; all replace linear.matmul. */
const SOURCES: Readonly<Record<MinerPlan['kind'], { readonly file: string; readonly prepare: boolean }>> = {
  faster: { file: 'matmul-simd.ts', prepare: true },
  wrong: { file: 'matmul-wrong.ts', prepare: false },
  copy: { file: 'matmul-copy.ts', prepare: false },
};

/** The bundle of one devnet miner: a manifest and one AssemblyScript source. */
export function minerBundle(kind: MinerPlan['kind']): TreeFile[] {
  const { file, prepare } = SOURCES[kind];
  const source = readFileSync(new URL(`../../../native/kernels/examples/${file}`, import.meta.url));
  const manifest = `bundle_id = "devnet-${kind}"
abi_version = "${WASM_ABI}"

[competition]
target = "linear.matmul"
mode = "slot"

[[ops]]
slot = "linear.matmul"
source = "kernels/matmul.ts"
entry = "matmul"
${prepare ? 'prepare = "prepare"\n' : ''}`;
  return [
    { path: 'manifest.toml', data: Buffer.from(manifest) },
    { path: 'kernels/matmul.ts', data: source },
  ];
}
