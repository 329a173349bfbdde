import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Anchor, decodeAnchor, decodeAnchorHex, encodeAnchor, PeerError } from '../../../evaluator/peer/index.ts';

const PLAIN = { noNullPrototype: true } as const;
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((b) => Buffer.from(b).toString('hex'));
const index = fc.nat(0xffff_ffff);
const u64 = fc.bigInt(0n, 2n ** 64n - 1n);
const anchor: fc.Arbitrary<Anchor> = fc.oneof(
  fc.record({ kind: fc.constant('ready' as const), arena_digest: digest, capacity: fc.nat(16) }, PLAIN),
  fc.record(
    {
      kind: fc.constantFrom('attempt' as const, 'receipt' as const),
      cohort_index: index,
      place: fc.nat(255),
      digest,
    },
    PLAIN,
  ),
  fc.record({ kind: fc.constant('ballot' as const), cohort_index: index, bitmap: u64, previous: digest }, PLAIN),
  fc.record({ kind: fc.constant('policy' as const), consensus_digest: digest, activation_height: u64 }, PLAIN),
);

test('every anchor survives its encoding, in the bytes that the table gives', () => {
  const sizes = { ready: 35, attempt: 39, receipt: 39, ballot: 46, policy: 42 };
  fc.assert(
    fc.property(anchor, (value) => {
      const bytes = encodeAnchor(value);
      assert.equal(bytes.length, sizes[value.kind]);
      assert.deepEqual(decodeAnchor(bytes), value);
      assert.deepEqual(decodeAnchorHex(Buffer.from(bytes).toString('hex')), value);
    }),
  );
});

test('the layout is big-endian, byte for byte', () => {
  const ballot = encodeAnchor({ kind: 'ballot', cohort_index: 1, bitmap: 2n, previous: 'ab'.repeat(32) });
  assert.equal(Buffer.from(ballot).toString('hex'), `0104${'00000001'}${'0000000000000002'}${'ab'.repeat(32)}`);
  const receipt = encodeAnchor({ kind: 'receipt', cohort_index: 258, place: 7, digest: 'cd'.repeat(32) });
  assert.equal(Buffer.from(receipt).toString('hex'), `0103${'00000102'}07${'cd'.repeat(32)}`);
  const policy = encodeAnchor({ kind: 'policy', consensus_digest: 'ef'.repeat(32), activation_height: 3n });
  assert.equal(Buffer.from(policy).toString('hex'), `0105${'ef'.repeat(32)}0000000000000003`);
});

test('whatever else is ignored: no exception, and nothing that encodes to other bytes', () => {
  const mutated = fc.tuple(anchor, fc.nat(50), fc.nat(255)).map(([value, at, byte]) => {
    const bytes = encodeAnchor(value);
    bytes[at % bytes.length] = byte;
    return bytes;
  });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 140 }), mutated), (bytes) => {
      const value = decodeAnchor(bytes);
      if (value !== null) assert.deepEqual(encodeAnchor(value), bytes);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => decodeAnchorHex(text) === null));
});

test('a capacity above 16, another version, a byte more or less are no anchors', () => {
  const bytes = encodeAnchor({ kind: 'ready', arena_digest: '11'.repeat(32), capacity: 16 });
  assert.notEqual(decodeAnchor(bytes), null);
  const over = Uint8Array.from(bytes);
  over[34] = 17;
  assert.equal(decodeAnchor(over), null);
  assert.equal(decodeAnchor(bytes.subarray(0, 34)), null);
  assert.equal(decodeAnchor(Buffer.concat([bytes, Buffer.alloc(1)])), null);
  assert.equal(decodeAnchor(Uint8Array.from([2, ...bytes.subarray(1)])), null);
});

test('encoding refuses values that do not fit', () => {
  const refused: Anchor[] = [
    { kind: 'ready', arena_digest: '11'.repeat(32), capacity: 17 },
    { kind: 'ready', arena_digest: 'XY'.repeat(32), capacity: 1 },
    { kind: 'attempt', cohort_index: 2 ** 32, place: 0, digest: '11'.repeat(32) },
    { kind: 'receipt', cohort_index: 0, place: 256, digest: '11'.repeat(32) },
    { kind: 'ballot', cohort_index: 0, bitmap: 2n ** 64n, previous: '11'.repeat(32) },
    { kind: 'policy', consensus_digest: '11'.repeat(32), activation_height: -1n },
  ];
  for (const value of refused) assert.throws(() => encodeAnchor(value), PeerError, JSON.stringify(value.kind));
});
