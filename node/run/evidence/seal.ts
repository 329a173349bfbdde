import { CacheonError } from '../../../config/errors.ts';
import { parseEvidenceRoot } from '../../../evaluator/evidence/index.ts';
import type { BlobStore, Store } from '../../store/index.ts';

/**
 * Which of our own blobs are held back: those of a result whose cohort has not opened (`peer-protocol.md` section 5).
 * Sealed before the first byte is stored, opened when the opening height is finalized; after a restart the same set
 * follows from the stored attempts.
 */
export class Seals {
  readonly #byCohort = new Map<number, Set<string>>();

  /** Holds a digest back until the cohort opens. */
  seal(cohortIndex: number, digest: string): void {
    const sealed = this.#byCohort.get(cohortIndex) ?? new Set();
    sealed.add(digest);
    this.#byCohort.set(cohortIndex, sealed);
  }

  /** Offers everything of the cohorts up to this one. */
  open(cohortIndex: number): void {
    for (const index of this.#byCohort.keys()) if (index <= cohortIndex) this.#byCohort.delete(index);
  }

  mayServe(digest: string): boolean {
    for (const sealed of this.#byCohort.values()) if (sealed.has(digest)) return false;
    return true;
  }

  /** Seals what this node has stored of a cohort that has not opened: after a restart. */
  async reseal(cohortIndex: number, store: Store, blobs: BlobStore): Promise<void> {
    for (const attempt of store.attempts.ofCohort(cohortIndex)) {
      const { receipt_digest: receipt, evidence_root: root } = attempt;
      if (receipt === null || root === null) continue;
      this.seal(cohortIndex, receipt);
      this.seal(cohortIndex, root);
      try {
        for (const entry of parseEvidenceRoot(await blobs.get(root))) this.seal(cohortIndex, entry.sha256);
      } catch (error) {
        // A damaged root names nothing that could be served; regrade will say so.
        if (!(error instanceof CacheonError)) throw error;
      }
    }
  }
}
