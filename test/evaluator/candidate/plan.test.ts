import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CacheonError } from '../../../config/errors.ts';
import { type PlanningContext, planCandidate } from '../../../evaluator/candidate/index.ts';
import { wasmArenaCatalog } from '../../../evaluator/catalog/index.ts';
import { contentHash, sha256Hex, type TreeFile } from '../../../evaluator/identity/index.ts';
import { type EvaluationStackManifest, parseEvaluationStack, stackDigest } from '../../../evaluator/manifest/index.ts';

const catalog = wasmArenaCatalog();
const shared = {
  runtime_digest: sha256Hex('runtime'),
  base_engine_digest: sha256Hex('base'),
  arena_digest: sha256Hex('arena'),
  catalog_digest: catalog.digest,
  catalog_snapshot: catalog.snapshot,
};
const genesis: EvaluationStackManifest = {
  type: 'evaluation_stack',
  schema_version: 1,
  stack_policy_version: 'evaluation-stack.v1',
  ...shared,
  entries: {},
};

function bundle(slots: readonly string[], source = 'x'): TreeFile[] {
  const rows = slots.map((slot) => `[[ops]]\nslot="${slot}"\nsource="${slot}.ts"\nentry="run"\n`).join('');
  return [
    { path: 'manifest.toml', data: Buffer.from(`bundle_id="b"\nabi_version="cacheon-wasm-abi-v1"\n${rows}`) },
    ...slots.map((slot) => ({ path: `${slot}.ts`, data: Buffer.from(source) })),
  ];
}

function planning(incumbent: EvaluationStackManifest, sources: readonly (readonly TreeFile[])[]): PlanningContext {
  const byHash = new Map(sources.map((files) => [contentHash(files), files]));
  return {
    incumbent,
    context: { ...shared, target_spec_digests: catalog.targetSpecDigests() },
    catalog,
    source: (digest) => byHash.get(digest) ?? null,
  };
}

const plan = (
  files: readonly TreeFile[],
  context: PlanningContext,
  hotkey = 'miner',
): ReturnType<typeof planCandidate> =>
  planCandidate(files, { reservation_id: sha256Hex('r'), content_hash: contentHash(files), hotkey }, context);

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof CacheonError, String(error));
    return `${error.code} ${error.fault}`;
  }
  return 'accepted';
}

test('a proposal changes exactly one target of the incumbent', () => {
  const norm = bundle(['norm.rmsnorm']);
  const first = plan(norm, planning(genesis, []));
  assert.equal(first.incumbentStackDigest, stackDigest(genesis));
  assert.deepEqual(first.baselineRows, []);
  assert.deepEqual(
    first.candidateRows.map((row) => [row.slot, row.proposed]),
    [['norm.rmsnorm', true]],
  );

  const crowned = parseEvaluationStack(first.candidateManifest);
  const matmul = plan(bundle(['linear.matmul']), planning(crowned, [norm]));
  assert.deepEqual(
    matmul.baselineRows.map((row) => row.slot),
    ['norm.rmsnorm'],
  );
  assert.deepEqual(
    matmul.candidateRows.map((row) => [row.slot, row.proposed]),
    [
      ['norm.rmsnorm', false],
      ['linear.matmul', true],
    ],
  );
  assert.equal(matmul.incumbentTreeDigest, first.candidateTreeDigest, 'B is the crowned C, byte for byte');
});

test('an atomic target displaces its members', () => {
  const norm = bundle(['norm.rmsnorm']);
  const matmul = bundle(['linear.matmul']);
  const one = parseEvaluationStack(plan(norm, planning(genesis, [])).candidateManifest);
  const two = parseEvaluationStack(plan(matmul, planning(one, [norm])).candidateManifest);
  const wide = plan(bundle(['linear.matmul', 'activation.silu_and_mul']), planning(two, [norm, matmul]));
  assert.deepEqual(wide.members, ['activation.silu_and_mul', 'linear.matmul']);
  assert.deepEqual(Object.keys(parseEvaluationStack(wide.candidateManifest).entries).sort(), [
    'ffn.gated.v1',
    'norm.rmsnorm',
  ]);
});

test('who proposes it changes the stack but not the delta; the same payload again is no change', () => {
  const norm = bundle(['norm.rmsnorm']);
  const [a, b] = [plan(norm, planning(genesis, [])), plan(norm, planning(genesis, []), 'another')];
  assert.equal(a.selectedDeltaDigest, b.selectedDeltaDigest);
  assert.notEqual(a.candidateStackDigest, b.candidateStackDigest);
  const crowned = parseEvaluationStack(a.candidateManifest);
  assert.equal(
    codeOf(() => plan(norm, planning(crowned, [norm]))),
    'PLAN_NO_DELTA candidate',
  );
});

test('missing or altered incumbent source is never the candidate’s fault', () => {
  const norm = bundle(['norm.rmsnorm']);
  const crowned = parseEvaluationStack(plan(norm, planning(genesis, [])).candidateManifest);
  const other = bundle(['linear.matmul']);
  assert.equal(
    codeOf(() => plan(other, planning(crowned, []))),
    'TREE_SOURCE_MISSING infrastructure',
  );
  const padded = [...norm, { path: 'README', data: Buffer.from('the payload is the same, the bundle is not') }];
  const otherBundle = { ...planning(crowned, []), source: () => padded };
  assert.equal(
    codeOf(() => plan(other, otherBundle)),
    'TREE_PAYLOAD_MISMATCH infrastructure',
  );
  const reattributed = {
    ...crowned,
    entries: {
      'norm.rmsnorm': { ...crowned.entries['norm.rmsnorm'], selected_payload_digest: sha256Hex('another payload') },
    },
  } as EvaluationStackManifest;
  assert.equal(
    codeOf(() => plan(other, planning(reattributed, [norm]))),
    'TREE_PAYLOAD_MISMATCH infrastructure',
  );
  const lying = { ...planning(crowned, []), source: () => bundle(['norm.rmsnorm'], 'y') };
  assert.equal(
    codeOf(() => plan(other, lying)),
    'TREE_PAYLOAD_MISMATCH infrastructure',
  );
});
