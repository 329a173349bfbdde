import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicallyEqual } from '../../../evaluator/identity/index.ts';
import { FRAME_MAX_BYTES } from '../../../p2p/limits.ts';
import { decodeFrame, encodeFrame } from '../../../p2p/wire/wire-stream.ts';

const body = (frame: Uint8Array): Uint8Array => frame.subarray(4);

test('a frame is its length as u32 big-endian and canonical JSON', () => {
  assert.equal(Buffer.from(encodeFrame({ b: 1, a: 'x' })).toString('latin1'), '\0\0\0\x0f{"a":"x","b":1}');
});

test('any object of strings and integers comes back as it was', () => {
  const value = fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean()));
  fc.assert(
    fc.property(value, (object) => {
      const plain = { ...object };
      assert.ok(canonicallyEqual(decodeFrame(body(encodeFrame(plain))), plain));
    }),
  );
});

test('the bound is exact, and nothing is sent beyond it', () => {
  const empty = encodeFrame('').length - 4;
  assert.equal(body(encodeFrame('x'.repeat(FRAME_MAX_BYTES - empty))).length, FRAME_MAX_BYTES);
  assert.throws(() => encodeFrame('x'.repeat(FRAME_MAX_BYTES - empty + 1)), { code: 'FRAME_TOO_LARGE' });
});

test('JSON that is not canonical is refused, not repaired', () => {
  for (const text of [
    '{"b":1,"a":2}',
    '{"a": 1}',
    '{"a":1}\n',
    '{"a":1,"a":1}',
    '"\\u0041"',
    '1.0',
    '',
    '{',
    '\ufeff{}',
  ]) {
    assert.throws(() => decodeFrame(Buffer.from(text)), { code: 'FRAME_MALFORMED' }, text);
  }
});

test('random bytes are refused with that error or are canonical JSON', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      try {
        decodeFrame(bytes);
      } catch (error) {
        assert.equal((error as { code: string }).code, 'FRAME_MALFORMED');
      }
    }),
  );
});
