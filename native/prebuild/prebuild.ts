import { sha256Hex } from '../../evaluator/identity/index.ts';
import type { BuildOutcome, BuildRow, Prebuild } from '../lane/types.ts';
import { checkModule, checkNames, WasmError } from '../wasm/index.ts';
import { Builder, type BuilderOptions } from './builder.ts';

const NS_PER_SECOND = 1e9;

/**
 * The prebuild of candidates: compiles in a process of its own, keeps the module sealed, and checks it against its
 * row each time it is handed out. Failures are answers, not exceptions.
 */
export function createPrebuild(options: BuilderOptions): Prebuild {
  const builder = new Builder(options);
  return {
    async build(row: BuildRow, signal: AbortSignal): Promise<BuildOutcome> {
      const started = process.hrtime.bigint();
      try {
        checkNames(row);
        const wasm = await builder.build(row.source, row.files, signal);
        checkModule(wasm, row);
        const seconds = Number(process.hrtime.bigint() - started) / NS_PER_SECOND;
        return { ok: true, wasm, sha256: sha256Hex(wasm), seconds };
      } catch (error) {
        if (!(error instanceof WasmError)) throw error;
        const fault = error.fault === 'candidate' ? 'candidate' : 'infrastructure';
        return { ok: false, fault, detail: `${error.code}: ${error.message}` };
      }
    },
  };
}
