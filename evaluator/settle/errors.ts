import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type SettlementErrorCode =
  | 'QUALIFICATION_SPEEDUP'
  | 'QUALIFICATION_MANIFEST'
  | 'QUALIFICATION_STACKS_EQUAL'
  | 'QUALIFICATION_DELTA'
  | 'QUALIFICATION_LANE'
  | 'QUALIFICATION_AUDIT'
  | 'QUALIFICATION_ORIENTATION'
  | 'PAIR_DIFFERS'
  | 'PAIR_REUSED'
  | 'PAIR_AUDIT'
  | 'PAIR_LANES'
  | 'PAIR_LEGACY'
  | 'EVIDENCE_MISMATCH'
  | 'JOURNAL_BROKEN'
  | 'SETTLE_REPEATED'
  | 'SETTLE_WINNER'
  | 'SETTLE_NOT_MARGINAL'
  | 'SETTLE_SPEEDUP_TOO_SMALL'
  | 'LEDGER_INCONSISTENT';

/** Errors of qualifications, candidate pairs, settlement plans and the ledger. */
export const SETTLEMENT_ERRORS: ErrorTable<SettlementErrorCode> = {
  QUALIFICATION_SPEEDUP: {
    fault: 'peer',
    what: 'speedup is not a canonical decimal above 1',
    remedy: 'a plain decimal string above 1 with at most 28 significant digits',
  },
  QUALIFICATION_MANIFEST: {
    fault: 'peer',
    what: 'a manifest is missing, or is not of the stack and arena named',
    remedy: 'the manifests whose digests the qualification names',
  },
  QUALIFICATION_STACKS_EQUAL: {
    fault: 'peer',
    what: 'incumbent and candidate have the same stack or tree',
    remedy: 'a candidate that differs in both',
  },
  QUALIFICATION_DELTA: {
    fault: 'peer',
    what: 'the candidate manifest does not hold the target with the selected delta',
    remedy: 'the manifest that was measured',
  },
  QUALIFICATION_LANE: {
    fault: 'peer',
    what: 'fields that do not belong to the lane',
    remedy: 'registered: a candidate manifest and no proposal; discovery: the reverse',
  },
  QUALIFICATION_AUDIT: {
    fault: 'peer',
    what: 'incomplete audit, or one whose control digest is not that of its policy',
    remedy: 'control, policy and evidence together, or none of them',
  },
  QUALIFICATION_ORIENTATION: {
    fault: 'peer',
    what: 'a lane orientation without a resident speed policy, the reverse, or one for another policy',
    remedy: 'an orientation exactly under a resident speed policy',
  },
  PAIR_DIFFERS: {
    fault: 'peer',
    what: 'the two passes are about different contributions',
    remedy: 'one contribution against one incumbent',
  },
  PAIR_REUSED: {
    fault: 'peer',
    what: 'the reproduction reuses evidence of the primary pass',
    remedy: 'seven digests that all differ',
  },
  PAIR_AUDIT: {
    fault: 'peer',
    what: 'audits that do not reproduce each other',
    remedy: 'the same control, another seed, other evidence; on both passes or on none',
  },
  PAIR_LANES: {
    fault: 'peer',
    what: 'the two passes did not exchange the two lanes',
    remedy: 'the same policy and control, baseline and candidate lanes exchanged',
  },
  PAIR_LEGACY: {
    fault: 'peer',
    what: 'a new candidate without audits and without orientations',
    remedy: 'audits on both passes, or orientations on both',
  },
  EVIDENCE_MISMATCH: {
    fault: 'infrastructure',
    what: 'settlement evidence that does not belong to its candidate, or repeats itself',
    remedy: 'the two attempts that the candidate names',
  },
  JOURNAL_BROKEN: {
    fault: 'infrastructure',
    what: 'settlement events that do not follow each other',
    remedy: 'restore the journal, or join from a snapshot',
  },
  SETTLE_REPEATED: { fault: 'infrastructure', what: 'a candidate or reservation twice', remedy: 'each once' },
  SETTLE_WINNER: { fault: 'infrastructure', what: 'the winner cannot win', remedy: 'a candidate on the current stack' },
  SETTLE_NOT_MARGINAL: {
    fault: 'infrastructure',
    what: 'the candidate is not the one planned change to the current stack',
    remedy: 'the stack, arm and members that the catalog derives',
  },
  SETTLE_SPEEDUP_TOO_SMALL: {
    fault: 'peer',
    what: 'a speedup too small to be credited',
    remedy: 'at least 1.000001',
  },
  LEDGER_INCONSISTENT: {
    fault: 'infrastructure',
    what: 'a ledger whose parts do not belong together',
    remedy: 'restore the ledger, or join from a snapshot',
  },
};

export class SettlementError extends CacheonError<SettlementErrorCode> {
  constructor(code: SettlementErrorCode, message?: string, details?: ErrorDetails) {
    super(code, SETTLEMENT_ERRORS[code], message, details);
  }
}
