import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactAddLength, u8aConcat } from '@polkadot/util';
import fc from 'fast-check';
import { payloadText } from '../../../chain/proposals/index.ts';

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const payload = (length: number) => `{${'x'.repeat(length - 1)}`;

test('text with and without its compact length is the same text', () => {
  for (const length of [1, 2, 63, 64, 65, 1024, 16_383, 16_384]) {
    const text = payload(length);
    assert.equal(payloadText(utf8(text)), text, `bare ${length}`);
    assert.equal(payloadText(compactAddLength(utf8(text))), text, `prefixed ${length}`);
  }
});

test('only one prefix, only an exact one, only the shortest form of it', () => {
  const twice = compactAddLength(compactAddLength(utf8('{}')));
  assert.equal(payloadText(twice), '\x08{}');
  assert.equal(payloadText(u8aConcat([3 << 2], utf8('{}'))), '\x0c{}');
  assert.equal(payloadText(u8aConcat([1 << 2], utf8('{}'))), '\x04{}');
  assert.equal(payloadText(u8aConcat([(2 << 2) | 1, 0], utf8('{}'))), '\x09\0{}');
  assert.equal(payloadText(new Uint8Array()), '');
  assert.equal(payloadText(Uint8Array.of(0)), '');
});

test('what is not UTF-8 is ignored, a byte order mark is kept', () => {
  assert.equal(payloadText(Uint8Array.of(0x7b, 0xff)), null);
  assert.equal(payloadText(compactAddLength(Uint8Array.of(0x7b, 0xc0))), null);
  assert.equal(payloadText(utf8('\ufeff{}')), '\ufeff{}');
});

test('any text that starts as a payload does survives both ways', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (rest) => {
      const text = `{"v":1${rest}`;
      assert.equal(payloadText(utf8(text)), text);
      assert.equal(payloadText(compactAddLength(utf8(text))), text);
    }),
  );
});
