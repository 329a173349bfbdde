import { isObject, ObjectReader, TARGET_ID } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';
import { DOMAIN } from './constants.ts';
import { ManifestError } from './errors.ts';

interface ContributionFields {
  readonly schema_version: 1;
  readonly target_id: string;
  readonly target_spec_digest: string;
  readonly selected_payload_digest: string;
  /** Opaque here: nothing in a reference verifies what it hashes. */
  readonly attribution_digest: string;
}

/** A miner's bundle as an entry of an evaluation stack; never of a release. */
export interface ProposalContributionRef extends ContributionFields {
  readonly type: 'proposal';
  /** Content hash of the bundle. */
  readonly artifact_digest: string;
}

/** Reviewed source that carries a crowned payload; it derives from one approved review record. */
export interface IntegratedContributionRef extends ContributionFields {
  readonly type: 'integrated';
  readonly integrated_source_tree_digest: string;
  readonly integration_record_digest: string;
}

export type ContributionRef = ProposalContributionRef | IntegratedContributionRef;

const COMMON = [
  'type',
  'schema_version',
  'target_id',
  'target_spec_digest',
  'selected_payload_digest',
  'attribution_digest',
];
const PROPOSAL_KEYS = [...COMMON, 'artifact_digest'];
const INTEGRATED_KEYS = [...COMMON, 'integrated_source_tree_digest', 'integration_record_digest'];

/**
 * Parses a closed ProposalContributionRef (`protocol.md` section 3).
 * @throws FieldError naming the field
 */
export function parseProposalRef(value: unknown, at = 'contribution'): ProposalContributionRef {
  const reader = new ObjectReader(value, at, PROPOSAL_KEYS);
  return {
    type: reader.literal('type', 'proposal'),
    artifact_digest: reader.digest('artifact_digest'),
    ...readCommon(reader),
  };
}

/**
 * Parses a closed IntegratedContributionRef (`protocol.md` section 3).
 * @throws FieldError naming the field
 */
export function parseIntegratedRef(value: unknown, at = 'contribution'): IntegratedContributionRef {
  const reader = new ObjectReader(value, at, INTEGRATED_KEYS);
  return {
    type: reader.literal('type', 'integrated'),
    integrated_source_tree_digest: reader.digest('integrated_source_tree_digest'),
    integration_record_digest: reader.digest('integration_record_digest'),
    ...readCommon(reader),
  };
}

/**
 * Parses a reference of either type.
 * @throws FieldError, ManifestError MANIFEST_TYPE
 */
export function parseContributionRef(value: unknown, at = 'contribution'): ContributionRef {
  const type = isObject(value) ? value['type'] : undefined;
  if (type === 'proposal') return parseProposalRef(value, at);
  if (type === 'integrated') return parseIntegratedRef(value, at);
  throw new ManifestError('MANIFEST_TYPE', undefined, { field: `${at}.type` });
}

/** Identity of a reference: CD under the domain of its type. */
export function contributionDigest(ref: ContributionRef): string {
  return canonicalDigest(ref.type === 'proposal' ? DOMAIN.proposal : DOMAIN.integrated, ref);
}

/**
 * Identity of what a contribution executes. Artifact and attribution are outside: two miners with the same payload
 * share the delta. (`protocol.md` section 3.)
 */
export function selectedDeltaDigest(ref: {
  readonly target_id: string;
  readonly target_spec_digest: string;
  readonly selected_payload_digest: string;
}): string {
  const { selected_payload_digest, target_id, target_spec_digest } = ref;
  return canonicalDigest(DOMAIN.selectedDelta, { selected_payload_digest, target_id, target_spec_digest });
}

/** The attribution_digest of a proposal (`names.md`): the bundle, the miner's SS58 hotkey, the reservation. */
export function attributionDigest(contentHash: string, hotkey: string, reservationId: string): string {
  return canonicalDigest(DOMAIN.attribution, {
    schema_version: 1,
    content_hash: contentHash,
    hotkey,
    reservation_id: reservationId,
  });
}

function readCommon(reader: ObjectReader): ContributionFields {
  return {
    schema_version: reader.literal('schema_version', 1),
    target_id: reader.text('target_id', TARGET_ID),
    target_spec_digest: reader.digest('target_spec_digest'),
    selected_payload_digest: reader.digest('selected_payload_digest'),
    attribution_digest: reader.digest('attribution_digest'),
  };
}
