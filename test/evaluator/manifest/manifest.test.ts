import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { FieldError, type FieldErrorCode } from '../../../evaluator/fields/index.ts';
import { parseStrictJson, sha256Hex } from '../../../evaluator/identity/index.ts';
import {
  contextOf,
  contributionDigest,
  entryOf,
  integratedRefOf,
  ManifestError,
  type ManifestErrorCode,
  parseContributionRef,
  parseEngineRelease,
  parseEvaluationContext,
  parseEvaluationStack,
  parseReferenceManifest,
  parseReviewRecord,
  requirePristine,
  requireReviewCoverage,
  selectedDeltaDigest,
  stackDigest,
  validateManifest,
  withEntries,
} from '../../../evaluator/manifest/index.ts';
import { digest, proposal, stockStack } from '../settle/fixtures.ts';

const code = (expected: ManifestErrorCode | FieldErrorCode) => (error: unknown) =>
  (error instanceof ManifestError || error instanceof FieldError) && error.code === expected;

describe('contributions', () => {
  test('two miners with the same payload share the delta and nothing else', () => {
    const mine = proposal('norm.rmsnorm', 'a');
    const theirs = { ...mine, attribution_digest: digest('other'), artifact_digest: digest('other bundle') };
    assert.equal(selectedDeltaDigest(theirs), selectedDeltaDigest(mine));
    assert.notEqual(contributionDigest(parseContributionRef(theirs)), contributionDigest(mine));
  });

  test('errors name the field', () => {
    const bad = { ...proposal('norm.rmsnorm', 'a'), artifact_digest: '0'.repeat(64) };
    assert.throws(
      () => parseContributionRef(bad),
      (error) => error instanceof FieldError && error.field === 'contribution.artifact_digest',
    );
    assert.throws(() => parseContributionRef({ type: 'crown' }), code('MANIFEST_TYPE'));
    assert.throws(() => parseContributionRef(null), code('MANIFEST_TYPE'));
  });
});

describe('evaluation stack', () => {
  const refs = ['linear.matmul', 'norm.rmsnorm', 'attention.decode'].map((id) => proposal(id, id));
  const stack = withEntries(stockStack(), refs);

  test('map order changes no digest', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(refs, { minLength: 3 }), fc.boolean(), (order, reverse) => {
        const shuffled = withEntries(stack, order);
        const value = reverse ? Object.fromEntries(Object.entries(shuffled).reverse()) : shuffled;
        assert.equal(stackDigest(parseEvaluationStack(value)), stackDigest(stack));
      }),
      { numRuns: 30 },
    );
  });

  test('target ids that are names of Object.prototype are only ids', () => {
    const text = JSON.stringify({ ...stack, entries: {} }).replace(
      '"entries":{}',
      `"entries":{"__proto__":${JSON.stringify({ ...refs[0], target_id: '__proto__' })}}`,
    );
    const parsed = parseEvaluationStack(parseStrictJson(text));
    assert.deepEqual(Object.keys(parsed.entries), ['__proto__']);
    assert.equal(entryOf(parsed, '__proto__')?.target_id, '__proto__');
    assert.equal(entryOf(stack, 'constructor'), undefined);
    assert.notEqual(stackDigest(parsed), stackDigest(stockStack()));
  });

  test('an entry under another key, a foreign catalog digest and unknown fields are refused', () => {
    const moved = { ...stack, entries: { 'norm.rmsnorm': refs[0] } };
    assert.throws(() => parseEvaluationStack(moved), code('MANIFEST_ENTRY_KEY'));
    const catalog = { ...stack, catalog_digest: digest('x') };
    assert.throws(() => parseEvaluationStack(catalog), code('MANIFEST_CATALOG_DIGEST'));
    assert.throws(() => parseEvaluationStack({ ...stack, note: '' }), code('FIELD_UNKNOWN'));
    assert.throws(() => parseEvaluationStack({ ...stack, schema_version: 1n }), code('FIELD_VALUE'));
  });

  test('a context binds runtime, engine, arena, catalog and target specs', () => {
    const context = contextOf(stack);
    validateManifest(stack, parseEvaluationContext(context));
    for (const field of ['runtime_digest', 'base_engine_digest', 'arena_digest'] as const) {
      assert.throws(() => validateManifest({ ...stack, [field]: digest('x') }, context), code('CONTEXT_MISMATCH'));
    }
    const unknown = withEntries(stack, [{ ...proposal('norm.rmsnorm', 'a'), target_id: 'toString' }]);
    assert.throws(() => validateManifest(unknown, context), code('CONTEXT_UNKNOWN_TARGET'));
    const stale = withEntries(stack, [{ ...proposal('norm.rmsnorm', 'a'), target_spec_digest: digest('x') }]);
    assert.throws(() => validateManifest(stale, context), code('CONTEXT_STALE_TARGET_SPEC'));
    const { 'norm.rmsnorm': _, ...partial } = context.target_spec_digests;
    const incomplete = { ...context, target_spec_digests: partial };
    assert.throws(() => parseEvaluationContext(incomplete), code('CONTEXT_TARGET_SPECS'));
  });
});

