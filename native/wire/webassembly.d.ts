/**
 * What this project uses of the WebAssembly JavaScript interface; the types of Node do not declare it, and those of
 * browsers would bring everything else that a browser has.
 */
declare namespace WebAssembly {
  type Exports = Readonly<Record<string, unknown>>;
  type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Exports;
  }
  class Memory {
    constructor(limits: { readonly initial: number; readonly maximum: number });
    readonly buffer: ArrayBuffer;
  }
  interface Global {
    readonly value: number;
  }
  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}

  function validate(bytes: Uint8Array): boolean;
}
