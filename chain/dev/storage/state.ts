export interface StateReader {
  /** The bytes stored under a full storage key, or null. */
  read(key: Uint8Array): Uint8Array | null;
}

export interface StateWriter extends StateReader {
  /** Null removes the key. */
  write(key: Uint8Array, value: Uint8Array | null): void;
}

export interface StateChange {
  readonly key: Uint8Array;
  /** Null: removed. */
  readonly value: Uint8Array | null;
}

/** Writes on top of another state, kept apart until they are committed or dropped. */
export class Overlay implements StateWriter {
  readonly #base: StateReader;
  readonly #changes = new Map<string, Uint8Array | null>();

  constructor(base: StateReader) {
    this.#base = base;
  }

  read(key: Uint8Array): Uint8Array | null {
    const changed = this.#changes.get(hexOf(key));
    return changed === undefined ? this.#base.read(key) : changed;
  }

  write(key: Uint8Array, value: Uint8Array | null): void {
    this.#changes.set(hexOf(key), value);
  }

  /** The writes, one per key, in ascending key order. */
  changes(): StateChange[] {
    return [...this.#changes]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => ({ key: Buffer.from(key, 'hex'), value }));
  }

  /** Applies the writes to the state below. */
  commitTo(target: StateWriter): void {
    for (const { key, value } of this.changes()) target.write(key, value);
  }
}

export const EMPTY_STATE: StateReader = { read: () => null };

function hexOf(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('hex');
}
