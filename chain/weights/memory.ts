import type { WeightsJournalStore, WeightsRow } from './journal.ts';

/** A journal that lives as long as its process: for tests and for dry runs. */
export class MemoryWeightsJournal implements WeightsJournalStore {
  readonly #rows = new Map<number, WeightsRow>();

  load(epochHeight: number): WeightsRow | null {
    return this.#rows.get(epochHeight) ?? null;
  }

  latest(): WeightsRow | null {
    const heights = [...this.#rows.keys()];
    return heights.length === 0 ? null : this.load(Math.max(...heights));
  }

  save(row: WeightsRow): void {
    this.#rows.set(row.epoch_height, row);
  }
}
