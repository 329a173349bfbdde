import { WasmError } from './errors.ts';
import { MODULE_MAX_ENTRIES } from './limits.ts';

function malformed(): WasmError {
  return new WasmError('MODULE_MALFORMED');
}

/** Reads the bytes of a module front to back; every read is checked against the end. */
export class WasmReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw malformed();
    this.#at += 1;
    return value;
  }

  /** Unsigned LEB128 of 32 bits, at most five bytes. */
  u32(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      if (shift === 28 && byte > 0x0f) throw malformed();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw malformed();
  }

  /** A count of entries that follow. */
  count(max: number = MODULE_MAX_ENTRIES): number {
    const count = this.u32();
    if (count > max) throw malformed();
    return count;
  }

  take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw malformed();
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** A name, as UTF-8. */
  name(): string {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.take(this.u32()));
    } catch (cause) {
      if (cause instanceof WasmError) throw cause;
      throw malformed();
    }
  }
}
