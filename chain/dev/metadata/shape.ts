import type { TypeShape } from '../scale/index.ts';

/** Substrate's storage hashers, in the order of their index in the metadata. */
export const HASHERS = [
  'Blake2_128',
  'Blake2_256',
  'Blake2_128Concat',
  'Twox128',
  'Twox256',
  'Twox64Concat',
  'Identity',
] as const;
export type HasherName = (typeof HASHERS)[number];

export interface StorageEntryShape {
  readonly name: string;
  /** Optional: absent means None. Default: absent means `fallback`. */
  readonly modifier: 'Optional' | 'Default';
  readonly fallback: Uint8Array;
  /** Empty for a plain value. */
  readonly hashers: readonly HasherName[];
  /** One key, or a tuple if there are several hashers; null for a plain value. */
  readonly key: TypeShape | null;
  readonly value: TypeShape;
}

export interface ConstantShape {
  readonly name: string;
  readonly type: TypeShape;
  readonly value: Uint8Array;
}

export interface PalletShape {
  readonly name: string;
  readonly index: number;
  readonly storage: readonly StorageEntryShape[];
  readonly calls: TypeShape | null;
  readonly events: TypeShape | null;
  readonly errors: TypeShape | null;
  readonly constants: readonly ConstantShape[];
}

export interface SignedExtensionShape {
  readonly identifier: string;
  /** What the extrinsic carries. */
  readonly type: TypeShape;
  /** What is signed besides, without being carried. */
  readonly additional: TypeShape;
}

export interface RuntimeShape {
  readonly pallets: readonly PalletShape[];
  readonly extrinsic: TypeShape;
  readonly extrinsicVersion: number;
  readonly signedExtensions: readonly SignedExtensionShape[];
  readonly runtime: TypeShape;
}
