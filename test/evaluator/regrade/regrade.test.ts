import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CacheonError } from '../../../config/errors.ts';
import { sha256Hex } from '../../../evaluator/identity/index.ts';
import { confirmTrajectory, wantedBlobs } from '../../../evaluator/regrade/index.ts';
import { FAST } from '../../native/qualify/support/fake.ts';
import { publish, regradeTrial, summary, tryBundle } from '../../native/qualify/support/result.ts';
import { bundle, makeWorld } from '../../native/qualify/support/world.ts';

const world = makeWorld();
const trial = await tryBundle(world, bundle(), FAST);
const published = publish(trial);

class Refused extends CacheonError<'NO'> {
  constructor(fault: 'candidate' | 'infrastructure') {
    super('NO', { fault, what: 'no', remedy: 'none' });
  }
}

test('missing bytes are asked for by digest and never become a verdict', () => {
  const held = new Map<string, Uint8Array>();
  const blob = (digest: string) => held.get(digest) ?? null;
  const root = sha256Hex([...published.blobs.values()].find((bytes) => bytes[0] === 0x5b) as Uint8Array);
  assert.deepEqual(wantedBlobs(published.statement, blob), [root]);
  assert.deepEqual(regradeTrial(trial, { ...published, blobs: held }), {
    status: 'missing',
    blobs: [root],
    bundle: false,
  });

  held.set(root, published.blobs.get(root) as Uint8Array);
  const wanted = wantedBlobs(published.statement, blob);
  assert.equal(wanted.length, new Set(trial.qualified.files.map((file) => sha256Hex(file.bytes))).size);
  for (const digest of wanted) {
    assert.equal(regradeTrial(trial, { ...published, blobs: held }).status, 'missing');
    held.set(digest, published.blobs.get(digest) as Uint8Array);
  }
  assert.deepEqual(wantedBlobs(published.statement, blob), []);
  assert.equal(summary(regradeTrial(trial, published, { bundle: null })), 'missing 0 true');
  assert.equal(summary(regradeTrial(trial, { ...published, blobs: held })), 'PASS null 2');
});

test('bytes of another digest count as missing', () => {
  const [digest] = [...published.blobs.keys()];
  const blobs = new Map(published.blobs).set(digest as string, Buffer.from('forged'));
  assert.equal(regradeTrial(trial, { ...published, blobs }).status, 'missing');
});

test('a malformed statement wants nothing and is INVALID', () => {
  const statement = Buffer.from('{}');
  assert.deepEqual(
    wantedBlobs(statement, () => null),
    [],
  );
  assert.equal(summary(regradeTrial(trial, { ...published, statement })), 'INVALID STATEMENT');
});

test('a result about another place, cohort, reservation, attempt or consensus is INVALID', () => {
  const other = sha256Hex('other');
  for (const claim of [
    { place: 1 },
    { cohort_index: 4 },
    { reservation_id: other },
    { attempt_digest: other },
    { consensus_digest: other },
  ]) {
    assert.equal(summary(regradeTrial(trial, publish(trial, trial.qualified.files, claim))), 'INVALID PREDICATE');
  }
});

test('another block hash, hotkey or anchored attempt makes the result INVALID', () => {
  const context = { ...trial.context, blockHash: `0x${'a'.repeat(64)}` };
  assert.equal(summary(regradeTrial(trial, published, { context })), 'INVALID DERIVED');
  const hotkey = { ...trial.context, hotkey: '5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y' };
  assert.equal(summary(regradeTrial(trial, published, { context: hotkey })), 'INVALID ATTEMPT');
});

test('the selected delta of the statement must be that of the plan', () => {
  const claim = { selected_delta_digest: sha256Hex('delta') };
  assert.equal(summary(regradeTrial(trial, publish(trial, trial.qualified.files, claim))), 'INVALID VERDICT');
});

test('only a refusal that is the candidate’s fault judges; any other error of planning is a wait', () => {
  const refuse = (fault: 'candidate' | 'infrastructure') => () => {
    throw new Refused(fault);
  };
  assert.equal(summary(regradeTrial(trial, published, { plan: refuse('candidate') })), 'INVALID BUNDLE');
  assert.throws(() => regradeTrial(trial, published, { plan: refuse('infrastructure') }), { code: 'NO' });
  const otherStack = () => ({ ...world.plan(trial.files), incumbentStackDigest: sha256Hex('x') });
  assert.throws(() => regradeTrial(trial, published, { plan: otherStack }), { code: 'CONTEXT' });
});

test('a bundle that no rule refuses cannot be reported as refused', async () => {
  const lie = await tryBundle(world, bundle(), FAST, { state: { state: 'refused', detail: 'so they say' } });
  assert.equal(summary(regradeTrial(lie)), 'INVALID BUNDLE');
});

test('an author cannot make others wait for a bundle that the anchored attempt does not plan', async () => {
  const gone = await tryBundle(world, bundle(), FAST, { state: { state: 'unavailable', detail: 'gone' } });
  const files = gone.qualified.files.map((file) =>
    file.name === 'attempt.json' ? (trial.qualified.files.find((row) => row.name === 'attempt.json') ?? file) : file,
  );
  assert.equal(summary(regradeTrial(gone, publish(gone, files), { bundle: null })), 'INVALID ATTEMPT');
});

test('grading the trajectory again confirms it, or makes it INVALID', async () => {
  const outcome = regradeTrial(trial, published);
  assert.ok(outcome.status === 'graded' && outcome.trajectory !== null);
  const { grades } = outcome.trajectory;
  const margin = world.rules.evaluation.logit_margin;
  const { signal } = new AbortController();
  assert.equal(await confirmTrajectory(outcome, margin, async () => grades, signal), outcome);
  const other = grades.map((facts) =>
    facts.map((fact) => ({ best: (fact.best + 1) % 256, bestLogit: fact.bestLogit + 1, tokenLogit: fact.bestLogit })),
  );
  assert.equal(summary(await confirmTrajectory(outcome, margin, async () => other, signal)), 'INVALID REFERENCE');
  const broken = async () => Promise.reject(new Error('no lane'));
  await assert.rejects(confirmTrajectory(outcome, margin, broken, signal), /no lane/);
});

test('a PASS after the deadline and a deadline before its time are INVALID', () => {
  const strict = { ...world.rules, consensus: { ...world.rules.consensus, attempt_seconds: 0 } };
  const late = regradeTrial(trial, published, { context: { ...trial.context, rules: strict } });
  assert.equal(summary(late), 'INVALID LOG');
  const claim = { result: 'FAIL', reason: 'deadline', speedup: null };
  assert.equal(summary(regradeTrial(trial, publish(trial, trial.qualified.files, claim))), 'INVALID LOG');
});
