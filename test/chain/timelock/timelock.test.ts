import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  COMMITMENT_CIPHERTEXT_MAX_BYTES,
  COMMITMENT_PLAINTEXT_MAX_BYTES,
  parseCiphertext,
  pulsePublicKey,
  QUICKNET,
  roundAt,
  signPulse,
  TimelockError,
  timelockDecrypt,
  timelockEncrypt,
  timeOfRound,
  verifyPulse,
} from '../../../chain/timelock/index.ts';

const SECRET = Buffer.alloc(32, 0x11);
const PUBLIC_KEY = pulsePublicKey(SECRET);
const ROUND = 42;
const PULSE = signPulse(ROUND, SECRET);

/** Repeatable bytes: the n-th draw is a prefix of sha256(n). */
function counted() {
  let draw = 0;
  return (length: number) => createHash('sha256').update(String(draw++)).digest().subarray(0, length);
}

const seal = (plaintext: Uint8Array) =>
  timelockEncrypt({ plaintext, round: ROUND, publicKey: PUBLIC_KEY }, { randomBytes: counted() });

const code = (expected: string, field?: string) => (error: unknown) =>
  error instanceof TimelockError && error.code === expected && (field === undefined || error.field === field);

test('own vector: key, pulse and ciphertext of a fixed secret', () => {
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  assert.equal(digest(PUBLIC_KEY), '5516fc473bc8755bd7993f49af6e743add3cda554f16802fef355a322218a8d8');
  assert.equal(digest(PULSE), '5d5212e329bf079869706d03abb8be1f6c55aef02197cdc8aba31d926d37158c');
  assert.equal(
    digest(seal(Buffer.from('{"v":1}'))),
    '0fedb65b695460a36a0b91ca79a1cb2b9ed35db6ed25b9579e8b68c0ef57dd04',
  );
});

test('what is sealed opens with the pulse of its round and with no other', () => {
  for (const length of [0, 1, 7, COMMITMENT_PLAINTEXT_MAX_BYTES]) {
    const plaintext = Buffer.alloc(length, 0x61);
    const ciphertext = seal(plaintext);
    assert.equal(ciphertext.length, length + 244);
    assert.deepEqual(Buffer.from(timelockDecrypt(ciphertext, PULSE)), plaintext);
  }
  assert.equal(seal(Buffer.alloc(COMMITMENT_PLAINTEXT_MAX_BYTES)).length, COMMITMENT_CIPHERTEXT_MAX_BYTES);
  assert.throws(
    () => timelockDecrypt(seal(Buffer.from('x')), signPulse(ROUND + 1, SECRET)),
    code('CIPHERTEXT_REJECTED'),
  );
});

test('no byte before the cipher suite can change unnoticed', () => {
  const ciphertext = seal(Buffer.from('body'));
  for (let index = 0; index < ciphertext.length - 8; index += 13) {
    const changed = Uint8Array.from(ciphertext);
    changed[index] = (changed[index] as number) ^ 0x01;
    assert.throws(() => timelockDecrypt(changed, PULSE), TimelockError, `byte ${index}`);
  }
});

test('sizes are bounded before anything is parsed', () => {
  assert.throws(() => parseCiphertext(new Uint8Array(243)), code('CIPHERTEXT_SIZE'));
  assert.throws(() => parseCiphertext(new Uint8Array(5001)), code('CIPHERTEXT_SIZE'));
  assert.throws(() => seal(new Uint8Array(4757)), code('PLAINTEXT_SIZE'));
  assert.equal(seal(new Uint8Array(4756)).length, 5000);
});

test('lengths inside a ciphertext are checked, trailing bytes are counted', () => {
  const good = seal(Buffer.from('payload'));
  assert.equal(parseCiphertext(good).trailingBytes, 0);
  assert.equal(parseCiphertext(Buffer.concat([good, Buffer.alloc(3)])).trailingBytes, 3);
  const changes: readonly [offset: number, value: number, field: string][] = [
    [96, 31, 'v'],
    [136, 33, 'w'],
    [176, 0xff, 'body'],
    [183, 0xff, 'body'],
    [184, 0xff, 'sealed'],
  ];
  for (const [offset, value, field] of changes) {
    const changed = Uint8Array.from(good);
    changed[offset] = value;
    assert.throws(() => parseCiphertext(changed), code('CIPHERTEXT_MALFORMED', field), field);
  }
});

test('arbitrary bytes never give anything but a typed error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 600 }), (bytes) => {
      assert.throws(() => timelockDecrypt(bytes, PULSE), TimelockError);
    }),
    { numRuns: 200 },
  );
});

test('pulses: a wrong round, key, length, zero point or point outside the subgroup is not one', () => {
  assert.equal(verifyPulse(ROUND, PULSE, PUBLIC_KEY), true);
  assert.equal(verifyPulse(BigInt(ROUND), PULSE, PUBLIC_KEY), true);
  assert.equal(verifyPulse(ROUND + 1, PULSE, PUBLIC_KEY), false);
  assert.equal(verifyPulse(ROUND, PULSE, Buffer.from(QUICKNET.publicKey, 'hex')), false);
  assert.equal(verifyPulse(ROUND, PULSE.subarray(1), PUBLIC_KEY), false);
  const zero = Buffer.alloc(48);
  zero[0] = 0xc0;
  assert.equal(verifyPulse(ROUND, zero, PUBLIC_KEY), false);
  // x = 4 is on the curve, outside the prime-order subgroup.
  const small = Buffer.alloc(48);
  small[0] = 0x80;
  small[47] = 4;
  assert.equal(verifyPulse(ROUND, small, PUBLIC_KEY), false);
  assert.throws(() => verifyPulse(ROUND, PULSE, Buffer.alloc(96)), code('POINT_INVALID', 'publicKey'));
});

test('secrets and rounds out of range are refused', () => {
  for (const secret of [Buffer.alloc(32), Buffer.alloc(32, 0xff), Buffer.alloc(31, 1)]) {
    assert.throws(() => pulsePublicKey(secret), code('SECRET_KEY_RANGE'));
  }
  for (const round of [-1, 1.5, 2 ** 53, -1n, 2n ** 64n]) {
    assert.throws(() => signPulse(round, SECRET), code('ROUND_RANGE'));
  }
  assert.equal(signPulse(2n ** 64n - 1n, SECRET).length, 48);
});

test('rounds and times', () => {
  const schedule = { genesisTime: 100, periodSeconds: 3 };
  assert.equal(roundAt(100, schedule), 1);
  assert.equal(roundAt(102.9, schedule), 1);
  assert.equal(roundAt(103, schedule), 2);
  assert.equal(timeOfRound(2, schedule), 103);
  assert.throws(() => roundAt(99, schedule), code('TIME_RANGE'));
  assert.throws(() => roundAt(100, { genesisTime: 100, periodSeconds: 0 }), code('TIME_RANGE'));
  assert.throws(() => timeOfRound(0, schedule), code('ROUND_RANGE'));
});
