export { type CompilerOptions, compile } from './compile.ts';
export { WASM_ERRORS, WasmError, type WasmErrorCode } from './errors.ts';
export { COMPILER_FLAGS } from './flags.ts';
export { checkModule, checkNames, ENTRY_TYPES, type SlotInterface } from './interface.ts';
export { type CompilerPackages, compilerPackages } from './packages.ts';
export { checkSource, type SourceFile } from './source.ts';
