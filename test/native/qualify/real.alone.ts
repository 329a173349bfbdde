import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type PlannedCandidate, planCandidate } from '../../../evaluator/candidate/index.ts';
import { deriveRun, type PlaceContext } from '../../../evaluator/evidence/index.ts';
import { contentHash, sha256Hex, type TreeFile } from '../../../evaluator/identity/index.ts';
import { evaluationDigest, openRules, type Runtime } from '../../../evaluator/launch/index.ts';
import { confirmTrajectory } from '../../../evaluator/regrade/index.ts';
import { type SpeedPolicy, speedPolicyDigest } from '../../../evaluator/speed/index.ts';
import { prebuildOptions } from '../../../native/engine/index.ts';
import { createWasmLaneFactory } from '../../../native/lane/index.ts';
import { createPrebuild } from '../../../native/prebuild/index.ts';
import { qualify, systemClock } from '../../../native/qualify/index.ts';
import { openEmbeddedArena } from '../../../node/arena/index.ts';
import { CACHE_DIR, patience } from '../support/arena.ts';
import { jsonOf, regradeTrial, summary, type Trial } from './support/result.ts';
import { bundle, MINER, SECRET, VALIDATOR } from './support/world.ts';

/** Three short pairs, and a bar that a busy machine does not lift a copy over. */
const SPEED: SpeedPolicy = {
  policy_version: 'paired-preview.v9',
  margin_ppm: 300_000,
  pairs: 3,
  quads: 2,
  block_ms_min: 5,
};

const arena = await openEmbeddedArena(CACHE_DIR, patience());
const lanes = createWasmLaneFactory({}, { arena: arena.native });
const evaluation = {
  ...(arena.objects.evaluation as Parameters<typeof evaluationDigest>[0]),
  select_count: 4,
  launches: SPEED.pairs,
  blocks: SPEED.quads * 4,
};
const rules = openRules(
  sha256Hex('consensus'),
  {
    arena_digest: arena.subject.arena_digest,
    speed_policy_digest: speedPolicyDigest(SPEED),
    evaluation_digest: evaluationDigest(evaluation),
    selection_policy_version: 'qualification-selection.v2',
    attempt_seconds: 600,
    max_speedup_ppm: 16_000_000,
  },
  { ...arena.objects, evaluation, speedPolicy: SPEED },
);
const runtime: Runtime = {
  node: process.versions.node,
  v8: process.versions.v8,
  platform: process.platform,
  arch: process.arch,
  compiler: arena.native.compiler,
};

function plan(files: readonly TreeFile[]): PlannedCandidate {
  const hash = contentHash(files);
  const { manifest } = arena.genesis;
  const { runtime_digest, base_engine_digest, arena_digest, catalog_digest, catalog_snapshot } = manifest;
  const shared = { runtime_digest, base_engine_digest, arena_digest, catalog_digest, catalog_snapshot };
  return planCandidate(
    files,
    { reservation_id: sha256Hex(hash), content_hash: hash, hotkey: MINER },
    {
      incumbent: manifest,
      context: { ...shared, target_spec_digests: arena.catalog.targetSpecDigests() },
      catalog: arena.catalog,
      source: () => null,
    },
  );
}

function example(name: string): Uint8Array {
  return readFileSync(new URL(`../../../native/kernels/examples/${name}.ts`, import.meta.url));
}

/** Measures a kernel in real lanes, as one place of a cohort. */
async function measure(source: Uint8Array, place: number, row = ''): Promise<Trial> {
  const files = bundle(source, 'linear.matmul', row);
  const planned = plan(files);
  const context: PlaceContext = {
    rules,
    cohortIndex: 0,
    place,
    hotkey: VALIDATOR,
    reservationId: sha256Hex(contentHash(files)),
    incumbentStackDigest: arena.genesis.stack_digest,
    incumbentTreeDigest: arena.genesis.tree_digest,
    blockHash: `0x${sha256Hex('block')}`,
  };
  const qualified = await qualify(
    { context, secret: SECRET, bundle: { state: 'planned', planned } },
    {
      lanes,
      prebuild: createPrebuild(prebuildOptions(arena.native, CACHE_DIR)),
      withTimingLock: (work) => work(),
      clock: systemClock,
      runtime,
    },
    patience(),
  );
  const { attemptDigest } = deriveRun(context, SECRET, planned);
  return {
    world: { rules, incumbent: arena.genesis.manifest, context: () => context, plan },
    files,
    context,
    qualified,
    attemptDigest,
  };
}

test('a fast kernel passes in real lanes; regrade and a second T agree', async () => {
  const trial = await measure(example('matmul-simd'), 0, 'prepare="prepare"\n');
  assert.equal(trial.qualified.result, 'PASS', JSON.stringify(jsonOf(trial.qualified.files, 'log.json')));
  const outcome = regradeTrial(trial);
  assert.equal(summary(outcome), `PASS null ${trial.qualified.speedup}`);
  const lane = await lanes.open({ slotIndex: 0, modules: [] }, patience());
  try {
    const again = await confirmTrajectory(
      outcome,
      rules.evaluation.logit_margin,
      (sequences, signal) => lane.grade(sequences, signal),
      patience(),
    );
    assert.equal(again, outcome);
  } finally {
    await lane.close();
  }
});

test('a wrong kernel fails in the audit', async () => {
  const trial = await measure(example('matmul-wrong'), 1);
  assert.equal(summary(regradeTrial(trial)), 'FAIL audit_mismatch null');
});

test('a copy of stock is too slow', async () => {
  const trial = await measure(example('matmul-copy'), 1);
  assert.equal(summary(regradeTrial(trial)), 'FAIL too_slow null');
});

test('source that does not compile is build_failed', async () => {
  const trial = await measure(Buffer.from('export function matmul(: i32): void {}'), 0);
  assert.equal(summary(regradeTrial(trial)), 'FAIL build_failed null');
});
