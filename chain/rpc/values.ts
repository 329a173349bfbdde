import { Enum, Struct } from '@polkadot/types';
import type { Codec } from '@polkadot/types/types';
import { encodeAddress } from '@polkadot/util-crypto';
import { ChainError } from '../errors.ts';

/** The SS58 prefix of every address this node shows or compares, whatever the runtime says. */
export const SS58_PREFIX = 42;
const ACCOUNT_BYTES = 32;

/** Each of these reads one decoded value as one kind of thing, or RUNTIME_UNKNOWN names the field that is not. */
export function integerOf(value: unknown, field: string): bigint {
  const text = String(value);
  if (!/^\d{1,39}$/.test(text)) throw unexpected(field);
  return BigInt(text);
}

/** An integer below 2^53: heights, uids, rounds in use, sizes. */
export function safeIntegerOf(value: unknown, field: string): number {
  const exact = integerOf(value, field);
  if (exact > BigInt(Number.MAX_SAFE_INTEGER)) throw unexpected(field);
  return Number(exact);
}

export function flagOf(value: Codec | null | undefined, field: string): boolean {
  const plain = value?.toJSON();
  if (typeof plain !== 'boolean') throw unexpected(field);
  return plain;
}

/** An account as SS58 with prefix 42. */
export function accountOf(value: Codec | null | undefined, field: string): string {
  const bytes = value?.toU8a();
  if (bytes?.length !== ACCOUNT_BYTES) throw unexpected(field);
  return encodeAddress(bytes, SS58_PREFIX);
}

/** The bytes of a byte vector or array, without its length. */
export function bytesOf(value: Codec | null | undefined, field: string): Uint8Array {
  if (!(value instanceof Uint8Array)) throw unexpected(field);
  return Uint8Array.from((value as Codec).toU8a(true));
}

/** The elements of a vector or tuple. */
export function itemsOf(value: Codec | null | undefined, field: string): readonly Codec[] {
  if (!Array.isArray(value)) throw unexpected(field);
  return value as unknown as readonly Codec[];
}

/** A member of a struct. */
export function memberOf(value: Codec | null | undefined, name: string, field: string): Codec {
  const member = value instanceof Struct ? value.get(name) : undefined;
  if (member === undefined) throw unexpected(`${field}.${name}`);
  return member;
}

/** Name and content of an enum's variant, the name as in the metadata. */
export function variantOf(value: Codec | null | undefined, field: string): { name: string; value: Codec } {
  if (!(value instanceof Enum)) throw unexpected(field);
  return { name: value.type, value: value.value };
}

function unexpected(field: string): ChainError {
  return new ChainError('RUNTIME_UNKNOWN', 'value of an unexpected type', { field });
}
