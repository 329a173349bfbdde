import type { CohortDuties } from '../../../evaluator/peer/index.ts';

/** Blocks before the close at which a ballot goes out although bytes are missing; more may follow. */
const LAST_CALL_BLOCKS = 4;
/** A ballot anchored now is included in a later block. */
const INCLUSION_BLOCKS = 1;

/** The ballot that is due, as 16 hex digits and the places it names. */
export interface DueBallot {
  readonly bitmap: string;
  readonly places: readonly number[];
}

/**
 * The ballot to anchor now, or null: one that names every result, or near the close what is here so far. An empty one
 * is a ballot too: it says that this validator is present. (`peer-protocol.md` sections 5 and 7)
 * @param holds places of which every byte is durable here
 * @param height the last finalized height
 */
export function dueBallot(cohort: CohortDuties, holds: ReadonlySet<number>, height: number): DueBallot | null {
  const { ballot, receipts } = cohort;
  if (ballot === null || height + INCLUSION_BLOCKS > ballot.close_height) return null;
  const isComplete = receipts.every((receipt) => holds.has(receipt.place));
  if (!isComplete && height < ballot.close_height - LAST_CALL_BLOCKS) return null;
  const places = receipts.map((receipt) => receipt.place).filter((place) => holds.has(place));
  const named = BigInt(`0x${ballot.bitmap}`);
  const bits = places.reduce((all, place) => all | (1n << BigInt(place)), 0n);
  if (ballot.counted && (bits | named) === named) return null;
  return { bitmap: bits.toString(16).padStart(16, '0'), places };
}
