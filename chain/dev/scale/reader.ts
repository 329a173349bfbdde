import { DevChainError } from '../errors.ts';

/** Reads SCALE bytes front to back; SCALE_MALFORMED at the first byte that is missing or impossible. */
export class ScaleReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get offset(): number {
    return this.#offset;
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  bytes(length: number): Uint8Array {
    const start = this.#advance(length);
    return this.#bytes.slice(start, start + length);
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), true);
  }

  u128(): bigint {
    const low = this.u64();
    return (this.u64() << 64n) | low;
  }

  /** A compact integer in its shortest form, as Substrate demands of everything it decodes. */
  compact(): bigint {
    const first = this.u8();
    const mode = first & 3;
    if (mode === 0) return BigInt(first >> 2);
    if (mode === 1) return this.#shortest((BigInt(this.u8()) << 6n) | BigInt(first >> 2), 1n << 6n);
    if (mode === 2) {
      const rest = this.bytes(3);
      const value = (first >> 2) + rest[0]! * 2 ** 6 + rest[1]! * 2 ** 14 + rest[2]! * 2 ** 22;
      return this.#shortest(BigInt(value), 1n << 14n);
    }
    const length = (first >> 2) + 4;
    if (length > 16) throw new DevChainError('SCALE_MALFORMED', 'compact integer wider than u128');
    let value = 0n;
    for (const [index, byte] of this.bytes(length).entries()) value |= BigInt(byte) << BigInt(8 * index);
    return this.#shortest(value, length === 4 ? 1n << 30n : 1n << BigInt(8 * (length - 1)));
  }

  /** A compact vector length that the remaining bytes can hold, each item taking at least one byte. */
  length(): number {
    const value = this.compact();
    if (value > BigInt(this.remaining)) throw new DevChainError('SCALE_MALFORMED', 'vector longer than its bytes');
    return Number(value);
  }

  /** SCALE_MALFORMED unless everything was read. */
  end(): void {
    if (this.remaining > 0) throw new DevChainError('SCALE_MALFORMED', 'bytes after the value');
  }

  #shortest(value: bigint, atLeast: bigint): bigint {
    if (value < atLeast) throw new DevChainError('SCALE_MALFORMED', 'compact integer not in its shortest form');
    return value;
  }

  #advance(length: number): number {
    if (length > this.remaining) throw new DevChainError('SCALE_MALFORMED', 'value ends early');
    const start = this.#offset;
    this.#offset += length;
    return start;
  }
}
