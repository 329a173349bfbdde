import { type PlannedCandidate, type PlanningContext, planCandidate } from '../../../../evaluator/candidate/index.ts';
import { wasmArenaCatalog } from '../../../../evaluator/catalog/index.ts';
import type { PlaceContext } from '../../../../evaluator/evidence/index.ts';
import { contentHash, sha256Hex, type TreeFile } from '../../../../evaluator/identity/index.ts';
import {
  type Arena,
  arenaDigest,
  defaultAuditPolicy,
  defaultEvaluation,
  evaluationDigest,
  openRules,
  type Rules,
  type Runtime,
  runtimeDigest,
} from '../../../../evaluator/launch/index.ts';
import {
  type EvaluationStackManifest,
  type ReferenceManifest,
  referenceManifestDigest,
  stackDigest,
} from '../../../../evaluator/manifest/index.ts';
import { type SpeedPolicy, speedPolicyDigest } from '../../../../evaluator/speed/index.ts';
import { materializeWasmTree } from '../../../../evaluator/tree/index.ts';

/** A runtime as this test's arena fixes it. */
export const RUNTIME: Runtime = { node: '24.0.0', v8: '13.6', platform: 'linux', arch: 'x64', compiler: 'as@0.28.20' };

/** Few and short blocks, but more than one of everything. */
export const SPEED: SpeedPolicy = {
  policy_version: 'paired-preview.v9',
  margin_ppm: 100_000,
  pairs: 3,
  quads: 2,
  block_ms_min: 5,
};

export const VALIDATOR = '5C4hrfjw9DjXZTzV3MwzrrAr9P1MJhSrvWGWqi1eSuyUpnhM';
export const MINER = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
export const SECRET = Buffer.alloc(32, 7);

/** A world with one place of one cohort, a genesis incumbent, and a way to plan bundles against it. */
export interface World {
  readonly rules: Rules;
  readonly incumbent: EvaluationStackManifest;
  context(files: readonly TreeFile[], place?: number): PlaceContext;
  plan(files: readonly TreeFile[]): PlannedCandidate;
}

export function makeWorld(speed: SpeedPolicy = SPEED, attemptSeconds = 45): World {
  const catalog = wasmArenaCatalog();
  const arena: Arena = {
    schema_version: 1,
    name: 'test',
    backend: 'wasm',
    engine_digest: sha256Hex('engine'),
    model_digest: sha256Hex('model'),
    workload_digest: sha256Hex('workload'),
    topology: 'cpu',
    lane_slots: 2,
  };
  const incumbent: EvaluationStackManifest = {
    type: 'evaluation_stack',
    schema_version: 1,
    stack_policy_version: 'evaluation-stack.v1',
    runtime_digest: runtimeDigest(RUNTIME),
    base_engine_digest: sha256Hex('base'),
    arena_digest: arenaDigest(arena),
    catalog_digest: catalog.digest,
    catalog_snapshot: catalog.snapshot,
    entries: {},
  };
  const reference = referenceOf(arena, incumbent);
  const model = { dim: 8, heads: 2, hidden: 12, vocab: 256, context: 320, prefillRows: 4 };
  const evaluation = {
    ...defaultEvaluation(
      {
        referenceManifestDigest: referenceManifestDigest(reference),
        promptPoolSeed: sha256Hex('pool'),
        auditPolicy: { ...defaultAuditPolicy(model, '0.00001'), calls_per_slot: 12, repeated_calls: 3 },
      },
      speed,
    ),
    prompt_count: 120,
  };
  const rules = openRules(
    sha256Hex('consensus'),
    {
      arena_digest: arenaDigest(arena),
      speed_policy_digest: speedPolicyDigest(speed),
      evaluation_digest: evaluationDigest(evaluation),
      selection_policy_version: 'qualification-selection.v2',
      attempt_seconds: attemptSeconds,
      max_speedup_ppm: 16_000_000,
    },
    { arena, evaluation, speedPolicy: speed, reference },
  );
  const treeDigest = materializeWasmTree(stackDigest(incumbent), []).digest;
  return {
    rules,
    incumbent,
    context: (files, place = 0) => ({
      rules,
      cohortIndex: 3,
      place,
      hotkey: VALIDATOR,
      reservationId: sha256Hex(contentHash(files)),
      incumbentStackDigest: stackDigest(incumbent),
      incumbentTreeDigest: treeDigest,
      blockHash: `0x${sha256Hex('block')}`,
    }),
    plan: (files) => {
      const hash = contentHash(files);
      const origin = { reservation_id: sha256Hex(hash), content_hash: hash, hotkey: MINER };
      const { runtime_digest, base_engine_digest, arena_digest, catalog_digest, catalog_snapshot } = incumbent;
      const shared = { runtime_digest, base_engine_digest, arena_digest, catalog_digest, catalog_snapshot };
      const planning: PlanningContext = {
        incumbent,
        context: { ...shared, target_spec_digests: catalog.targetSpecDigests() },
        catalog,
        source: () => null,
      };
      return planCandidate(files, origin, planning);
    },
  };
}

/** A bundle with one row for one slot. */
export function bundle(source: string | Uint8Array = 'kernel', slot = 'linear.matmul', row = ''): TreeFile[] {
  const entry = slot.split('.')[1];
  const text = `bundle_id="b"\nabi_version="cacheon-wasm-abi-v1"\n[[ops]]\nslot="${slot}"\nsource="k.ts"\nentry="${entry}"\n${row}`;
  return [
    { path: 'k.ts', data: Buffer.from(source) },
    { path: 'manifest.toml', data: Buffer.from(text) },
  ];
}

function referenceOf(arena: Arena, incumbent: EvaluationStackManifest): ReferenceManifest {
  return {
    pristine_stack_digest: stackDigest(incumbent),
    pristine_tree_digest: sha256Hex('pristine tree'),
    pristine_launch_digest: sha256Hex('pristine launch'),
    runtime_digest: runtimeDigest(RUNTIME),
    base_engine_digest: incumbent.base_engine_digest,
    arena_digest: incumbent.arena_digest,
    catalog_digest: incumbent.catalog_digest,
    controller_distribution_digest: sha256Hex('controller'),
    worker_distribution_digest: sha256Hex('worker'),
    model_revision_digest: sha256Hex('revision'),
    model_manifest_digest: sha256Hex('model manifest'),
    model_content_digest: sha256Hex('content'),
    logical_hardware_digest: sha256Hex('hardware'),
    workload_digest: arena.workload_digest,
    tokenizer_digest: sha256Hex('tokenizer'),
    hidden_corpus_commitment: sha256Hex('corpus'),
    hidden_judge_digest: sha256Hex('judge'),
    selection_policy_digest: sha256Hex('selection policy'),
  };
}
