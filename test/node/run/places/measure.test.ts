import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { wasmArenaCatalog } from '../../../../evaluator/catalog/index.ts';
import { attemptOf, parseEvidenceRoot } from '../../../../evaluator/evidence/index.ts';
import { type JsonValue, sha256Hex } from '../../../../evaluator/identity/index.ts';
import { attemptDigest } from '../../../../evaluator/launch/index.ts';
import { regrade } from '../../../../evaluator/regrade/index.ts';
import { parseStatement } from '../../../../evaluator/statement/index.ts';
import { Seals } from '../../../../node/run/evidence/seal.ts';
import { type MeasureDependencies, measurePlace } from '../../../../node/run/places/measure.ts';
import type { Attempt } from '../../../../node/store/index.ts';
import { FAST, FakeClock, FakeLanes, fakePrebuild } from '../../../native/qualify/support/fake.ts';
import { regradeTrial, summary, tryBundle } from '../../../native/qualify/support/result.ts';
import { bundle, MINER, makeWorld, RUNTIME, SECRET } from '../../../native/qualify/support/world.ts';
import { bundlesOf, type Disk, disk, heldBlobs, ledgerOf, measuring, never } from '../support.ts';

const world = makeWorld();
const trial = await tryBundle(world, bundle(), FAST);
const ledger = ledgerOf(world);
const { cohort, duty } = measuring(trial, { next: 'receipt', seed_height: 110, seed_hash: trial.context.blockHash });
const seeded = { ...duty, seed_hash: trial.context.blockHash };

/** The node's attempt, anchored; without a plan if the bundle could not be had. */
function anchored({ store }: Disk, planned: boolean): Attempt {
  const plan = planned ? world.plan(trial.files) : null;
  const attempt = attemptOf(trial.context, SECRET, plan);
  store.attempts.plan({
    cohort_index: cohort.index,
    place: duty.place,
    attempt_digest: attemptDigest(attempt),
    attempt: attempt as unknown as JsonValue,
    secret: SECRET.toString('hex'),
    plan: null,
  });
  store.attempts.anchored(cohort.index, duty.place, 106);
  return store.attempts.get(cohort.index, duty.place) as Attempt;
}

interface Bench extends MeasureDependencies {
  readonly disk: Disk;
}

async function bench(
  t: TestContext,
  change: { readonly hasBundle?: boolean; readonly fail?: string } = {},
): Promise<Bench> {
  const d = await disk(t);
  if (change.hasBundle !== false) await d.bundles.put(trial.files);
  const clock = new FakeClock();
  const behaviour = {
    ...FAST,
    before: () => {
      if (change.fail !== undefined) throw new Error(change.fail);
    },
  };
  return {
    disk: d,
    store: d.store,
    blobs: heldBlobs(d, { height: () => 111 }),
    bundles: bundlesOf(d),
    seals: new Seals(),
    catalog: wasmArenaCatalog(),
    rules: world.rules,
    hotkey: trial.context.hotkey,
    bindingDigest: () => sha256Hex('binding'),
    qualify: {
      lanes: new FakeLanes(behaviour, clock, world.rules.speed.pairs),
      prebuild: fakePrebuild,
      withTimingLock: (work) => work(),
      clock,
      runtime: RUNTIME,
    },
    tell: () => undefined,
  };
}

/** Regrades the stored result as another node would. */
async function regradeStored({ disk: d }: Bench): Promise<string> {
  const stored = d.store.attempts.get(cohort.index, duty.place) as Attempt;
  const statement = await d.blobs.get(stored.receipt_digest as string);
  const blobs = new Map<string, Uint8Array>();
  const root = await d.blobs.get(parseStatement(statement).evidenceRoot);
  blobs.set(sha256Hex(root), root);
  for (const { sha256 } of parseEvidenceRoot(root)) blobs.set(sha256, await d.blobs.get(sha256));
  return summary(
    regrade({
      statement,
      blob: (digest) => blobs.get(digest) ?? null,
      bundle: trial.files,
      context: trial.context,
      reservation: { hotkey: MINER, block: 17, event_index: 2, event_subindex: 0 },
      attemptDigest: stored.attempt_digest,
      plan: world.plan,
    }),
  );
}

test('a measured place has its evidence on the disk, sealed, and a receipt that regrades to the same', async (t) => {
  const b = await bench(t);
  await measurePlace(seeded, cohort, anchored(b.disk, true), ledger, b, never);
  const stored = b.store.attempts.get(cohort.index, duty.place) as Attempt;
  assert.equal(stored.stage, 'measured');
  assert.equal(await regradeStored(b), summary(regradeTrial(trial)));
  const root = await b.disk.blobs.get(stored.evidence_root as string);
  const digests = [stored.receipt_digest, stored.evidence_root, ...parseEvidenceRoot(root).map((row) => row.sha256)];
  for (const digest of digests) assert.equal(b.seals.mayServe(digest as string), false);
  b.seals.follow({ phase: { kind: 'idle' }, next_index: cohort.index + 1 });
  for (const digest of digests) assert.equal(b.seals.mayServe(digest as string), true);
});

