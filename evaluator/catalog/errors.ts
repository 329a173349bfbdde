import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type CatalogErrorCode =
  | 'CATALOG_SIZE'
  | 'CATALOG_TARGET_REPEATED'
  | 'CATALOG_SLOT'
  | 'CATALOG_ATOMIC'
  | 'CATALOG_FEATURE'
  | 'CATALOG_CONTRACT'
  | 'CATALOG_DECIMAL'
  | 'CATALOG_MEMBERS'
  | 'CATALOG_RELATION'
  | 'CATALOG_CYCLE'
  | 'CATALOG_REQUIRES'
  | 'CATALOG_RULE'
  | 'CATALOG_SNAPSHOT'
  | 'CATALOG_UNKNOWN_PROFILE'
  | 'ACTIVE_UNKNOWN'
  | 'ACTIVE_REPEATED'
  | 'ACTIVE_CONFLICT'
  | 'ACTIVE_REQUIREMENT';

/** Errors of the target catalog and of active sets under it. */
export const CATALOG_ERRORS: ErrorTable<CatalogErrorCode> = {
  CATALOG_SIZE: { fault: 'operator', what: 'no targets, or too many', remedy: '1 to 512 targets' },
  CATALOG_TARGET_REPEATED: { fault: 'operator', what: 'a target id twice', remedy: 'each target once' },
  CATALOG_SLOT: {
    fault: 'operator',
    what: 'a slot that is not its own sole member, or has no contract of its own',
    remedy: 'members [its id], a contract for that slot, no atomic semantics',
  },
  CATALOG_ATOMIC: {
    fault: 'operator',
    what: 'an atomic target that is not a displacing set of registered slots',
    remedy: 'at least two distinct slots as members, all displaced, a semantics id, no contract',
  },
  CATALOG_FEATURE: {
    fault: 'operator',
    what: 'allowed features outside the known ones, or without entry, or with setup',
    remedy: 'known features, entry among them, never setup',
  },
  CATALOG_CONTRACT: { fault: 'operator', what: 'malformed slot contract', remedy: 'protocol.md section 5, Contract' },
  CATALOG_DECIMAL: { fault: 'operator', what: 'not a finite decimal', remedy: 'a finite decimal as a string' },
  CATALOG_MEMBERS: {
    fault: 'operator',
    what: 'two targets with the same members, or with common ones and no displacement between them',
    remedy: 'distinct member sets; one of two overlapping targets displaces the other',
  },
  CATALOG_RELATION: {
    fault: 'operator',
    what: 'a relation to itself, to an unknown target, or one that contradicts another',
    remedy: 'displaces apart from compatible_with and requires; compatible_with symmetric',
  },
  CATALOG_CYCLE: { fault: 'operator', what: 'a cycle of targets', remedy: 'acyclic displaces, requires, precedence' },
  CATALOG_REQUIRES: {
    fault: 'operator',
    what: 'a requirement that displacement makes unsatisfiable',
    remedy: 'requirements that neither displace nor are displaced',
  },
  CATALOG_RULE: {
    fault: 'operator',
    what: 'composition rules that do not fit the compatible pairs',
    remedy: "exactly one rule per compatible pair, of the slots' binding family, with a unique id",
  },
  CATALOG_SNAPSHOT: {
    fault: 'peer',
    what: 'not the snapshot that its own targets and rules give',
    remedy: 'the canonical snapshot: sorted sets, normal decimals, derived digests',
  },
  CATALOG_UNKNOWN_PROFILE: {
    fault: 'operator',
    what: 'an artifact provider registry that this node does not know',
    remedy: 'a catalog of a supported arena',
  },
  ACTIVE_UNKNOWN: { fault: 'peer', what: 'unknown target', remedy: 'a target of this catalog' },
  ACTIVE_REPEATED: { fault: 'peer', what: 'a target is active twice', remedy: 'each target once' },
  ACTIVE_CONFLICT: { fault: 'peer', what: 'an active target displaces another', remedy: 'leave the displaced one out' },
  ACTIVE_REQUIREMENT: { fault: 'peer', what: 'a required target is not active', remedy: 'activate what is required' },
};

export class CatalogError extends CacheonError<CatalogErrorCode> {
  constructor(code: CatalogErrorCode, message?: string, details?: ErrorDetails) {
    super(code, CATALOG_ERRORS[code], message, details);
  }
}