describe('release', () => {
  const record = parseReviewRecord(review('norm.rmsnorm'));
  const { arena_digest: _, ...fields } = stockStack();
  const release = (entries: object) =>
    parseEngineRelease({ ...fields, type: 'engine_release', stack_policy_version: 'engine-release.v1', entries });

  test('never holds a proposal', () => {
    assert.throws(() => release({ 'norm.rmsnorm': proposal('norm.rmsnorm', 'a') }), FieldError);
  });

  test('is covered by exactly one record per entry', () => {
    const covered = release({ 'norm.rmsnorm': integratedRefOf(record) });
    requireReviewCoverage(covered, [record]);
    const other = parseReviewRecord({ ...review('norm.rmsnorm'), reviewer: 'someone else' });
    for (const records of [[], [record, record], [other], [record, parseReviewRecord(review('linear.matmul'))]]) {
      assert.throws(() => requireReviewCoverage(covered, records), code('REVIEW_COVERAGE'));
    }
  });

  test('a record binds its artifacts and its reviewer', () => {
    const swapped = { ...review('norm.rmsnorm'), test_evidence_digest: sha256Hex('other tests') };
    assert.throws(() => parseReviewRecord(swapped), code('REVIEW_EVIDENCE_MISMATCH'));
    for (const reviewer of [' x', 'x\u0085', 'a\rb', '', 'x'.repeat(257)]) {
      assert.throws(() => parseReviewRecord({ ...review('norm.rmsnorm'), reviewer }), code('REVIEW_REVIEWER'));
    }
  });
});

test('a reference manifest is over a stack without entries', () => {
  const keys =
    'pristine_stack_digest pristine_tree_digest pristine_launch_digest runtime_digest base_engine_digest arena_digest catalog_digest controller_distribution_digest worker_distribution_digest model_revision_digest model_manifest_digest model_content_digest logical_hardware_digest workload_digest tokenizer_digest hidden_corpus_commitment hidden_judge_digest selection_policy_digest'.split(
      ' ',
    );
  const used = withEntries(stockStack(), [proposal('norm.rmsnorm', 'a')]);
  const over = (stack: typeof used) =>
    parseReferenceManifest({
      ...Object.fromEntries(keys.map((key) => [key, digest(key)])),
      pristine_stack_digest: stackDigest(stack),
    });
  requirePristine(over(stockStack()), stockStack());
  assert.throws(() => requirePristine(over(used), used), code('REFERENCE_NOT_PRISTINE'));
  assert.throws(() => requirePristine(over(used), stockStack()), code('REFERENCE_NOT_PRISTINE'));
});

/** A review record as JSON, complete and consistent. */
function review(targetId: string): Record<string, unknown> {
  const kinds = {
    primary_attempt: ['qualification.cohort-attempt', 'cacheon.qualification.cohort-attempt.v1'],
    reproduction_attempt: ['qualification.cohort-attempt', 'cacheon.qualification.cohort-attempt.v1'],
    license_evidence: ['integration.license', 'cacheon.integration.license.v1'],
    provenance_evidence: ['integration.provenance', 'cacheon.integration.provenance.v1'],
    security_review: ['integration.security-review', 'cacheon.integration.security-review.v1'],
    compatibility_evidence: ['integration.compatibility', 'cacheon.integration.compatibility.v1'],
    test_evidence: ['integration.tests', 'cacheon.integration.tests.v1'],
  };
  const artifacts = Object.entries(kinds).map(([name, [domain, schema]]) => [
    `${name}_ref`,
    { domain, schema, media_type: 'application/json', sha256: digest(name), size: 1 },
  ]);
  const bindings = [
    'target_spec',
    'proposal_contribution',
    'settlement_candidate',
    'settlement_evidence',
    'crown_event',
    'integrated_source_tree',
    'selected_payload',
    'attribution',
  ];
  return {
    schema_version: 1,
    target_id: targetId,
    artifacts: Object.fromEntries(artifacts),
    reviewer: 'A. Reviewer',
    review_commit: 'c'.repeat(40),
    approved: true,
    ...Object.fromEntries(Object.keys(kinds).map((name) => [`${name}_digest`, digest(name)])),
    ...Object.fromEntries(bindings.map((name) => [`${name}_digest`, digest(name)])),
  };
}
