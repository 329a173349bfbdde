import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  gradeResident,
  parseResidentPolicy,
  pythonFormat17,
  type ResidentRead,
  residentPolicyDigest,
} from '../../../evaluator/speed/index.ts';

const fields = {
  version: 8,
  calibration_digest: 'a'.repeat(64),
  calibration_context_digest: 'b'.repeat(64),
  min_margin: 0.005,
  noise_multiplier: 2,
  max_noise: 0.02,
  min_windows: 3,
  max_window_scatter: 0.1,
  max_conditioning_slowdown: 1.5,
  max_stage_seconds: 600,
};
const policy = parseResidentPolicy(fields);
const read = (rate: number, conditioning_seconds = 1): ResidentRead => ({
  windows: [1, 2, 3].map(() => [1000, 1000 / rate] as const),
  conditioning_tokens: 100,
  conditioning_seconds,
});

test("Python's '.17g', exponents included", () => {
  for (const [value, text] of [
    [0, '0'],
    [0.1, '0.10000000000000001'],
    [0.0001, '0.0001'],
    [0.00001, '1.0000000000000001e-05'],
    [1e-7, '9.9999999999999995e-08'],
    [1e16, '10000000000000000'],
    [1e17, '1e+17'],
    [1.5e300, '1.5000000000000001e+300'],
  ] as const) {
    assert.equal(pythonFormat17(value), text);
  }
});

test('the total time has its default in the digest', () => {
  assert.equal(
    residentPolicyDigest(policy),
    residentPolicyDigest(parseResidentPolicy({ ...fields, max_qualification_seconds: 7200 })),
  );
  assert.notEqual(residentPolicyDigest(policy), residentPolicyDigest(parseResidentPolicy({ ...fields, version: 7 })));
});

test('v8 takes three reads, v7 takes the third only where it can change the answer', () => {
  assert.throws(() => gradeResident(policy, { B: read(1000), C: read(1100) }), { code: 'READS_INVALID' });
  const seven = parseResidentPolicy({ ...fields, version: 7 });
  assert.equal(gradeResident(seven, { B: read(1000), C: read(1100) }).decision, 'PASS');
  assert.equal(gradeResident(seven, { B: read(1000), C: read(1100, 1.6) }).decision, 'FAIL');
  assert.throws(() => gradeResident(seven, { B: read(1000), C: read(1030) }), { field: 'B_prime' });
  assert.throws(() => gradeResident(seven, { B: read(1000), C: read(1100), B_prime: read(1000) }), {
    field: 'B_prime',
  });
});

test('conditioning of another length and malformed windows are refused', () => {
  const other = { ...read(1100), conditioning_tokens: 99 };
  assert.throws(() => gradeResident(policy, { B: read(1000), C: other, B_prime: read(1000) }), {
    field: 'C.conditioning_tokens',
  });
  const bad = { ...read(1100), windows: [...read(1100).windows, [1, 0] as const] };
  assert.throws(() => gradeResident(policy, { B: read(1000), C: bad, B_prime: read(1000) }), { field: 'C.windows[3]' });
});
