/** A map that forgets what was used longest ago. */
export class BoundedMap<K, V> {
  readonly #rows = new Map<K, V>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: K): V | undefined {
    const value = this.#rows.get(key);
    if (value !== undefined) {
      this.#rows.delete(key);
      this.#rows.set(key, value);
    }
    return value;
  }

  set(key: K, value: V): void {
    this.#rows.delete(key);
    this.#rows.set(key, value);
    if (this.#rows.size > this.#capacity) this.#rows.delete(this.#rows.keys().next().value as K);
  }

  delete(key: K): void {
    this.#rows.delete(key);
  }
}
