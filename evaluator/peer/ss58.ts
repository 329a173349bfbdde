import { blake2b } from '@noble/hashes/blake2.js';
import { ADDRESS_CHARS, KEY_BYTES, SS58_PREFIX } from './constants.ts';
import { PeerError } from './errors.ts';

/** Base-58 digits; ascending in ASCII, which is what makes {@link compareAddresses} right. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const FORM = /^5[1-9A-HJ-NP-Za-km-z]{47}$/;
const CHECKSUM_BYTES = 2;
const ENCODED_BYTES = 1 + KEY_BYTES + CHECKSUM_BYTES;
const PREIMAGE = new TextEncoder().encode('SS58PRE');

/**
 * The address of a 32-byte public key.
 * @throws PeerError ADDRESS_MALFORMED for another length
 */
export function encodeAddress(key: Uint8Array): string {
  if (key.length !== KEY_BYTES) throw new PeerError('ADDRESS_MALFORMED', `${key.length} bytes instead of ${KEY_BYTES}`);
  const bytes = Buffer.alloc(ENCODED_BYTES);
  bytes[0] = SS58_PREFIX;
  bytes.set(key, 1);
  bytes.set(checksum(bytes.subarray(0, 1 + KEY_BYTES)), 1 + KEY_BYTES);
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = (ALPHABET[Number(value % 58n)] as string) + text;
  return text;
}

/** The 32 bytes of an address, or null unless it is exactly what {@link encodeAddress} gives for them. */
export function decodeAddress(address: string): Uint8Array | null {
  if (!isAddressForm(address)) return null;
  let value = 0n;
  for (const digit of address) value = value * 58n + BigInt(ALPHABET.indexOf(digit));
  const hex = value.toString(16).padStart(2 * ENCODED_BYTES, '0');
  if (hex.length !== 2 * ENCODED_BYTES) return null;
  const bytes = Buffer.from(hex, 'hex');
  if (bytes[0] !== SS58_PREFIX) return null;
  const body = bytes.subarray(0, 1 + KEY_BYTES);
  if (!bytes.subarray(1 + KEY_BYTES).equals(checksum(body))) return null;
  return new Uint8Array(body.subarray(1));
}

/** True if a text has the length and the digits of an address; the checksum is not looked at. */
export function isAddressForm(value: unknown): value is string {
  return typeof value === 'string' && value.length === ADDRESS_CHARS && FORM.test(value);
}

/**
 * Orders two addresses as their 32 bytes. Addresses have one length and their digits ascend in ASCII, so the order of
 * the texts is that of the 35-byte numbers they spell: prefix, key, checksum.
 */
export function compareAddresses(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function checksum(body: Uint8Array): Uint8Array {
  return blake2b(Buffer.concat([PREIMAGE, body]), { dkLen: 64 }).subarray(0, CHECKSUM_BYTES);
}

/** Remembers addresses that were computed already; whoever reads many blocks owns one and passes it on. */
export class AddressCache {
  readonly #byKey = new Map<string, string>();
  readonly #capacity: number;

  constructor(options: { readonly capacity: number }) {
    this.#capacity = options.capacity;
  }

  /** As {@link encodeAddress}; at capacity the oldest entry makes room. */
  address(key: Uint8Array): string {
    const hex = Buffer.from(key).toString('hex');
    const known = this.#byKey.get(hex);
    if (known !== undefined) return known;
    const address = encodeAddress(key);
    if (this.#byKey.size >= this.#capacity) this.#byKey.delete(this.#byKey.keys().next().value as string);
    this.#byKey.set(hex, address);
    return address;
  }
}
