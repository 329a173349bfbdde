import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type EconomicsErrorCode =
  | 'CONTEXT_BLOCK_HASH'
  | 'CONTEXT_MEMBERS'
  | 'CONTEXT_VALIDATOR_ABSENT'
  | 'CLAIM_FROM_THE_FUTURE'
  | 'CLAIM_COVERAGE'
  | 'CLAIM_STALE'
  | 'CLAIM_REPEATED'
  | 'ARENA_NONE'
  | 'ARENA_REPEATED'
  | 'ARENA_CATALOG'
  | 'ARENA_EMPTY'
  | 'ARENA_GENERATION'
  | 'DISCOVERY_POOL_CLOSED'
  | 'NO_CREDIT';

/** Errors of claims and of the projection to weights. */
export const ECONOMICS_ERRORS: ErrorTable<EconomicsErrorCode> = {
  CONTEXT_BLOCK_HASH: { fault: 'infrastructure', what: 'malformed block hash', remedy: '"0x" and 64 hex digits' },
  CONTEXT_MEMBERS: {
    fault: 'infrastructure',
    what: 'metagraph members not sorted by uid, or a uid or hotkey twice',
    remedy: 'every member once, by ascending uid',
  },
  CONTEXT_VALIDATOR_ABSENT: {
    fault: 'operator',
    what: 'the validator is not in the metagraph',
    remedy: 'register its hotkey on the subnet',
  },
  CLAIM_FROM_THE_FUTURE: {
    fault: 'infrastructure',
    what: 'a claim newer than the block of the projection',
    remedy: 'the claims that stood at that block',
  },
  CLAIM_COVERAGE: {
    fault: 'infrastructure',
    what: 'not exactly one claim per active target',
    remedy: 'one claim for every active target and no other',
  },
  CLAIM_STALE: {
    fault: 'infrastructure',
    what: 'a claim for another arena, target spec or contribution than the active one',
    remedy: 'the claim of the active contribution',
  },
  CLAIM_REPEATED: {
    fault: 'infrastructure',
    what: 'two discovery claims with the same proposal or evidence',
    remedy: 'each proposal and each piece of evidence once',
  },
  ARENA_NONE: { fault: 'operator', what: 'no arena to project', remedy: 'at least one arena' },
  ARENA_REPEATED: { fault: 'operator', what: 'an arena twice', remedy: 'each arena once' },
  ARENA_CATALOG: { fault: 'operator', what: "not the stack's catalog", remedy: 'the catalog that the stack names' },
  ARENA_EMPTY: { fault: 'operator', what: 'an arena without active targets', remedy: 'at least one crown per arena' },
  ARENA_GENERATION: { fault: 'operator', what: 'not a stack generation', remedy: 'an integer >= 0' },
  DISCOVERY_POOL_CLOSED: {
    fault: 'operator',
    what: 'live discovery claims while the discovery pool is 0',
    remedy: 'a discovery pool above 0, or no live claims',
  },
  NO_CREDIT: { fault: 'operator', what: 'all credit has decayed to zero', remedy: 'a claim that still has credit' },
};

export class EconomicsError extends CacheonError<EconomicsErrorCode> {
  constructor(code: EconomicsErrorCode, message?: string, details?: ErrorDetails) {
    super(code, ECONOMICS_ERRORS[code], message, details);
  }
}
