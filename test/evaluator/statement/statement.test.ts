import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalBytes, sha256Hex } from '../../../evaluator/identity/index.ts';
import {
  ed25519PublicKey,
  PAYLOAD_TYPE,
  type Predicate,
  parseEnvelope,
  parseStatement,
  preAuthEncoding,
  rawPublicKey,
  receiptDigest,
  signEnvelope,
  statementBytes,
  verifyEnvelope,
} from '../../../evaluator/statement/index.ts';

const predicate: Predicate = {
  schema_version: 1,
  consensus_digest: sha256Hex('c'),
  cohort_index: 0,
  place: 5,
  reservation_id: sha256Hex('r'),
  attempt_digest: sha256Hex('a'),
  result: 'PASS',
  reason: null,
  speedup: '1.25',
  selected_delta_digest: sha256Hex('d'),
  binding_digest: sha256Hex('b'),
};
const statement = { evidenceRoot: sha256Hex('root'), predicate };
const bytes = statementBytes(statement);

test('a statement is canonical in-toto v1 and its receipt is the hash of its bytes', () => {
  assert.deepEqual(parseStatement(bytes), statement);
  assert.equal(receiptDigest(bytes), sha256Hex(bytes));
  assert.match(Buffer.from(bytes).toString(), /"_type":"https:\/\/in-toto\.io\/Statement\/v1"/);
  assert.match(Buffer.from(bytes).toString(), /"predicateType":"urn:cacheon:qualification-result:v1"/);
});

function changed(change: Partial<Record<keyof Predicate, unknown>>): Uint8Array {
  return statementBytes({ ...statement, predicate: { ...predicate, ...change } as Predicate });
}

test('only result, reason and speedup that belong together are read', () => {
  const fail = { result: 'FAIL', reason: 'too_slow', speedup: null };
  assert.equal(parseStatement(changed(fail)).predicate.reason, 'too_slow');
  for (const change of [
    { reason: 'too_slow' },
    { speedup: null },
    { speedup: '1' },
    { speedup: '1.50' },
    { speedup: '0.5' },
    { ...fail, speedup: '1.5' },
    { ...fail, reason: null },
    { ...fail, reason: 'inconclusive' },
    { result: 'NO_DECISION', reason: 'crashed', speedup: null },
    { result: 'INVALID', reason: null, speedup: null },
    { place: 64 },
    { cohort_index: 2 ** 32 },
    { selected_delta_digest: '' },
    { binding_digest: null },
    { schema_version: 2 },
    { extra: 1 },
  ]) {
    assert.throws(() => parseStatement(changed(change)), { code: 'STATEMENT_MALFORMED' }, JSON.stringify(change));
  }
});

test('bytes that are not canonical, not closed or too long are refused', () => {
  const value = JSON.parse(Buffer.from(bytes).toString()) as object;
  assert.throws(() => parseStatement(Buffer.from(JSON.stringify(value, null, 1))), { code: 'STATEMENT_MALFORMED' });
  assert.throws(() => parseStatement(canonicalBytes({ ...value, more: 1 })), { code: 'STATEMENT_MALFORMED' });
  assert.throws(() => parseStatement(canonicalBytes({ ...value, _type: 'x' })), { code: 'STATEMENT_MALFORMED' });
  assert.throws(() => parseStatement(canonicalBytes({ ...value, subject: [] })), { code: 'STATEMENT_MALFORMED' });
  assert.throws(() => parseStatement(new Uint8Array(20_000)), { code: 'STATEMENT_TOO_LONG' });
  assert.throws(() => parseStatement(Buffer.from('[')), { code: 'STATEMENT_MALFORMED' });
});

test('PAE is that of DSSE v1', () => {
  const text = Buffer.from(preAuthEncoding('http://example.com/HelloWorld', Buffer.from('hello world'))).toString();
  assert.equal(text, 'DSSEv1 29 http://example.com/HelloWorld 11 hello world');
});

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const raw = Buffer.from(rawPublicKey(publicKey)).toString('hex');

test('an envelope is verified over PAE by the raw key of its node', () => {
  const envelope = signEnvelope(bytes, privateKey, raw);
  assert.deepEqual(
    Buffer.from(verifyEnvelope(envelope, ed25519PublicKey(Buffer.from(raw, 'hex')))),
    Buffer.from(bytes),
  );
  assert.equal(parseEnvelope(envelope).keyId, raw);
  const other = generateKeyPairSync('ed25519').publicKey;
  assert.throws(() => verifyEnvelope(envelope, other), { code: 'ENVELOPE_SIGNATURE' });
});

test('a changed byte of an envelope never verifies as another statement', () => {
  const envelope = signEnvelope(bytes, privateKey, raw);
  fc.assert(
    fc.property(fc.nat({ max: envelope.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const bad = Uint8Array.from(envelope);
      bad[at] = (bad[at] as number) ^ flip;
      try {
        assert.deepEqual(Buffer.from(verifyEnvelope(bad, publicKey)), Buffer.from(bytes));
      } catch (error) {
        assert.match((error as { code: string }).code, /^ENVELOPE_/);
      }
    }),
    { numRuns: 200 },
  );
});

test('an envelope has one signature, its payload type, and one spelling of its payload', () => {
  const value = JSON.parse(Buffer.from(signEnvelope(bytes, privateKey, raw)).toString()) as {
    payload: string;
    signatures: object[];
  };
  for (const change of [
    { signatures: [] },
    { signatures: [...value.signatures, ...value.signatures] },
    { payloadType: 'application/json' },
    { payload: `${value.payload} ` },
    { more: 1 },
  ]) {
    assert.throws(() => parseEnvelope(canonicalBytes({ ...value, ...change })), { code: 'ENVELOPE_MALFORMED' });
  }
  assert.equal(PAYLOAD_TYPE, 'application/vnd.in-toto+json');
});
