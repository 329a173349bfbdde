import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  caseInputs,
  firstWrongToken,
  floatBytes,
  parseAuditPolicy,
  planAudit,
  readFloats,
  SLOT_IDS,
} from '../../../evaluator/audit/index.ts';
import { sha256Hex } from '../../../evaluator/identity/index.ts';
import { defaultAuditPolicy } from '../../../evaluator/launch/index.ts';

const policy = defaultAuditPolicy(
  { dim: 64, heads: 4, hidden: 176, vocab: 256, context: 320, prefillRows: 64 },
  '0.0000152587890625',
);
const seed = sha256Hex('seed');

test('an audit has the shapes the engine uses and odd ones, for every proposed slot', () => {
  const plan = planAudit(seed, policy, SLOT_IDS);
  assert.equal(plan.cases.length, 4 * policy.calls_per_slot);
  plan.cases.forEach((row, i) => {
    assert.equal(row.index, i);
  });
  for (const slot of SLOT_IDS) {
    const cases = plan.cases.filter((row) => row.slot === slot);
    assert.deepEqual(
      cases.slice(0, policy.shapes[slot].length).map((row) => row.args),
      policy.shapes[slot],
    );
    const odd = cases.slice(policy.shapes[slot].length);
    assert.ok(odd.some((row) => row.args.some((count) => count % 4 !== 0)));
    assert.ok(cases.some((row) => row.sampled));
    assert.equal(cases.filter((row) => row.repeated).length, policy.repeated_calls);
  }
  const repeated = plan.cases.filter((row) => row.repeated).map((row) => row.index);
  assert.deepEqual(
    [...plan.repeats].sort((a, b) => a - b),
    repeated,
  );
  assert.notDeepEqual(plan.repeats, repeated, 'another order');
});

test('cases and inputs are functions of the seed, exact in f32, bounded, and differ between seeds', () => {
  const plan = planAudit(seed, policy, ['linear.matmul']);
  assert.deepEqual(planAudit(seed, policy, ['linear.matmul']), plan);
  const other = planAudit(sha256Hex('other'), policy, ['linear.matmul']);
  assert.notDeepEqual(other, plan);
  for (const row of plan.cases) {
    const inputs = caseInputs(seed, row);
    assert.deepEqual(caseInputs(seed, row), inputs);
    for (const input of inputs) assert.ok(input.every((value) => Number.isFinite(value) && Math.abs(value) <= 16));
  }
  const [first] = plan.cases;
  assert.ok(first !== undefined);
  assert.notDeepEqual(caseInputs(seed, first), caseInputs(sha256Hex('other'), first));
});

test('inputs have no mean and use their whole range', () => {
  const plan = planAudit(seed, policy, ['linear.matmul']);
  const row = plan.cases.reduce((a, b) =>
    (b.args[1] ?? 0) * (b.args[2] ?? 0) > (a.args[1] ?? 0) * (a.args[2] ?? 0) ? b : a,
  );
  const weights = caseInputs(seed, row)[1] as Float32Array;
  const most = weights.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  const mean = weights.reduce((a, b) => a + b, 0) / weights.length;
  assert.ok(weights.length > 10_000);
  assert.ok(Math.abs(mean) < 0.02 * most);
  assert.equal(new Set(weights).size > weights.length * 0.99, true);
});

test('the policy is closed and bounded', () => {
  assert.deepEqual(parseAuditPolicy(JSON.parse(JSON.stringify(policy))), policy);
  for (const change of [
    { atol: '1e-4' },
    { rtol: '0.10' },
    { calls_per_slot: 0 },
    { repeated_calls: 25 },
    { sample_rate_ppm: 0 },
    { extra: 1 },
    { shapes: { ...policy.shapes, 'linear.matmul': [[1, 2]] } },
    { shapes: { ...policy.shapes, 'linear.matmul': [[1000, 1000, 1000]] } },
    { shapes: { ...policy.shapes, 'linear.matmul': [[0, 1, 1]] } },
  ]) {
    assert.throws(() => parseAuditPolicy({ ...policy, ...change }), /audit_policy/);
  }
});

test('outputs are little-endian f32, read back bit for bit', () => {
  fc.assert(
    fc.property(fc.float32Array({ noNaN: true, maxLength: 20 }), (values) => {
      assert.deepEqual(readFloats(floatBytes(values), values.length), values);
      assert.equal(readFloats(floatBytes(values), values.length + 1), null);
    }),
  );
  assert.deepEqual([...floatBytes(Float32Array.of(1))], [0, 0, 0x80, 0x3f]);
});

test('a token is the best of the reference or within the margin of it', () => {
  const fact = (best: number, bestLogit: number, tokenLogit: number) => ({ best, bestLogit, tokenLogit });
  assert.equal(firstWrongToken([5, 6], [fact(5, 2, 2), fact(7, 2, 1.75)], 0.25), -1);
  assert.equal(firstWrongToken([5, 6], [fact(5, 2, 2), fact(7, 2, 1.7421875)], 0.25), 1);
  for (const facts of [
    [fact(5, 2, 1)],
    [fact(6, 1, 2)],
    [fact(6, Number.NaN, 1)],
    [fact(6, Number.POSITIVE_INFINITY, 1)],
    [],
  ]) {
    assert.throws(() => firstWrongToken([5], facts, 0.25), { code: 'AUDIT_FACTS_INVALID' });
  }
});
