import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  checkedLength,
  decodeFrame,
  encodeFrame,
  FRAME_HEADER_BYTES,
  FRAME_MAX_BYTES,
  FRAME_MAX_JSON_BYTES,
  type Frame,
  FrameError,
  FrameReader,
} from '../../../native/wire/frame.ts';

const FRAME = fc.record({
  kind: fc.nat(255),
  sequence: fc.nat(0xffffffff),
  json: fc.json(),
  body: fc.uint8Array({ maxLength: 300 }),
});

function bytesOf(frame: Frame): Uint8Array {
  return encodeFrame(frame.kind, frame.sequence, frame.json, [frame.body.subarray(0, 5), frame.body.subarray(5)]);
}

test('frames come out of any cutting of their bytes as they went in', () => {
  fc.assert(
    fc.property(fc.array(FRAME, { maxLength: 5 }), fc.integer({ min: 1, max: 40 }), (frames, step) => {
      const stream = Buffer.concat(frames.map(bytesOf));
      const reader = new FrameReader();
      const seen: Frame[] = [];
      for (let at = 0; at < stream.length; at += step) {
        reader.push(stream.subarray(at, at + step), (frame) => seen.push(frame));
      }
      assert.deepEqual(
        seen.map((frame) => ({ ...frame, body: [...frame.body] })),
        frames.map((frame) => ({ ...frame, body: [...frame.body] })),
      );
    }),
  );
});

test('a length field out of bounds is refused before anything is stored', () => {
  for (const length of [0, FRAME_HEADER_BYTES - 1, FRAME_MAX_BYTES + 1, 0xffffffff]) {
    assert.throws(() => checkedLength(length), FrameError);
    const prefix = Buffer.alloc(4);
    prefix.writeUInt32BE(length);
    assert.throws(() => new FrameReader().push(prefix, () => {}), FrameError);
  }
});

test('another version, reserved bytes and a JSON length beyond the frame are refused', () => {
  const good = encodeFrame(1, 2, '{}').subarray(4);
  assert.equal(decodeFrame(good).json, '{}');
  for (const [at, value] of [
    [0, 2],
    [2, 1],
    [3, 1],
    [11, 3],
    [8, 1],
  ] as const) {
    const bad = Uint8Array.from(good);
    bad[at] = value;
    assert.throws(() => decodeFrame(bad), FrameError, `byte ${at}`);
  }
  assert.throws(() => decodeFrame(good.subarray(0, FRAME_HEADER_BYTES - 1)), FrameError);
});

test('frames over the limits are not written', () => {
  assert.throws(() => encodeFrame(1, 1, '', [new Uint8Array(FRAME_MAX_BYTES)]), FrameError);
  assert.throws(() => encodeFrame(1, 1, ' '.repeat(FRAME_MAX_JSON_BYTES + 1)), FrameError);
});
