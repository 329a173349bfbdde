import { CacheonError } from '../../../config/errors.ts';
import { isObject } from '../../../evaluator/fields/index.ts';
import type { JsonObject } from '../../../evaluator/identity/index.ts';
import type { FoldAuthority, Graded, LedgerHead, PlaceContext, RipeCandidate } from '../../../evaluator/peer/index.ts';
import {
  attemptRef,
  claimsDigest,
  formCandidate,
  type Ledger,
  parseQualification,
  type RipeSettlement,
  restackedLedger,
  type SettlementEvent,
  settleCohort,
} from '../../../evaluator/settle/index.ts';
import type { Grading } from '../../store/index.ts';

export interface AuthorityDependencies {
  /** The stored grading of a receipt at its place, or null while it is not regraded. */
  grading(cohortIndex: number, place: number, receiptDigest: string): Grading | null;
  /** Speed policy digest of the ruling consensus object (`names.md`, Orientation). */
  readonly speedPolicyDigest: string;
  /** The ledger of another arena's genesis stack. @throws if this node has no such arena */
  genesisOf(genesisStackDigest: string): Pick<Ledger, 'manifest' | 'tree_digest'>;
}

/**
 * The fold's authority for one step: gradings from the store, and a ledger that the step may move. What it came to is
 * read afterwards and written in the transaction of the step, or thrown away with it.
 */
export class StepAuthority implements FoldAuthority {
  readonly #dependencies: AuthorityDependencies;
  readonly #gradings = new Map<string, Grading>();
  readonly #events: SettlementEvent[] = [];
  #ledger: Ledger;

  constructor(ledger: Ledger, dependencies: AuthorityDependencies) {
    this.#ledger = ledger;
    this.#dependencies = dependencies;
  }

  /** The ledger after the step. */
  get ledgerAfter(): Ledger {
    return this.#ledger;
  }

  /** Settlement events that the step made, in order. */
  get events(): readonly SettlementEvent[] {
    return this.#events;
  }

  graded(receiptDigest: string, place: PlaceContext): Graded | null {
    const grading = this.#dependencies.grading(place.cohort_index, place.place, receiptDigest);
    if (grading === null) return null;
    this.#gradings.set(receiptDigest, grading);
    return grading.graded;
  }

  acceptsPair(receipts: readonly [string, string]): boolean {
    try {
      this.#candidate(receipts);
      return true;
    } catch (error) {
      // What section 7 refuses is no candidate; anything else is a bug of ours and must not decide.
      if (error instanceof CacheonError && error.code.startsWith('PAIR_')) return false;
      throw error;
    }
  }

  settle(ripe: readonly RipeCandidate[], winner: number): LedgerHead {
    const rows = ripe.map((candidate) => this.#candidate(candidate.receipts));
    const settlement = settleCohort(this.#ledger, rows, winner);
    this.#ledger = settlement.ledger;
    this.#events.push(...settlement.events);
    return this.ledger();
  }

  ledger(): LedgerHead {
    return headOf(this.#ledger);
  }

  adoptGenesis(genesisStackDigest: string): LedgerHead {
    const { manifest, tree_digest } = this.#dependencies.genesisOf(genesisStackDigest);
    this.#ledger = restackedLedger(this.#ledger, manifest, tree_digest);
    return this.ledger();
  }

  #candidate(receipts: readonly [string, string]): RipeSettlement {
    const [primary, reproduction] = receipts.map((receipt) => this.#proof(receipt)) as [Proof, Proof];
    return {
      candidate: formCandidate(primary.qualification, reproduction.qualification),
      attempts: [attemptRef(primary.attempt), attemptRef(reproduction.attempt)],
    };
  }

  #proof(receipt: string): Proof {
    const stored = this.#gradings.get(receipt)?.qualification;
    if (!isObject(stored) || !isObject(stored['attempt'])) throw new Error(`no qualification of receipt ${receipt}`);
    const policies = new Set([this.#dependencies.speedPolicyDigest]);
    return {
      qualification: parseQualification(stored['qualification'], policies),
      attempt: stored['attempt'] as JsonObject,
    };
  }
}

interface Proof {
  readonly qualification: ReturnType<typeof parseQualification>;
  readonly attempt: JsonObject;
}

/** What the fold and the cohort record name of a ledger. */
export function headOf(ledger: Ledger): LedgerHead {
  return {
    stack_digest: ledger.stack_digest,
    journal_head: ledger.journal.head,
    claims_digest: claimsDigest(ledger.claims),
  };
}
