import { ObjectReader, sortedSet, TARGET_ID } from '../fields/index.ts';
import { FORBIDDEN_FEATURE, MANDATORY_FEATURE } from './constants.ts';
import { readContract, type SlotContract } from './contract.ts';
import { CatalogError } from './errors.ts';

/** One target as written, checked on its own; sets are sorted. */
export interface TargetSpec {
  readonly target_id: string;
  readonly kind: 'slot' | 'atomic';
  /** In the order given: it is part of an atomic target's identity. */
  readonly members: readonly string[];
  readonly displaces: readonly string[];
  readonly compatible_with: readonly string[];
  readonly requires: readonly string[];
  readonly allowed_features: readonly string[];
  readonly contract_ref: SlotContract | null;
  readonly atomic_semantics_id: string | null;
}

const KEYS = [
  'target_id',
  'kind',
  'members',
  'displaces',
  'compatible_with',
  'requires',
  'allowed_features',
  'contract_ref',
  'atomic_semantics_id',
];
const FEATURE = /^[0-9A-Za-z._:-]+$/;

/**
 * Reads one target of a definition and checks what concerns it alone: members by kind, contract or semantics,
 * features (`protocol.md` section 5).
 * @param knownFeatures the features that targets of this catalog may allow
 * @throws FieldError, CatalogError CATALOG_SLOT, CATALOG_ATOMIC, CATALOG_FEATURE, CATALOG_CONTRACT
 */
export function readTarget(value: unknown, at: string, knownFeatures: ReadonlySet<string>): TargetSpec {
  const reader = new ObjectReader(value, at, KEYS);
  const id = reader.text('target_id', TARGET_ID);
  const kind = reader.oneOf('kind', ['slot', 'atomic']);
  const members = reader.texts('members', TARGET_ID);
  const semantics = reader.raw('atomic_semantics_id');
  const contract =
    reader.raw('contract_ref') === null ? null : readContract(reader.raw('contract_ref'), reader.at('contract_ref'));
  const spec: TargetSpec = {
    target_id: id,
    kind,
    members,
    displaces: sortedSet(reader.texts('displaces', TARGET_ID)),
    compatible_with: sortedSet(reader.texts('compatible_with', TARGET_ID)),
    requires: sortedSet(reader.texts('requires', TARGET_ID)),
    allowed_features: sortedSet(reader.texts('allowed_features', FEATURE)),
    contract_ref: contract,
    atomic_semantics_id: semantics === null ? null : reader.text('atomic_semantics_id', TARGET_ID),
  };
  if (kind === 'slot') checkSlot(spec, at);
  else checkAtomic(spec, at);
  checkFeatures(spec, at, knownFeatures);
  return spec;
}

function checkSlot(spec: TargetSpec, at: string): void {
  const isOwnMember = spec.members.length === 1 && spec.members[0] === spec.target_id;
  if (!isOwnMember) throw new CatalogError('CATALOG_SLOT', 'members are not [its id]', { field: `${at}.members` });
  if (spec.contract_ref?.slot_id !== spec.target_id) {
    throw new CatalogError('CATALOG_SLOT', 'no contract of its own', { field: `${at}.contract_ref` });
  }
  if (spec.atomic_semantics_id !== null) {
    throw new CatalogError('CATALOG_SLOT', 'a slot has no atomic semantics', { field: `${at}.atomic_semantics_id` });
  }
}

function checkAtomic(spec: TargetSpec, at: string): void {
  const distinct = new Set(spec.members);
  if (distinct.size < 2 || distinct.size !== spec.members.length) {
    throw new CatalogError('CATALOG_ATOMIC', 'not two or more distinct members', { field: `${at}.members` });
  }
  if (spec.members.some((member) => !spec.displaces.includes(member))) {
    throw new CatalogError('CATALOG_ATOMIC', 'a member is not displaced', { field: `${at}.displaces` });
  }
  if (spec.atomic_semantics_id === null) {
    throw new CatalogError('CATALOG_ATOMIC', 'no semantics id', { field: `${at}.atomic_semantics_id` });
  }
  if (spec.contract_ref !== null) {
    throw new CatalogError('CATALOG_ATOMIC', 'an atomic target has no contract', { field: `${at}.contract_ref` });
  }
}

function checkFeatures(spec: TargetSpec, at: string, known: ReadonlySet<string>): void {
  const field = `${at}.allowed_features`;
  const features = spec.allowed_features;
  if (!features.includes(MANDATORY_FEATURE)) throw new CatalogError('CATALOG_FEATURE', 'entry is missing', { field });
  if (features.includes(FORBIDDEN_FEATURE)) throw new CatalogError('CATALOG_FEATURE', 'setup is refused', { field });
  if (features.some((feature) => !known.has(feature))) {
    throw new CatalogError('CATALOG_FEATURE', 'unknown feature', { field });
  }
}
