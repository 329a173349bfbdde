import type { FoldState } from '../../../evaluator/peer/index.ts';
import type { Store } from '../../store/index.ts';

/**
 * Which of our own blobs are held back: those of a result whose cohort has not opened (`peer-protocol.md` section 5).
 * Sealed before the first byte is stored, opened when the opening height is finalized.
 */
export class Seals {
  readonly #byCohort = new Map<number, Set<string>>();

  /** Holds a digest back until the cohort opens. */
  seal(cohortIndex: number, digest: string): void {
    const sealed = this.#byCohort.get(cohortIndex) ?? new Set();
    sealed.add(digest);
    this.#byCohort.set(cohortIndex, sealed);
  }

  /** Offers everything of the cohorts that have opened as of a state. Call after every step, at the head or not. */
  follow({ phase, next_index: next }: Pick<FoldState, 'phase' | 'next_index'>): void {
    const opened = phase.kind === 'measuring' ? phase.cohort.index - 1 : next - 1;
    for (const index of this.#byCohort.keys()) if (index <= opened) this.#byCohort.delete(index);
  }

  mayServe(digest: string): boolean {
    for (const sealed of this.#byCohort.values()) if (sealed.has(digest)) return false;
    return true;
  }

  /**
   * After a restart: seals every evidence blob stored since the open cohort was drawn. That is whatever was being
   * written when the process died too, of which no attempt knows anything yet.
   */
  reseal({ phase }: Pick<FoldState, 'phase'>, store: Store): void {
    if (phase.kind !== 'measuring') return;
    const { index, assignment_block } = phase.cohort;
    for (const row of store.blobs.since(assignment_block)) if (row.kind !== 'binding') this.seal(index, row.sha256);
  }
}