test('everything is sealed before the first byte of it is stored', async (t) => {
  const b = await bench(t);
  const attempt = anchored(b.disk, true);
  let seen = 0;
  const blobs = Object.create(b.blobs, {
    isIndexed: { value: (digest: string) => b.blobs.isIndexed(digest) },
    put: {
      value: async (bytes: Uint8Array, kind: 'statement') => {
        assert.equal(b.seals.mayServe(sha256Hex(bytes)), false);
        seen++;
        return b.blobs.put(bytes, kind);
      },
    },
  });
  await measurePlace(seeded, cohort, attempt, ledger, { ...b, blobs }, never);
  assert.ok(seen > 10);
});

test('what an earlier result has shown stays shown', async (t) => {
  const b = await bench(t);
  const shown = trial.qualified.files.find((file) => file.name === 'manifests.json') as { bytes: Uint8Array };
  const digest = await b.blobs.put(shown.bytes, 'evidence-file');
  await measurePlace(seeded, cohort, anchored(b.disk, true), ledger, b, never);
  assert.equal(b.seals.mayServe(digest), true);
});

test('a process that dies while it stores a result shows nothing of it, and measures again under the same attempt', async (t) => {
  const b = await bench(t);
  const attempt = anchored(b.disk, true);
  let left = 5;
  const blobs = Object.create(b.blobs, {
    isIndexed: { value: (digest: string) => b.blobs.isIndexed(digest) },
    put: {
      value: async (bytes: Uint8Array, kind: 'statement') => {
        if (left-- === 0) throw new Error('killed');
        return b.blobs.put(bytes, kind);
      },
    },
  });
  await assert.rejects(measurePlace(seeded, cohort, attempt, ledger, { ...b, blobs }, never), /killed/);
  assert.equal(b.store.attempts.get(cohort.index, duty.place)?.stage, 'anchored');
  // The next process knows only the disk.
  const seals = new Seals();
  seals.reseal(
    { phase: { kind: 'measuring', cohort: { index: cohort.index, assignment_block: 100 } } } as never,
    b.store,
  );
  const left5 = b.store.blobs.since(0);
  assert.equal(left5.length, 5);
  for (const { sha256 } of left5) assert.equal(seals.mayServe(sha256), false);
  const again = { ...(await bench(t)), disk: b.disk, store: b.store, blobs: b.blobs, bundles: b.bundles, seals };
  await measurePlace(seeded, cohort, b.store.attempts.get(cohort.index, duty.place) as Attempt, ledger, again, never);
  assert.equal(await regradeStored(again), summary(regradeTrial(trial)));
  for (const { sha256 } of b.store.blobs.since(0)) assert.equal(seals.mayServe(sha256), false);
});

test('a host that fails is NO_DECISION, never FAIL', async (t) => {
  const b = await bench(t, { fail: 'the host is broken' });
  await measurePlace(seeded, cohort, anchored(b.disk, true), ledger, b, never);
  assert.equal(await regradeStored(b), 'NO_DECISION infrastructure null');
});

test('an attempt without plan stays without one, though the bundle has come since', async (t) => {
  const b = await bench(t);
  await measurePlace(seeded, cohort, anchored(b.disk, false), ledger, b, never);
  assert.equal(await regradeStored(b), 'NO_DECISION bytes_unavailable null');
});

test('an attempt with a plan whose bundle is gone is measured later, or not at all', async (t) => {
  const b = await bench(t, { hasBundle: false });
  await assert.rejects(measurePlace(seeded, cohort, anchored(b.disk, true), ledger, b, never), /nobody has it/);
  assert.equal(b.store.attempts.get(cohort.index, duty.place)?.stage, 'anchored');
});

test('a measurement that is given up leaves no result', async (t) => {
  const b = await bench(t);
  const stop = new AbortController();
  const lock = b.qualify.withTimingLock;
  const waiting = {
    ...b,
    qualify: {
      ...b.qualify,
      withTimingLock: ((work, signal) => {
        stop.abort(new Error('not needed'));
        return lock(work, signal);
      }) as typeof lock,
    },
  };
  await assert.rejects(
    measurePlace(seeded, cohort, anchored(b.disk, true), ledger, waiting, stop.signal),
    /not needed/,
  );
  assert.equal(b.store.attempts.get(cohort.index, duty.place)?.receipt_digest, null);
  assert.equal(b.store.blobs.totals().count, 0);
});
