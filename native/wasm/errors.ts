import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type WasmErrorCode =
  | 'MODULE_MALFORMED'
  | 'MODULE_TOO_LARGE'
  | 'MODULE_IMPORTS'
  | 'MODULE_EXPORTS'
  | 'MODULE_TYPE'
  | 'SOURCE_REFUSED'
  | 'COMPILE_FAILED'
  | 'COMPILE_LIMIT'
  | 'COMPILE_STARVED'
  | 'COMPILER_UNAVAILABLE'
  | 'COMPILE_ABORTED'
  | 'CACHE_UNUSABLE';

/** Errors of compiling and checking slot modules. */
export const WASM_ERRORS: ErrorTable<WasmErrorCode> = {
  MODULE_MALFORMED: {
    fault: 'candidate',
    what: 'compiled module is malformed',
    remedy: 'a WebAssembly module, version 1, as the compiler writes it',
  },
  MODULE_TOO_LARGE: { fault: 'candidate', what: 'compiled module is too large', remedy: 'at most 1 MiB' },
  MODULE_IMPORTS: {
    fault: 'candidate',
    what: 'module imports something',
    remedy: 'no imports, or exactly env.memory with 1 page initial and 512 maximum',
  },
  MODULE_EXPORTS: {
    fault: 'candidate',
    what: 'module exports something else than its row declares',
    remedy: 'exactly entry and, where the row has one, prepare',
  },
  MODULE_TYPE: {
    fault: 'candidate',
    what: 'an export is not a function of its slot’s type',
    remedy: 'the types of names.md, WASM slots',
  },
  SOURCE_REFUSED: {
    fault: 'candidate',
    what: 'source files of the row are refused',
    remedy: '.ts files of at most 256 KiB together, each of them read by the compiler',
  },
  COMPILE_FAILED: {
    fault: 'candidate',
    what: 'the compiler refused the source',
    remedy: 'AssemblyScript that compiles',
  },
  COMPILE_LIMIT: {
    fault: 'candidate',
    what: 'compiling took too much time or memory',
    remedy: '20 s, 20 s of CPU time, 512 MiB of heap, 3,000,000 KiB of address space',
  },
  COMPILE_STARVED: {
    fault: 'infrastructure',
    what: 'the compiler reached its deadline without the CPU time that the deadline stands for',
    remedy: 'build again when the machine is less busy',
  },
  COMPILER_UNAVAILABLE: {
    fault: 'infrastructure',
    what: 'the compiler’s process did not start or answer',
    remedy: 'run npm ci; look at the sandbox in doctor',
  },
  COMPILE_ABORTED: { fault: 'infrastructure', what: 'compilation was aborted', remedy: 'build again' },
  CACHE_UNUSABLE: {
    fault: 'infrastructure',
    what: 'the module cache cannot be read or written',
    remedy: 'a writable directory with free space',
  },
};

export class WasmError extends CacheonError<WasmErrorCode> {
  constructor(code: WasmErrorCode, message?: string, details?: ErrorDetails) {
    super(code, WASM_ERRORS[code], message, details);
  }
}
