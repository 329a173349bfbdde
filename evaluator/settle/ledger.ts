import { parseCatalogSnapshot } from '../catalog/index.ts';
import { parseStandingClaim, type StandingClaim } from '../economics/claims.ts';
import { type Integer, ObjectReader } from '../fields/index.ts';
import { canonicalDigest, compareCodePoints } from '../identity/index.ts';
import {
  contributionDigest,
  type EvaluationStackManifest,
  entryOf,
  parseEvaluationStack,
  stackDigest,
} from '../manifest/index.ts';
import { DOMAIN } from './constants.ts';
import { SettlementError } from './errors.ts';
import { type JournalHead, readPrevious } from './event.ts';

/** What settlement has come to: the incumbent, the journal's head, and the claims that stand. */
export interface Ledger {
  readonly schema_version: 1;
  readonly manifest: EvaluationStackManifest;
  readonly stack_digest: string;
  readonly tree_digest: string;
  readonly journal: JournalHead;
  /** One per active target, sorted by (target_id, crowned_block). */
  readonly claims: readonly StandingClaim[];
}

const KEYS = ['schema_version', 'manifest', 'stack_digest', 'tree_digest', 'journal', 'claims'];

/**
 * The ledger at activation: a stack without entries, an empty journal, no claims.
 * @throws SettlementError LEDGER_INCONSISTENT
 */
export function genesisLedger(manifest: EvaluationStackManifest, treeDigest: string): Ledger {
  return newStack(manifest, treeDigest, { sequence: 0, head: '' });
}

/**
 * The ledger after the consensus object moved to another arena: a new genesis stack, the journal goes on
 * (`peer-protocol.md` section 2). Claims of the old arena have no active target any more.
 * @throws SettlementError LEDGER_INCONSISTENT
 */
export function restackedLedger(ledger: Ledger, manifest: EvaluationStackManifest, treeDigest: string): Ledger {
  return newStack(manifest, treeDigest, ledger.journal);
}

/**
 * Parses a stored ledger and checks that its parts belong together.
 * @throws FieldError, ManifestError, CatalogError, SettlementError LEDGER_INCONSISTENT
 */
export function parseLedger(value: unknown): Ledger {
  const reader = new ObjectReader(value, 'ledger', KEYS);
  const journal = new ObjectReader(reader.raw('journal'), reader.at('journal'), ['sequence', 'head']);
  const ledger: Ledger = {
    schema_version: reader.literal('schema_version', 1),
    manifest: parseEvaluationStack(reader.raw('manifest'), reader.at('manifest')),
    stack_digest: reader.digest('stack_digest'),
    tree_digest: reader.digest('tree_digest'),
    journal: {
      sequence: journal.wideInteger('sequence', 0),
      head: readPrevious(journal.raw('head'), journal.at('head')),
    },
    claims: reader.array('claims').map((claim, i) => parseStandingClaim(claim, `${reader.at('claims')}[${i}]`)),
  };
  checkLedger(ledger);
  return ledger;
}

/** claims_digest of a cohort record (`peer-protocol.md` section 8). */
export function claimsDigest(claims: readonly StandingClaim[]): string {
  return canonicalDigest(DOMAIN.claims, sortedClaims(claims));
}

/** Sorted by (target_id, crowned_block). */
export function sortedClaims(claims: readonly StandingClaim[]): StandingClaim[] {
  return claims.toSorted(
    (a, b) => compareCodePoints(a.target_id, b.target_id) || compareIntegers(a.crowned_block, b.crowned_block),
  );
}

/**
 * Checks that stack digest, journal and claims follow from each other: exactly one matching claim per active target.
 * @throws CatalogError, SettlementError LEDGER_INCONSISTENT naming the part
 */
export function checkLedger(ledger: Ledger): void {
  const { manifest, journal, claims } = ledger;
  if (stackDigest(manifest) !== ledger.stack_digest) throw inconsistent('stack_digest');
  if ((BigInt(journal.sequence) === 0n) !== (journal.head === '')) throw inconsistent('journal');
  const active = Object.keys(manifest.entries);
  parseCatalogSnapshot(manifest.catalog_snapshot).validateActive(active);
  if (claims.length !== active.length) throw inconsistent('claims');
  claims.forEach((claim, i) => {
    const entry = entryOf(manifest, claim.target_id);
    const follows = i === 0 || compareCodePoints((claims[i - 1] as StandingClaim).target_id, claim.target_id) < 0;
    const isMatching =
      entry !== undefined &&
      claim.arena_digest === manifest.arena_digest &&
      claim.target_spec_digest === entry.target_spec_digest &&
      claim.contribution_digest === contributionDigest(entry);
    if (!isMatching || !follows) throw inconsistent(`claims[${i}]`);
  });
}

function newStack(manifest: EvaluationStackManifest, treeDigest: string, journal: JournalHead): Ledger {
  const ledger: Ledger = {
    schema_version: 1,
    manifest,
    stack_digest: stackDigest(manifest),
    tree_digest: treeDigest,
    journal,
    claims: [],
  };
  checkLedger(ledger);
  return ledger;
}

function compareIntegers(a: Integer, b: Integer): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function inconsistent(field: string): SettlementError {
  return new SettlementError('LEDGER_INCONSISTENT', undefined, { field: `ledger.${field}` });
}
