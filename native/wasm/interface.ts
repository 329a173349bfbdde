import type { SlotId } from '../../evaluator/candidate/types.ts';
import { MEMORY_PAGES } from '../wire/slots.ts';
import { type FunctionType, type ModuleShape, readModule } from './binary.ts';
import { WasmError } from './errors.ts';

/** The names of a row's exports. */
export interface SlotInterface {
  readonly slot: SlotId;
  readonly entry: string;
  readonly prepare: string | null;
}

function addresses(count: number): string[] {
  return new Array<string>(count).fill('i32');
}

/** Types of the slots' entries and of `prepare` (`names.md`, WASM slots). */
export const ENTRY_TYPES: Readonly<Record<SlotId, FunctionType>> = {
  'linear.matmul': { params: addresses(6), results: [] },
  'attention.decode': { params: addresses(7), results: [] },
  'activation.silu_and_mul': { params: addresses(4), results: [] },
  'norm.rmsnorm': { params: [...addresses(5), 'f32'], results: [] },
};
const PREPARE_TYPE: FunctionType = { params: addresses(4), results: ['i32'] };
const INITIAL_PAGES = 1;
const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]{0,127}$/;

function checkMemory({ imports, ownMemories }: ModuleShape): void {
  if (ownMemories > 0) throw new WasmError('MODULE_IMPORTS', 'module defines a memory of its own');
  const [first] = imports;
  if (first === undefined) return;
  const isMemory = imports.length === 1 && first.module === 'env' && first.name === 'memory' && first.memory !== null;
  if (!isMemory) throw new WasmError('MODULE_IMPORTS');
  const { initial, maximum, plain } = first.memory;
  if (initial !== INITIAL_PAGES || maximum !== MEMORY_PAGES || !plain) {
    throw new WasmError('MODULE_IMPORTS', 'imported memory has other limits than 1 and 512 pages');
  }
}

/**
 * Checks a compiled module against its row before anything of it runs: no import or exactly `env.memory`, exactly the
 * declared exports, functions of exactly the slot's type (`wasm-arena.md` section 3).
 * @throws WasmError whose fault is the candidate's
 */
export function checkModule(bytes: Uint8Array, row: SlotInterface): void {
  const shape = readModule(bytes);
  checkMemory(shape);
  const expected = new Map<string, FunctionType>([[row.entry, ENTRY_TYPES[row.slot]]]);
  if (row.prepare !== null) expected.set(row.prepare, PREPARE_TYPE);
  const names = new Set(shape.exports.map(({ name }) => name));
  const exact = shape.exports.length === expected.size && names.size === expected.size;
  if (!exact || ![...expected.keys()].every((name) => names.has(name))) throw new WasmError('MODULE_EXPORTS');
  for (const { name, type } of shape.exports) {
    const wanted = expected.get(name);
    const same = type !== null && wanted !== undefined && sameType(type, wanted);
    if (!same) throw new WasmError('MODULE_TYPE', undefined, { field: name === row.entry ? 'entry' : 'prepare' });
  }
}

function sameType(a: FunctionType, b: FunctionType): boolean {
  return a.params.join() === b.params.join() && a.results.join() === b.results.join();
}

/**
 * Checks a row's names before its source is compiled: ASCII identifiers, different from each other, `prepare` only
 * for linear.matmul.
 * @throws WasmError SOURCE_REFUSED
 */
export function checkNames({ slot, entry, prepare }: SlotInterface): void {
  if (!IDENTIFIER.test(entry)) throw new WasmError('SOURCE_REFUSED', 'not an identifier', { field: 'entry' });
  if (prepare === null) return;
  if (slot !== 'linear.matmul')
    throw new WasmError('SOURCE_REFUSED', 'only linear.matmul has one', { field: 'prepare' });
  if (!IDENTIFIER.test(prepare) || prepare === entry) {
    throw new WasmError('SOURCE_REFUSED', 'not an identifier of its own', { field: 'prepare' });
  }
}
