import assert from 'node:assert/strict';
import { test } from 'node:test';
import { floatBytes } from '../../../evaluator/audit/index.ts';
import type { EvidenceFile } from '../../../evaluator/evidence/index.ts';
import { canonicalBytes, type JsonValue, sha256Hex } from '../../../evaluator/identity/index.ts';
import { type Attempt, attemptDigest } from '../../../evaluator/launch/index.ts';
import type { RegradeOutcome } from '../../../evaluator/regrade/index.ts';
import type { Prebuild } from '../../../native/lane/types.ts';
import { type Behaviour, FAST } from '../../native/qualify/support/fake.ts';
import { jsonOf, publish, regradeTrial, summary, type Trial, tryBundle } from '../../native/qualify/support/result.ts';
import { bundle, makeWorld } from '../../native/qualify/support/world.ts';

const world = makeWorld();
const trial = await tryBundle(world, bundle(), FAST);
const otherSide = await tryBundle(world, bundle(), FAST, { place: 1, secret: Buffer.alloc(32, 9) });

/** The evidence with some files' JSON changed, or their bytes replaced. */
function forged(
  of: Trial,
  changes: Readonly<Record<string, ((json: Record<string, unknown>) => unknown) | Uint8Array>>,
): EvidenceFile[] {
  return of.qualified.files.map((file) => {
    const change = changes[file.name];
    if (change === undefined) return file;
    return {
      ...file,
      bytes: typeof change === 'function' ? canonicalBytes(change(jsonOf([file], file.name))) : change,
    };
  });
}

function lie(of: Trial, files: readonly EvidenceFile[], claims: Parameters<typeof publish>[2] = {}): RegradeOutcome {
  return regradeTrial(of, publish(of, files, claims));
}

/** audit.json with some fields of one case changed. */
const factOf = (index: number, change: object) => (json: Record<string, unknown>) => ({
  ...json,
  cases: (json['cases'] as object[]).map((fact, i) => (i === index ? { ...fact, ...change } : fact)),
});

/** The honest outputs of the audit, by case. */
async function honestOutputs(): Promise<Buffer[]> {
  const outputs: Buffer[] = [];
  const watch: Behaviour = {
    ...FAST,
    audit: (_call, honest, i, lane) => {
      if (lane === 0) outputs[i] = Buffer.from(floatBytes(honest.output));
      return honest;
    },
  };
  await tryBundle(world, bundle(), watch);
  return outputs;
}

/** Block times with every candidate block (the two in the middle of a quad) taking `percent` of its time. */
const candidateTimes = (percent: number) => (json: Record<string, unknown>) => ({
  ...json,
  pairs: (json['pairs'] as number[][][]).map((quads) =>
    quads.map((quad) => quad.map((ns, i) => (i === 1 || i === 2 ? Math.ceil((ns * percent) / 100) : ns))),
  ),
});

test('a speedup other than the one of the block times is INVALID', () => {
  for (const speedup of ['2.5', '1.100000001', '16']) {
    assert.equal(summary(lie(trial, trial.qualified.files, { speedup })), 'INVALID VERDICT');
  }
});

test('other block times give another speedup: the claim of the old one is INVALID', () => {
  assert.equal(summary(lie(trial, forged(trial, { 'blocks.json': candidateTimes(80) }))), 'INVALID VERDICT');
});

test('block times of which no speedup can be computed are INVALID, whatever they are', () => {
  const quad = (values: unknown) => (json: Record<string, unknown>) => {
    const pairs = structuredClone(json['pairs']) as unknown[][];
    (pairs[0] as unknown[])[0] = values;
    return { ...json, pairs };
  };
  const cases = [[0, 1, 1, 1], [-5, 1, 1, 1], [1, 1, 1], [1, 1, 1, 1, 1], ['1', 1, 1, 1], [null, 1, 1, 1], {}, 7];
  for (const values of cases) {
    const outcome = lie(trial, forged(trial, { 'blocks.json': quad(values) }));
    assert.equal(outcome.status, 'invalid', JSON.stringify(values));
  }
});

test('what bytes cannot show is graded as it is said: fabricated times, a build or a lane that is said to have failed', async () => {
  // `peer-protocol.md` section 1 promises no more: two validators of different coldkeys have to say the same.
  const times = forged(trial, { 'blocks.json': candidateTimes(80) });
  assert.equal(summary(lie(trial, times, { speedup: '2.5' })), 'PASS null 2.5');
  const refuse: Prebuild = { build: async () => ({ ok: false, fault: 'candidate', detail: 'so they say' }) };
  const unbuilt = await tryBundle(world, bundle(), FAST, { dependencies: { prebuild: refuse } });
  assert.equal(summary(regradeTrial(unbuilt)), 'FAIL build_failed null');
});

