import type { SlotId, SlotModule } from '../../../native/lane/types.ts';

/** Parts of a module written by hand: what no compiler would write, and what must not wait for one. */
export interface Parts {
  /** Function types as [params, results], each a string of i, f, I (i32, f32, i64). */
  readonly types?: readonly (readonly [string, string])[];
  /** Import entries, raw. */
  readonly imports?: readonly (readonly number[])[];
  /** Type index of each function. */
  readonly functions?: readonly number[];
  readonly memories?: readonly (readonly number[])[];
  readonly exports?: readonly (readonly [name: string, kind: number, index: number])[];
  readonly start?: number;
  /** Body of each function, without locals and without the final end. */
  readonly bodies?: readonly (readonly number[])[];
}

const VALUE = { i: 0x7f, f: 0x7d, I: 0x7e } as const;
export const MEMORY_IMPORT = [3, ...ascii('env'), 6, ...ascii('memory'), 2, 1, 1, 0x80, 0x04];
export const MATMUL_TYPE = ['iiiiii', ''] as const;
export const ATTENTION_TYPE = ['iiiiiii', ''] as const;

export function ascii(text: string): number[] {
  return [...Buffer.from(text, 'latin1')];
}

function leb(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)];
}

function section(id: number, items: readonly (readonly number[])[] | undefined): number[] {
  if (items === undefined) return [];
  const content = [...leb(items.length), ...items.flat()];
  return [id, ...leb(content.length), ...content];
}

function values(types: string): number[] {
  return [types.length, ...[...types].map((type) => VALUE[type as keyof typeof VALUE])];
}

export function assemble(parts: Parts): Uint8Array {
  const start = parts.start === undefined ? [] : [8, 1, parts.start];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      parts.types?.map(([params, results]) => [0x60, ...values(params), ...values(results)]),
    ),
    ...section(2, parts.imports),
    ...section(
      3,
      parts.functions?.map((type) => leb(type)),
    ),
    ...section(5, parts.memories),
    ...section(
      7,
      parts.exports?.map(([name, kind, index]) => [name.length, ...ascii(name), kind, index]),
    ),
    ...start,
    ...section(
      10,
      parts.bodies?.map((body) => [...leb(body.length + 2), 0, ...body, 0x0b]),
    ),
  ]);
}

/** Instructions. */
export const OP = {
  unreachable: [0x00],
  forever: [0x03, 0x40, 0x0c, 0x00, 0x0b],
  /** matmul calls itself with its own arguments. */
  recurse: [0x20, 0, 0x20, 1, 0x20, 2, 0x20, 3, 0x20, 4, 0x20, 5, 0x10, 0],
  /** Stores what memory.grow(pages) answers, as f32, at the first argument. */
  growInto: (pages: number) => [0x20, 0, 0x41, pages, 0x40, 0, 0xb2, 0x38, 2, 0],
  /** Stores 1.0 at argument `index`. */
  storeAt: (index: number) => [0x20, index, 0x43, 0, 0, 0x80, 0x3f, 0x38, 2, 0],
} as const;

/** A linear.matmul module with this body. */
export function matmulModule(body: readonly number[], extra: Parts = {}, entry = 'matmul'): Uint8Array {
  return assemble({
    types: [MATMUL_TYPE],
    imports: [MEMORY_IMPORT],
    functions: [0],
    exports: [[entry, 0, 0]],
    bodies: [body],
    ...extra,
  });
}

export function slotModule(wasm: Uint8Array, row: Partial<SlotModule> = {}): SlotModule {
  const slot: SlotId = 'linear.matmul';
  return { slot, variant: 'default', entry: 'matmul', prepare: null, domain: {}, wasm, ...row };
}
