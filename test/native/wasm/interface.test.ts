import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkModule, checkNames, WasmError, type WasmErrorCode } from '../../../native/wasm/index.ts';
import { ascii, assemble, MATMUL_TYPE, MEMORY_IMPORT, matmulModule, OP, type Parts } from '../support/assemble.ts';

const ROW = { slot: 'linear.matmul', entry: 'matmul', prepare: null } as const;

function refused(wasm: Uint8Array, code: WasmErrorCode, row: Parameters<typeof checkModule>[1] = ROW): void {
  assert.throws(
    () => checkModule(wasm, row),
    (error) => error instanceof WasmError && error.code === code && error.fault === 'candidate',
    code,
  );
}

function memory(limits: readonly number[], name = 'memory', module = 'env'): number[] {
  return [module.length, ...ascii(module), name.length, ...ascii(name), 2, ...limits];
}

const FUNCTION_IMPORT = [3, ...ascii('env'), 3, ...ascii('now'), 0, 0];
const GLOBAL_IMPORT = [3, ...ascii('env'), 1, ...ascii('g'), 3, 0x7f, 0];

test('a module with its entry alone is accepted, with the memory or without any import', () => {
  checkModule(matmulModule([]), ROW);
  checkModule(matmulModule([], { imports: [] }), ROW);
});

test('exports may have any name that a row may declare', () => {
  for (const entry of ['then', '__proto__', 'constructor', 'toString']) {
    checkModule(matmulModule([], {}, entry), { ...ROW, entry });
    refused(matmulModule([]), 'MODULE_EXPORTS', { ...ROW, entry });
  }
});

test('any other import, and a memory with other limits, is refused', () => {
  const imports: number[][][] = [
    [FUNCTION_IMPORT],
    [GLOBAL_IMPORT],
    [MEMORY_IMPORT, FUNCTION_IMPORT],
    [MEMORY_IMPORT, MEMORY_IMPORT],
    [memory([1, 1, 0x80, 0x04], 'memory', 'wasi')],
    [memory([1, 1, 0x80, 0x04], 'mem')],
    [memory([1, 2, 0x80, 0x04])],
    [memory([1, 1, 0x81, 0x04])],
    [memory([0, 1])],
    [memory([3, 1, 0x80, 0x04])],
  ];
  for (const list of imports) refused(matmulModule([], { imports: list }), 'MODULE_IMPORTS');
  refused(matmulModule([], { imports: [], memories: [[0, 1]] }), 'MODULE_IMPORTS');
});

test('exports beyond the declared ones, fewer, or of another kind are refused', () => {
  const exports = (list: Parts['exports']) => matmulModule([], { exports: list ?? [] });
  refused(exports([]), 'MODULE_EXPORTS');
  refused(exports([['other', 0, 0]]), 'MODULE_EXPORTS');
  refused(
    exports([
      ['matmul', 0, 0],
      ['memory', 2, 0],
    ]),
    'MODULE_EXPORTS',
  );
  refused(
    exports([
      ['matmul', 0, 0],
      ['matmul', 0, 0],
    ]),
    'MODULE_EXPORTS',
  );
  refused(exports([['matmul', 2, 0]]), 'MODULE_TYPE');
  refused(matmulModule([]), 'MODULE_EXPORTS', { ...ROW, prepare: 'prepare' });
});

test('every slot asks for exactly its own type', () => {
  const wrong = [['iiiii', ''] as const, ['iiiiii', 'i'] as const, ['iiiiif', ''] as const, ['Iiiiii', ''] as const];
  for (const type of wrong) refused(matmulModule([], { types: [type] }), 'MODULE_TYPE');
  refused(matmulModule([]), 'MODULE_TYPE', { ...ROW, slot: 'attention.decode' });
  checkModule(matmulModule([], { types: [['iiiiif', '']] }), { ...ROW, slot: 'norm.rmsnorm' });
});

test('prepare has a type of its own', () => {
  const module = (prepare: readonly [string, string]) =>
    assemble({
      types: [MATMUL_TYPE, prepare],
      imports: [MEMORY_IMPORT],
      functions: [0, 1],
      exports: [
        ['matmul', 0, 0],
        ['prepare', 0, 1],
      ],
      bodies: [[], [0x41, 1]],
    });
  const row = { ...ROW, prepare: 'prepare' };
  checkModule(module(['iiii', 'i']), row);
  refused(module(['iiii', '']), 'MODULE_TYPE', row);
  refused(module(['iiii', 'i']), 'MODULE_EXPORTS');
});

test('bytes that are no module are refused without another error, wherever they are cut or changed', () => {
  const good = matmulModule(OP.unreachable);
  const kind = (bytes: Uint8Array) => {
    try {
      checkModule(bytes, ROW);
      return 'accepted';
    } catch (error) {
      assert.ok(error instanceof WasmError, String(error));
      assert.equal(error.fault, 'candidate');
      return error.code;
    }
  };
  assert.equal(kind(good), 'accepted');
  for (let length = 0; length < good.length; length++) {
    // Cut after a whole section it is a module that exports nothing; anywhere else it is none.
    const outcome = kind(good.subarray(0, length));
    if (outcome === 'accepted') assert.ok(length > good.indexOf(10, 8), `cut at ${length}`);
  }
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.nat(255), (at, value) => {
      const changed = Uint8Array.from(good);
      changed[at] = value;
      kind(changed);
    }),
    { numRuns: 500 },
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => assert.notEqual(kind(bytes), 'accepted')));
});

test('sections out of order or twice, and counts beyond their bound, are refused', () => {
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  refused(Uint8Array.from([...header, 3, 1, 0, 1, 1, 0]), 'MODULE_MALFORMED');
  refused(Uint8Array.from([...header, 1, 1, 0, 1, 1, 0]), 'MODULE_MALFORMED');
  refused(Uint8Array.from([...header, 1, 5, 0xff, 0xff, 0xff, 0xff, 0x0f]), 'MODULE_MALFORMED');
  refused(Uint8Array.from([...header, 1, 2, 0, 0]), 'MODULE_MALFORMED');
  refused(new Uint8Array(1024 * 1024 + 1), 'MODULE_TOO_LARGE');
});

test('names of a row are ASCII identifiers, prepare only where the slot has it', () => {
  const bad = [
    { ...ROW, entry: 'größe' },
    { ...ROW, entry: '1x' },
    { ...ROW, prepare: 'matmul' },
    { ...ROW, prepare: '' },
    { slot: 'norm.rmsnorm', entry: 'rmsnorm', prepare: 'prepare' } as const,
  ];
  for (const row of bad) {
    assert.throws(
      () => checkNames(row),
      (error) => error instanceof WasmError && error.code === 'SOURCE_REFUSED',
    );
  }
  checkNames({ ...ROW, prepare: 'pack' });
});
