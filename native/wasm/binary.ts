import { WasmError } from './errors.ts';
import { MODULE_MAX_BYTES, TYPE_MAX_VALUES } from './limits.ts';
import { WasmReader } from './reader.ts';

/** Value types by their bytes in the binary format. */
const VALUE_TYPES: Readonly<Record<number, string>> = {
  127: 'i32',
  126: 'i64',
  125: 'f32',
  124: 'f64',
  123: 'v128',
  112: 'funcref',
  111: 'externref',
};
const EXTERNAL_KINDS = ['function', 'table', 'memory', 'global', 'tag'] as const;
type ExternalKind = (typeof EXTERNAL_KINDS)[number];

export interface FunctionType {
  readonly params: readonly string[];
  readonly results: readonly string[];
}

/** What a module shows of itself, without running or validating its code. */
export interface ModuleShape {
  readonly imports: readonly {
    readonly module: string;
    readonly name: string;
    /** Limits of an imported memory, pages; null for every other import. */
    readonly memory: { readonly initial: number; readonly maximum: number | null; readonly plain: boolean } | null;
  }[];
  readonly exports: readonly { readonly name: string; readonly type: FunctionType | null }[];
  /** Memories that the module defines for itself. */
  readonly ownMemories: number;
}

const MAGIC = '0061736d01000000';
const SECTION = { custom: 0, type: 1, import: 2, function: 3, memory: 5, export: 7 } as const;
/** Order in which sections must come, by their number: data count stands between element and code, tag after memory. */
const ORDER = [0, 1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11];

function malformed(): WasmError {
  return new WasmError('MODULE_MALFORMED');
}

/** Contents of the sections by number. Custom sections mean nothing and are passed over. */
function sections(bytes: Uint8Array): ReadonlyMap<number, WasmReader> {
  const reader = new WasmReader(bytes);
  if (Buffer.from(reader.take(8)).toString('hex') !== MAGIC) throw malformed();
  const found = new Map<number, WasmReader>();
  let last = 0;
  while (!reader.done) {
    const id = reader.byte();
    const content = new WasmReader(reader.take(reader.u32()));
    if (id === SECTION.custom) continue;
    const place = ORDER.indexOf(id);
    if (place <= last) throw malformed();
    last = place;
    found.set(id, content);
  }
  return found;
}

function values(reader: WasmReader): string[] {
  return Array.from({ length: reader.count(TYPE_MAX_VALUES) }, () => {
    const type = VALUE_TYPES[reader.byte()];
    if (type === undefined) throw malformed();
    return type;
  });
}

function functionTypes(reader: WasmReader): FunctionType[] {
  return Array.from({ length: reader.count() }, () => {
    // Only plain function types: the compiler's flags admit no garbage-collected ones.
    if (reader.byte() !== 0x60) throw malformed();
    return { params: values(reader), results: values(reader) };
  });
}

type Import = ModuleShape['imports'][number] & { readonly typeIndex: number | null };

function oneImport(reader: WasmReader): Import {
  const module = reader.name();
  const name = reader.name();
  const kind = EXTERNAL_KINDS[reader.byte()];
  if (kind === 'function') return { module, name, memory: null, typeIndex: reader.u32() };
  if (kind !== 'memory') throw new WasmError('MODULE_IMPORTS');
  const flags = reader.byte();
  const initial = reader.u32();
  // Bit 0: a maximum follows. Anything else (shared, 64-bit) is not the memory that a lane gives.
  const maximum = (flags & 1) === 1 ? reader.u32() : null;
  return { module, name, memory: { initial, maximum, plain: flags <= 1 }, typeIndex: null };
}

function list<T>(reader: WasmReader | undefined, read: (reader: WasmReader) => T): T[] {
  if (reader === undefined) return [];
  const items = Array.from({ length: reader.count() }, () => read(reader));
  if (!reader.done) throw malformed();
  return items;
}

/**
 * Imports, exports and their types, from a module's bytes.
 * @throws WasmError MODULE_TOO_LARGE, MODULE_MALFORMED, or MODULE_IMPORTS for a kind that no slot module may import
 */
export function readModule(bytes: Uint8Array): ModuleShape {
  if (bytes.length > MODULE_MAX_BYTES) throw new WasmError('MODULE_TOO_LARGE');
  const found = sections(bytes);
  const typeSection = found.get(SECTION.type);
  const types = typeSection === undefined ? [] : functionTypes(typeSection);
  if (typeSection?.done === false) throw malformed();
  const imports = list(found.get(SECTION.import), oneImport);
  const typeIndexes = [
    ...imports.flatMap(({ typeIndex }) => (typeIndex === null ? [] : [typeIndex])),
    ...list(found.get(SECTION.function), (reader) => reader.u32()),
  ];
  const exports = list(found.get(SECTION.export), (reader) => {
    const name = reader.name();
    const kind: ExternalKind | undefined = EXTERNAL_KINDS[reader.byte()];
    const index = reader.u32();
    if (kind === undefined) throw malformed();
    const type = kind === 'function' ? types[typeIndexes[index] ?? -1] : null;
    if (type === undefined) throw malformed();
    return { name, type };
  });
  return {
    imports: imports.map(({ module, name, memory }) => ({ module, name, memory })),
    exports,
    ownMemories: found.get(SECTION.memory)?.count() ?? 0,
  };
}
