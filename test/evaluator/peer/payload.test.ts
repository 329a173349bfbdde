import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalDigest } from '../../../evaluator/identity/index.ts';
import {
  decodePayload,
  encodePayload,
  intakeScope,
  isBundleUrl,
  isHotkeyName,
  PeerError,
  payloadText,
  reservationId,
  stripCompactPrefix,
} from '../../../evaluator/peer/index.ts';

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => Buffer.from(b).toString('hex'));
const url = fc.stringMatching(/^https:\/\/[0-9a-z._-]{1,20}(:80)?(\/[!"$-~]{0,80})?#?$/);
const pointer = { block: fc.bigInt(1n, 2n ** 80n), extrinsic_index: fc.bigInt(0n, 2n ** 80n) };
const payment = fc.option(fc.record(pointer, { noNullPrototype: true }));

test('a payload survives its encoding, and no other spelling of it is read', () => {
  fc.assert(
    fc.property(
      hash,
      url,
      payment,
      fc.nat(),
      fc.string({ minLength: 1, maxLength: 1 }),
      (content_hash, url, p, at, c) => {
        const payload = { content_hash, url, payment: p };
        const text = encodePayload(payload);
        assert.deepEqual(decodePayload(text), payload);
        assert.deepEqual(Object.keys(JSON.parse(text)), p === null ? ['v', 'h', 'u'] : ['v', 'h', 'u', 'p']);
        const i = at % text.length;
        const changed = decodePayload(text.slice(0, i) + c + text.slice(i + 1));
        if (changed !== null) assert.equal(encodePayload(changed), text.slice(0, i) + c + text.slice(i + 1));
      },
    ),
  );
});

test('whatever a decoder is given, it returns null or a payload', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.string({ unit: 'binary' })), (text) => {
      const payload = decodePayload(text);
      if (payload !== null) assert.equal(encodePayload(payload), text);
    }),
  );
});

test('the URL grammar, at its edges', () => {
  const good = [
    'https://a',
    'https://a:',
    'https://a:1',
    'https://a:65535/',
    'https://a:00080',
    'https://a?',
    'https://a#',
  ];
  const more = ['https://[::1]', 'https://[:.]:9/x#', 'https://..', 'https://a/?"\\{}~', 'https://a?x/@:y'];
  for (const text of [...good, ...more]) assert.ok(isBundleUrl(text), text);
  const bad = [
    'https://',
    'http://a',
    'HTTPS://a',
    'https://a:0',
    'https://a:65536',
    'https://a:000080',
    'https://a:8x',
  ];
  const worse = [
    'https://a/#x',
    'https://a##',
    'https://a\n',
    'https://a/ ',
    'https://a/\x7f',
    'https://[g]',
    'https://[]',
  ];
  for (const text of [...bad, ...worse, 'https://u@a', 'https://a\\b', 'https://é', ''])
    assert.ok(!isBundleUrl(text), text);
});

test('encoding refuses what decoding would, naming the field', () => {
  const valid = { content_hash: '0'.repeat(64), url: 'https://a', payment: null };
  assert.ok(decodePayload(encodePayload(valid)));
  const field = (payload: Parameters<typeof encodePayload>[0]) => {
    try {
      encodePayload(payload);
    } catch (error) {
      return error instanceof PeerError ? error.field : 'untyped';
    }
    return null;
  };
  assert.equal(field({ ...valid, content_hash: 'A'.repeat(64) }), 'content_hash');
  assert.equal(field({ ...valid, url: 'https://a b' }), 'url');
  assert.equal(field({ ...valid, url: `https://${'a'.repeat(1000)}` }), 'payload');
  assert.equal(field({ ...valid, payment: { block: 0n, extrinsic_index: 0n } }), 'payment.block');
  assert.equal(field({ ...valid, payment: { block: 1n, extrinsic_index: -1n } }), 'payment.extrinsic_index');
});

test('one exact compact length prefix is taken off, nothing else', () => {
  const prefixed = (length: number, width: number) => {
    const bytes = Buffer.alloc(width + length, 0x41);
    bytes.writeUIntLE(length * 4 + [0, 0, 1, 0, 2][width]!, 0, width);
    return bytes;
  };
  for (const [length, width] of [
    [0, 1],
    [63, 1],
    [64, 2],
    [780, 2],
    [16_384, 4],
  ] as const) {
    assert.equal(stripCompactPrefix(prefixed(length, width)).length, length);
  }
  assert.equal(stripCompactPrefix(prefixed(63, 2)).length, 65, 'not the shortest form');
  assert.equal(stripCompactPrefix(prefixed(780, 2).subarray(0, -1)).length, 781, 'a byte short');
  assert.equal(stripCompactPrefix(Buffer.concat([prefixed(780, 2), Buffer.from('x')])).length, 783, 'a byte more');
  const text = encodePayload({ content_hash: 'a'.repeat(64), url: 'https://a', payment: null });
  assert.equal(payloadText(Buffer.from(text)), text);
  assert.equal(payloadText(Buffer.concat([prefixed(text.length, 2).subarray(0, 2), Buffer.from(text)])), text);
  fc.assert(fc.property(fc.uint8Array(), (bytes) => payloadText(bytes).length <= bytes.length));
});

test('names: reservation, scope, hotkey', () => {
  const arrival = {
    block: 5,
    block_hash: `0x${'1'.repeat(64)}`,
    content_hash: 'a'.repeat(64),
    event_index: 1,
    event_subindex: 0,
    hotkey: '5Hot',
    url: 'https://a',
  };
  const payload_digest = canonicalDigest('cacheon.chain.finalized-payload', {
    content_hash: arrival.content_hash,
    url: arrival.url,
  });
  assert.equal(
    reservationId(arrival),
    canonicalDigest('cacheon.chain.finalized-arrival', { ...arrival, payload_digest }),
  );
  assert.equal(
    intakeScope(arrival.block_hash, 3),
    canonicalDigest('cacheon.chain.intake-scope', { genesis_hash: arrival.block_hash, netuid: 3 }),
  );
  for (const name of ['a', 'a b', 'é'.repeat(256)]) assert.ok(isHotkeyName(name), name);
  for (const name of ['', ' a', 'a\t', 'a\0b', 'a\rb', 'a\nb', 'a'.repeat(257), '\u00a0a'])
    assert.ok(!isHotkeyName(name), name);
});