test('the output of another call in the place of a sampled one is INVALID, with its digest in audit.json too', async () => {
  const sampled = trial.qualified.files.find((file) => file.name.startsWith('outputs/')) as EvidenceFile;
  const index = Number(sampled.name.slice('outputs/'.length, -'.bin'.length));
  const outputs = await honestOutputs();
  const at = outputs.findIndex((bytes, i) => i !== index && bytes.length === sampled.bytes.length);
  const other = outputs[at] ?? new Uint8Array(sampled.bytes.length);
  assert.deepEqual(outputs[index], Buffer.from(sampled.bytes));
  assert.equal(summary(lie(trial, forged(trial, { [sampled.name]: other }))), 'INVALID AUDIT');
  const both = forged(trial, { [sampled.name]: other, 'audit.json': factOf(index, { sha256: sha256Hex(other) }) });
  assert.equal(summary(lie(trial, both)), 'INVALID AUDIT');
});

test("another place's statement replayed at this one is INVALID, at the same place of another cohort too", () => {
  const there = publish(otherSide);
  const replayed = regradeTrial(trial, there);
  assert.equal(summary(replayed), 'INVALID PREDICATE');
  const later = { ...trial.context, cohortIndex: trial.context.cohortIndex + 1 };
  assert.equal(summary(regradeTrial(trial, publish(trial), { context: later })), 'INVALID PREDICATE');
});

test("another author's evidence root under our own statement is INVALID", () => {
  const there = publish(otherSide);
  const copied = publish(trial, otherSide.qualified.files);
  const outcome = regradeTrial(trial, { statement: copied.statement, blobs: there.blobs });
  assert.equal(summary(outcome), 'INVALID ATTEMPT');
});

test("another author's evidence with our own attempt put into it is INVALID", () => {
  const own = (name: string) => trial.qualified.files.find((file) => file.name === name)?.bytes as Uint8Array;
  const files = forged(otherSide, {
    'attempt.json': own('attempt.json'),
    'secret.json': own('secret.json'),
    'plan.json': own('plan.json'),
    'selection.json': own('selection.json'),
  });
  assert.equal(regradeTrial(trial, publish(trial, files)).status, 'invalid');
});

test('the plan of another incumbent is INVALID', () => {
  const files = forged(trial, {
    'attempt.json': (json) => ({ ...json, incumbent_stack_digest: sha256Hex('another incumbent') }),
  });
  assert.equal(summary(lie(trial, files)), 'INVALID ATTEMPT');
  const plan = forged(trial, { 'plan.json': (json) => ({ ...json, schema_version: 2 }) });
  assert.equal(summary(lie(trial, plan)), 'INVALID DERIVED');
  const manifests = forged(trial, { 'manifests.json': () => ({}) });
  assert.equal(summary(lie(trial, manifests)), 'INVALID DERIVED');
});

test('an audit mismatch claimed for a good candidate is INVALID, with facts changed to fit it too', async () => {
  const wrong: Behaviour = { ...FAST, audit: (_call, honest, i) => ({ ...honest, clean: i !== 5 }) };
  const refuted = await tryBundle(world, bundle(), wrong);
  assert.equal(refuted.qualified.reason, 'audit_mismatch');
  const claim = { result: 'FAIL', reason: 'audit_mismatch', speedup: null };
  assert.equal(regradeTrial(trial, publish(trial, trial.qualified.files, claim)).status, 'invalid');
  // The evidence of a refuted run, its case then said to be clean: the claim is not shown any more.
  const clean = forged(refuted, { 'audit.json': factOf(5, { clean: true }) });
  assert.equal(summary(lie(refuted, clean)), 'INVALID AUDIT');
});

test('a tolerance mismatch claimed of an output that is within it is INVALID', async () => {
  const off: Behaviour = {
    ...FAST,
    audit: (_call, honest, i) => ({ ...honest, output: i === 3 ? honest.output.map((x) => x + 1) : honest.output }),
  };
  const refuted = await tryBundle(world, bundle(), off);
  assert.equal(summary(regradeTrial(refuted)), 'FAIL audit_mismatch null');
  const bytes = (await honestOutputs())[3] as Uint8Array;
  const within = forged(refuted, {
    'outputs/0003.bin': bytes,
    'audit.json': factOf(3, { sha256: sha256Hex(bytes) }),
  });
  assert.equal(summary(lie(refuted, within)), 'INVALID AUDIT');
});

