/** Fixed flags of the compiler (`wasm-arena.md` section 5); they are part of every module's identity. */
export const COMPILER_FLAGS: readonly string[] = [
  '-O3',
  '--noAssert',
  '--runtime',
  'stub',
  '--importMemory',
  '--noExportMemory',
  '--initialMemory',
  '1',
  '--maximumMemory',
  '512',
  '--enable',
  'simd',
  '--disable',
  'threads',
  '--use',
  'abort=',
];
