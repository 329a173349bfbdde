import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { wasmArenaCatalog } from '../../../../evaluator/catalog/index.ts';
import { canonicalJson } from '../../../../evaluator/identity/index.ts';
import { type Attempt as AttemptObject, attemptDigest } from '../../../../evaluator/launch/index.ts';
import type { BundlesDependencies } from '../../../../node/run/bundles.ts';
import { type AttemptDependencies, ensureAttempt, isLastCall } from '../../../../node/run/places/attempt.ts';
import { FAST } from '../../../native/qualify/support/fake.ts';
import { tryBundle } from '../../../native/qualify/support/result.ts';
import { bundle, makeWorld } from '../../../native/qualify/support/world.ts';
import { bundlesOf, type Disk, disk, ledgerOf, measuring, never, packOf } from '../support.ts';

const world = makeWorld();
const trial = await tryBundle(world, bundle(), FAST);
const ledger = ledgerOf(world);
const { cohort, duty } = measuring(trial);
const EARLY = cohort.assignment_block + 1;
const LATE = cohort.show_deadline - 3;

function dependencies(d: Disk, sources: Partial<BundlesDependencies> = {}): AttemptDependencies & { told: string[] } {
  const told: string[] = [];
  return {
    store: d.store,
    bundles: bundlesOf(d, sources),
    catalog: wasmArenaCatalog(),
    rules: world.rules,
    hotkey: trial.context.hotkey,
    randomBytes,
    tell: (event) => told.push(event.type),
    told,
  };
}

const planOf = (attempt: { attempt: unknown }): string | null => (attempt.attempt as AttemptObject).plan_digest;

async function made(t: TestContext, height: number, sources: Partial<BundlesDependencies>) {
  const d = await disk(t);
  const deps = dependencies(d, sources);
  return { d, deps, attempt: await ensureAttempt(duty, cohort, ledger, height, deps, never) };
}

test('an attempt is durable with its secret before it is returned, and is never made twice', async (t) => {
  const fromMiner = async () => [...trial.files];
  const { d, deps, attempt } = await made(t, EARLY, { fromMiner });
  assert.notEqual(planOf(attempt), null);
  assert.equal(attempt.stage, 'planned');
  assert.equal(attempt.attempt_digest, attemptDigest(attempt.attempt as unknown as AttemptObject));
  assert.deepEqual(deps.told, ['fetched', 'screened']);
  // A restart, the bundle's host gone: the same attempt, whatever is said now.
  const again = await ensureAttempt(duty, cohort, ledger, LATE, dependencies(d), never);
  assert.equal(canonicalJson(again), canonicalJson(attempt));
});

test('before the last call a bundle that cannot be had is waited for', async (t) => {
  const d = await disk(t);
  await assert.rejects(ensureAttempt(duty, cohort, ledger, EARLY, dependencies(d), never), /nobody has it/);
  assert.equal(d.store.attempts.get(cohort.index, duty.place), null);
});

test('at the last call nobody is asked any more: an attempt without plan, at once', async (t) => {
  let asked = 0;
  const ask = async (): Promise<never> => {
    asked++;
    return new Promise<never>(() => {});
  };
  const { deps, attempt } = await made(t, LATE, { fromMiner: ask, fromPeers: ask });
  assert.equal(planOf(attempt), null);
  assert.deepEqual(deps.told, ['unavailable']);
  assert.equal(asked, 0);
});

test('at the last call a bundle that is here is planned', async (t) => {
  const d = await disk(t);
  await d.bundles.put(trial.files);
  const attempt = await ensureAttempt(duty, cohort, ledger, LATE, dependencies(d), never);
  assert.notEqual(planOf(attempt), null);
});

test('a local failure is no reason to give up: with the bundle here it is told, late too', async (t) => {
  const d = await disk(t);
  await d.bundles.put(trial.files);
  const broken = { ...dependencies(d), catalog: null as never };
  await assert.rejects(ensureAttempt(duty, cohort, ledger, LATE, broken, never), TypeError);
  assert.equal(d.store.attempts.get(cohort.index, duty.place), null);
});

test('a bundle that a rule refuses has an attempt without plan', async (t) => {
  const refused = [{ path: 'manifest.toml', data: Buffer.from('nothing that a bundle may be') }];
  const other = await tryBundle(world, bundle('other'), FAST);
  const { cohort: there, duty: place } = measuring({ ...other, files: refused });
  const d = await disk(t);
  const deps = dependencies(d, { fromPeers: async () => packOf(refused) });
  const attempt = await ensureAttempt(place, there, ledger, EARLY, deps, never);
  assert.equal(planOf(attempt), null);
  assert.deepEqual(deps.told, ['fetched', 'bundle_refused']);
});

test('the last call leaves at least half of a short window for fetching', () => {
  const short = { ...cohort, show_deadline: cohort.assignment_block + 6 };
  assert.equal(isLastCall(short, cohort.assignment_block + 2), false);
  assert.equal(isLastCall(short, cohort.assignment_block + 3), true);
  assert.equal(isLastCall(cohort, cohort.show_deadline - 13), false);
  assert.equal(isLastCall(cohort, cohort.show_deadline - 12), true);
});
