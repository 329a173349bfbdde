import { z } from 'zod';
import { parseStrictJson } from '../../evaluator/identity/index.ts';
import { FramedProcess, ownNode, ProcessEnd, type Programs, type Sandbox, sandboxCommand } from '../sandbox/index.ts';
import { KIND } from '../wire/kinds.ts';
import { WasmError } from './errors.ts';
import { COMPILER_FLAGS } from './flags.ts';
import {
  COMPILE_ADDRESS_SPACE_KIB,
  COMPILE_CPU_SECONDS,
  COMPILE_DEADLINE_MS,
  COMPILE_HEAP_MIB,
  DETAIL_MAX_CHARS,
  MODULE_MAX_BYTES,
} from './limits.ts';
import type { CompilerPackages } from './packages.ts';
import type { SourceFile } from './source.ts';

/** Share of its deadline that the compiler must have had in CPU time for the deadline to count against the source. */
const STARVED_SHARE = 0.5;

const ANSWER = z.strictObject({
  ok: z.boolean(),
  diagnostics: z
    .string()
    .max(DETAIL_MAX_CHARS)
    .regex(/^[A-Za-z0-9 (),]*$/),
  unread: z.array(z.number().int().nonnegative()),
});

export interface CompilerOptions {
  readonly sandbox: Sandbox;
  readonly packages: CompilerPackages;
  readonly programs: Programs;
  /** Wall clock of one compilation, milliseconds. */
  readonly deadlineMs?: number;
  /** CPU time of one compilation, seconds. */
  readonly cpuSeconds?: number;
}

function command({ sandbox, packages, programs, cpuSeconds }: CompilerOptions) {
  return sandboxCommand(sandbox, {
    node: ownNode(),
    program: programs.compiler,
    args: [packages.entry],
    readable: [programs.folder, ...packages.folders],
    heapMiB: COMPILE_HEAP_MIB,
    // The compiler is itself WebAssembly and runs once: optimising it costs 1.6 s of CPU time and 90 MiB (measured).
    options: ['--liftoff-only'],
    cpuSeconds: cpuSeconds ?? COMPILE_CPU_SECONDS,
    addressSpaceKiB: COMPILE_ADDRESS_SPACE_KIB,
  });
}

/** What the end of the compiler's process means once it has been given candidate source. */
export function endMeaning(error: unknown, deadlineMs: number, signal: AbortSignal): WasmError {
  if (!(error instanceof ProcessEnd)) return new WasmError('COMPILER_UNAVAILABLE', undefined, { cause: error });
  if (signal.aborted) return new WasmError('COMPILE_ABORTED');
  if (error.reason === 'aborted') {
    // A busy machine must not fail a miner: a compiler that was kept waiting proves nothing about the source.
    const starved = (error.cpuSeconds ?? 0) < (STARVED_SHARE * deadlineMs) / 1000;
    return starved
      ? new WasmError('COMPILE_STARVED')
      : new WasmError('COMPILE_LIMIT', 'compiling took over its deadline');
  }
  if (error.reason === 'died') {
    const how = error.exitSignal ?? `exit ${error.exitCode}`;
    return new WasmError('COMPILE_LIMIT', `the compiler’s process ended at a limit (${how})`);
  }
  return new WasmError('COMPILER_UNAVAILABLE', error.reason);
}

/**
 * Compiles one row's files in a process of its own, under the limits of `wasm-arena.md` section 5. `files` were
 * checked by `checkSource`. The module is not checked here.
 * @throws WasmError
 */
export async function compile(
  entry: string,
  files: readonly SourceFile[],
  options: CompilerOptions,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const deadlineMs = options.deadlineMs ?? COMPILE_DEADLINE_MS;
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
  const child = new FramedProcess(command(options), null);
  try {
    await child.hello(deadline).catch((error: unknown) => {
      if (signal.aborted) throw new WasmError('COMPILE_ABORTED');
      throw new WasmError('COMPILER_UNAVAILABLE', error instanceof Error ? error.message : undefined);
    });
    const request = {
      entry,
      flags: COMPILER_FLAGS,
      files: files.map(({ path, data }) => ({ path, bytes: data.length })),
    };
    const parts = files.map(({ data }) => data);
    const { frame } = await child.request(KIND.compile, request, parts, deadline).catch((error: unknown) => {
      throw endMeaning(error, deadlineMs, signal);
    });
    if (frame.kind !== KIND.compiled) throw new WasmError('COMPILER_UNAVAILABLE', 'an answer of another kind');
    const answer = ANSWER.parse(parseStrictJson(frame.json));
    if (!answer.ok) throw new WasmError('COMPILE_FAILED', answer.diagnostics || undefined);
    const [unread] = answer.unread;
    if (unread !== undefined) {
      throw new WasmError('SOURCE_REFUSED', 'a listed file is not read', { field: `wasm_sources[${unread}]` });
    }
    if (frame.body.length > MODULE_MAX_BYTES) throw new WasmError('MODULE_TOO_LARGE');
    return frame.body;
  } catch (error) {
    if (error instanceof WasmError) throw error;
    throw new WasmError('COMPILER_UNAVAILABLE', 'an answer that is no answer', { cause: error });
  } finally {
    await child.close();
  }
}
