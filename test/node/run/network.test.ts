import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { sha256Hex } from '../../../evaluator/identity/index.ts';
import { rawPublicKey, receiptDigest, signEnvelope, statementBytes } from '../../../evaluator/statement/index.ts';
import { judgeAnnouncement } from '../../../node/run/network.ts';

const STATEMENT = statementBytes({
  evidenceRoot: sha256Hex('root'),
  predicate: {
    schema_version: 1,
    consensus_digest: sha256Hex('consensus'),
    cohort_index: 3,
    place: 1,
    reservation_id: sha256Hex('reservation'),
    attempt_digest: sha256Hex('attempt'),
    result: 'PASS',
    reason: null,
    speedup: '1.5',
    selected_delta_digest: sha256Hex('delta'),
    binding_digest: sha256Hex('binding'),
  },
});
const RECEIPT = receiptDigest(STATEMENT);
const { privateKey } = generateKeyPairSync('ed25519');
const KEY = Buffer.from(rawPublicKey(privateKey)).toString('hex');
const ENVELOPE = signEnvelope(STATEMENT, privateKey, KEY);
const isCounted = (receipt: string): boolean => receipt === RECEIPT;

test('a signed statement whose receipt the chain names is forwarded', () => {
  assert.equal(judgeAnnouncement(ENVELOPE, isCounted), 'accept');
});

test('one that the chain does not name may be early or late: it is not forwarded, and nobody is blamed', () => {
  assert.equal(
    judgeAnnouncement(ENVELOPE, () => false),
    'ignore',
  );
});

test('what is malformed or not signed by its key is refused', () => {
  const other = generateKeyPairSync('ed25519').privateKey;
  const forged = signEnvelope(STATEMENT, other, KEY);
  const text = Buffer.from(ENVELOPE).toString();
  const odd = [
    forged,
    Buffer.from(''),
    Buffer.from('{}'),
    Buffer.from([0xff, 0x00]),
    Buffer.from(text.replace(KEY, 'zz')),
    Buffer.from(text.replace(KEY, '0'.repeat(64))),
    Buffer.from(` ${text}`.replace('"sig":"', '"sig":"A')),
    Buffer.from(text.replace('application/vnd.in-toto+json', 'text/plain')),
    Buffer.alloc(200_000, 0x20),
  ];
  for (const envelope of odd) assert.equal(judgeAnnouncement(envelope, isCounted), 'reject', envelope.toString());
});

test('an error of ours is no verdict about a peer', () => {
  const broken = (): boolean => {
    throw new Error('no state');
  };
  assert.throws(() => judgeAnnouncement(ENVELOPE, broken), /no state/);
});
