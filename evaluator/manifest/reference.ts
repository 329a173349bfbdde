import { ObjectReader } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';
import { DOMAIN } from './constants.ts';
import { ManifestError } from './errors.ts';
import { type EvaluationStackManifest, stackDigest } from './stack.ts';

const KEYS = [
  'pristine_stack_digest',
  'pristine_tree_digest',
  'pristine_launch_digest',
  'runtime_digest',
  'base_engine_digest',
  'arena_digest',
  'catalog_digest',
  'controller_distribution_digest',
  'worker_distribution_digest',
  'model_revision_digest',
  'model_manifest_digest',
  'model_content_digest',
  'logical_hardware_digest',
  'workload_digest',
  'tokenizer_digest',
  'hidden_corpus_commitment',
  'hidden_judge_digest',
  'selection_policy_digest',
] as const;

/** The pristine semantic authority of qualification: 18 digests, no type, no version (`protocol.md` section 4). */
export type ReferenceManifest = Readonly<Record<(typeof KEYS)[number], string>>;

/**
 * Parses a closed ReferenceManifest.
 * @throws FieldError
 */
export function parseReferenceManifest(value: unknown, at = 'reference'): ReferenceManifest {
  const reader = new ObjectReader(value, at, KEYS);
  return Object.fromEntries(KEYS.map((key) => [key, reader.digest(key)])) as ReferenceManifest;
}

export function referenceManifestDigest(reference: ReferenceManifest): string {
  return canonicalDigest(DOMAIN.reference, reference);
}

/** Identity of what is measured: without the controller's distribution and the pristine launch. */
export function referenceMeasuredDigest(reference: ReferenceManifest): string {
  const { controller_distribution_digest: _controller, pristine_launch_digest: _launch, ...measured } = reference;
  return canonicalDigest(DOMAIN.referenceMeasured, measured);
}

/**
 * Checks that the pristine stack is the one named and has no entries.
 * @throws ManifestError REFERENCE_NOT_PRISTINE
 */
export function requirePristine(reference: ReferenceManifest, stack: EvaluationStackManifest): void {
  const isNamed = stackDigest(stack) === reference.pristine_stack_digest;
  if (!isNamed || Object.keys(stack.entries).length !== 0) {
    throw new ManifestError('REFERENCE_NOT_PRISTINE', undefined, { field: 'pristine_stack_digest' });
  }
}
