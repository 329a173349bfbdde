import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResolvedRow } from '../../evaluator/bundle/index.ts';
import type { SlotId } from '../../native/lane/types.ts';
import { createPrebuild } from '../../native/prebuild/index.ts';
import { detectSandbox, writePrograms } from '../../native/sandbox/index.ts';
import { compilerPackages } from '../../native/wasm/index.ts';
import { MinerError } from './errors.ts';

export interface BuiltRow {
  readonly slot: string;
  readonly variant: string;
  /** SHA-256 of the module. */
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Compiles every row in a sealed process and checks its exports, as a validator does before it measures; nothing of
 * the bundle runs. Leaves no file behind.
 * @throws MinerError BUILD_REFUSED naming the row, BUILD_UNAVAILABLE; WasmError
 */
export async function buildRows(rows: readonly ResolvedRow[], signal: AbortSignal): Promise<BuiltRow[]> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'cacheon-check-'));
  try {
    const prebuild = createPrebuild({
      cacheDir,
      sandbox: await detectSandbox(signal),
      packages: compilerPackages(),
      programs: await writePrograms(cacheDir),
    });
    const built: BuiltRow[] = [];
    for (const [i, { slot, variant, source, files, entry, prepare }] of rows.entries()) {
      // Resolution admitted the slot: it is a member of a target of this arena's catalog.
      const row = { slot: slot as SlotId, variant, source, files, entry, prepare };
      const outcome = await prebuild.build(row, signal);
      if (!outcome.ok) {
        const code = outcome.fault === 'candidate' ? 'BUILD_REFUSED' : 'BUILD_UNAVAILABLE';
        throw new MinerError(code, outcome.detail, { field: `ops[${i}].source` });
      }
      built.push({ slot, variant, sha256: outcome.sha256, bytes: outcome.wasm.length });
    }
    return built;
  } finally {
    await rm(cacheDir, { recursive: true, force: true });
  }
}
