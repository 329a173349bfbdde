import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TypeRegistry } from '@polkadot/types';
import fc from 'fast-check';
import { DevChainError } from '../../../../chain/dev/errors.ts';
import { commitmentData } from '../../../../chain/dev/runtime/commitments/data.ts';
import { era } from '../../../../chain/dev/runtime/extrinsic/era.ts';
import {
  bytes,
  decodeAll,
  encoded,
  option,
  ScaleReader,
  ScaleWriter,
  tuple,
  u8,
  u128,
  vec,
} from '../../../../chain/dev/scale/index.ts';

const registry = new TypeRegistry();
const malformed = (error: unknown): boolean => error instanceof DevChainError && error.code === 'SCALE_MALFORMED';

test('compact integers are encoded as the client library does it, and read back', () => {
  const value = fc.oneof(fc.bigInt(0n, 1n << 15n), fc.bigInt(0n, 1n << 31n), fc.bigInt(0n, (1n << 128n) - 1n));
  fc.assert(
    fc.property(value, (number) => {
      const out = new ScaleWriter();
      out.compact(number);
      assert.deepEqual(Buffer.from(out.finish()), Buffer.from(registry.createType('Compact<u128>', number).toU8a()));
      assert.equal(new ScaleReader(out.finish()).compact(), number);
    }),
  );
});

test('compact integers that are not in their shortest form are refused', () => {
  for (const hex of ['0100', '02000000', '0300000000', '07ffffffff00', '13ff']) {
    assert.throws(() => new ScaleReader(Buffer.from(hex, 'hex')).compact(), malformed, hex);
  }
});

test('values of every collection come back as they went in, and cut ones are refused', () => {
  const codec = vec(tuple(option(u128), bytes, u8));
  const item = fc.tuple(fc.option(fc.bigInt(0n, (1n << 128n) - 1n)), fc.uint8Array(), fc.nat(255));
  fc.assert(
    fc.property(fc.array(item, { minLength: 1 }), (values) => {
      const whole = encoded(codec, values);
      assert.deepEqual(decodeAll(codec, whole), values);
      assert.throws(() => decodeAll(codec, whole.subarray(0, -1)), malformed);
      assert.throws(() => decodeAll(codec, Buffer.concat([whole, Uint8Array.of(0)])), malformed);
    }),
  );
});

test('a vector that claims more items than it has bytes is refused before anything is built', () => {
  assert.throws(() => decodeAll(bytes, Buffer.from('feffffff00', 'hex')), malformed);
});

test('eras are encoded as the client library does it', () => {
  const inputs = fc.record({ current: fc.nat(1_000_000), exponent: fc.integer({ min: 2, max: 16 }) });
  fc.assert(
    fc.property(inputs, ({ current, exponent }) => {
      const theirs = registry.createType('ExtrinsicEra', { current, period: 2 ** exponent }).toU8a();
      const ours = decodeAll(era, theirs);
      assert.ok(ours !== null);
      assert.equal(ours.period, 2 ** exponent);
      assert.deepEqual(Buffer.from(encoded(era, ours)), Buffer.from(theirs));
    }),
  );
});

test('commitment data: every kind comes back, and nothing decodes beyond its bounds', () => {
  const plain = { noNullPrototype: true };
  const sized = (max: number) => fc.uint8Array({ maxLength: max });
  const data = fc.oneof(
    fc.record({ kind: fc.constant('None' as const) }, plain),
    fc.record({ kind: fc.constant('Raw' as const), bytes: sized(128) }, plain),
    fc.record({ kind: fc.constant('BigRaw' as const), bytes: sized(512) }, plain),
    fc.record(
      {
        kind: fc.constant('TimelockEncrypted' as const),
        encrypted: sized(1024),
        revealRound: fc.bigInt(0n, (1n << 64n) - 1n),
      },
      plain,
    ),
  );
  fc.assert(
    fc.property(data, (value) => {
      assert.deepEqual(decodeAll(commitmentData, encoded(commitmentData, value)), value);
    }),
  );
  assert.throws(
    () => decodeAll(commitmentData, Buffer.concat([Uint8Array.of(136, 5, 8), new Uint8Array(513)])),
    malformed,
  );
  assert.throws(() => decodeAll(commitmentData, Uint8Array.of(137)), malformed);
});
