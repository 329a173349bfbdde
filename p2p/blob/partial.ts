import { createHash } from 'node:crypto';

/** The bytes of one blob as far as they have come, and who gave them. */
export class PartialBlob {
  #chunks: Uint8Array[] = [];
  #received = 0;
  #size: number | null = null;
  readonly #contributors = new Set<string>();

  get offset(): number {
    return this.#received;
  }

  /** Hotkeys that gave at least one chunk. */
  get contributors(): readonly string[] {
    return [...this.#contributors];
  }

  /** True if this size fits what others have said; the first one to say it fixes it. */
  agrees(size: number): boolean {
    this.#size ??= size;
    return this.#size === size;
  }

  add(chunk: Uint8Array, hotkey: string): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    this.#contributors.add(hotkey);
  }

  get complete(): boolean {
    return this.#size !== null && this.#received === this.#size;
  }

  /** The whole blob if it has this SHA-256, else null. */
  verified(digest: string): Uint8Array | null {
    const hash = createHash('sha256');
    for (const chunk of this.#chunks) hash.update(chunk);
    return hash.digest('hex') === digest ? Buffer.concat(this.#chunks) : null;
  }
}
