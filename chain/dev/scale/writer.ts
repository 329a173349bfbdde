const INITIAL_BYTES = 256;

/** Collects SCALE bytes; grows by doubling. */
export class ScaleWriter {
  #buffer: Buffer = Buffer.alloc(INITIAL_BYTES);
  #length = 0;

  bytes(value: Uint8Array): void {
    const start = this.#reserve(value.length);
    this.#buffer.set(value, start);
  }

  u8(value: number): void {
    const start = this.#reserve(1);
    this.#buffer.writeUInt8(value, start);
  }

  u16(value: number): void {
    const start = this.#reserve(2);
    this.#buffer.writeUInt16LE(value, start);
  }

  u32(value: number): void {
    const start = this.#reserve(4);
    this.#buffer.writeUInt32LE(value, start);
  }

  u64(value: bigint): void {
    const start = this.#reserve(8);
    this.#buffer.writeBigUInt64LE(value, start);
  }

  u128(value: bigint): void {
    this.u64(value & 0xffff_ffff_ffff_ffffn);
    this.u64(value >> 64n);
  }

  compact(value: bigint | number): void {
    const exact = BigInt(value);
    if (exact < 1n << 6n) this.u8(Number(exact) << 2);
    else if (exact < 1n << 14n) this.u16((Number(exact) << 2) | 1);
    else if (exact < 1n << 30n) this.u32(Number(exact) * 4 + 2);
    else {
      const hex = exact.toString(16);
      const bytes = Buffer.from(hex.padStart(Math.max(8, hex.length + (hex.length % 2)), '0'), 'hex').reverse();
      this.u8(((bytes.length - 4) << 2) | 3);
      this.bytes(bytes);
    }
  }

  text(value: string): void {
    const bytes = Buffer.from(value, 'utf8');
    this.compact(bytes.length);
    this.bytes(bytes);
  }

  finish(): Uint8Array {
    return Uint8Array.from(this.#buffer.subarray(0, this.#length));
  }

  #reserve(length: number): number {
    const start = this.#length;
    this.#length += length;
    if (this.#length > this.#buffer.length) {
      const larger = Buffer.alloc(Math.max(this.#length, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, start));
      this.#buffer = larger;
    }
    return start;
  }
}