test('an unclean call that is claimed without the fact is INVALID', () => {
  const files = forged(trial, { 'audit.json': (json) => ({ ...json, mismatch: { index: 0, kind: 'unclean' } }) });
  assert.equal(summary(lie(trial, files)), 'INVALID AUDIT');
});

test('build_failed needs a row of the proposal that was not built, and nothing after it', () => {
  const claim = { result: 'FAIL', reason: 'build_failed', speedup: null } as const;
  const built = trial.qualified.files.filter((file) =>
    ['attempt.json', 'secret.json', 'plan.json', 'manifests.json', 'selection.json', 'build.json', 'log.json'].includes(
      file.name,
    ),
  );
  const log = (file: EvidenceFile): EvidenceFile =>
    file.name === 'log.json'
      ? { ...file, bytes: canonicalBytes({ ...jsonOf([file], 'log.json'), stage: 'build' }) }
      : file;
  // selection.json of a run that ended in the build names no sealed trajectory.
  const outcome = regradeTrial(trial, publish(trial, built.map(log), claim));
  assert.equal(outcome.status, 'invalid');
  const withRest = regradeTrial(trial, publish(trial, trial.qualified.files.map(log), claim));
  assert.equal(withRest.status, 'invalid');
});

test('a deadline claimed too early is INVALID, by one millisecond too', async () => {
  const slow: Behaviour = {
    ...FAST,
    before: (role, request, _lane, clock) => {
      if (role === 'candidate' && request === 'audit') clock.advance(45_000n * 1_000_000n);
    },
  };
  const late = await tryBundle(world, bundle(), slow);
  assert.equal(summary(regradeTrial(late)), 'FAIL deadline null');
  const early = forged(late, { 'log.json': (json) => ({ ...json, elapsed_ms: 44_999 }) });
  assert.equal(summary(lie(late, early)), 'INVALID LOG');
  const complete = { result: 'FAIL', reason: 'deadline', speedup: null };
  const files = forged(trial, { 'log.json': (json) => ({ ...json, elapsed_ms: 45_000, stage: 'timed' }) });
  assert.equal(regradeTrial(trial, publish(trial, files, complete)).status, 'invalid');
});

test('an anchored attempt that is no object at all is INVALID, and never an error of ours', () => {
  for (const value of [null, 7, 'attempt', [], true, {}] as JsonValue[]) {
    const files = forged(trial, { 'attempt.json': canonicalBytes(value) });
    const digest = attemptDigest(value as unknown as Attempt);
    const published = publish(trial, files, { attempt_digest: digest });
    for (const held of [trial.files, null]) {
      const outcome = regradeTrial(trial, published, { attemptDigest: digest, bundle: held });
      assert.equal(summary(outcome), 'INVALID ATTEMPT', JSON.stringify(value));
    }
  }
});

test('evidence files that are deep, odd or empty JSON are INVALID, and never an error of ours', () => {
  const odd: Uint8Array[] = [
    Buffer.from(''),
    Buffer.from('null'),
    Buffer.from('[]'),
    Buffer.from('{"__proto__":{"schema_version":1}}'),
    Buffer.from(`${'['.repeat(2000)}${']'.repeat(2000)}`),
    Buffer.from('{"schema_version":1e0}'),
    Buffer.from(`{"schema_version":${'9'.repeat(5000)}}`),
    Buffer.from([0xff, 0xfe]),
  ];
  for (const { name } of trial.qualified.files.filter((file) => file.name.endsWith('.json'))) {
    for (const bytes of odd) {
      const outcome = lie(trial, forged(trial, { [name]: bytes }));
      assert.equal(outcome.status, 'invalid', `${name} ${bytes.toString().slice(0, 20)}`);
    }
  }
});

test('a calibration that would make an endless schedule is INVALID and costs nothing', () => {
  for (const ns of [1, Number.MAX_SAFE_INTEGER]) {
    const files = forged(trial, {
      'schedule.json': (json) => ({ ...json, calibration: { baseline_ns: [ns, ns, ns], candidate_ns: [ns, ns, ns] } }),
    });
    assert.equal(lie(trial, files).status, 'invalid');
  }
});
