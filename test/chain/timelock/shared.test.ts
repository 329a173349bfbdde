import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  COMMITMENT_CIPHERTEXT_MAX_BYTES,
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
import { roundPoint } from '../../../chain/timelock/points.ts';
import { sharedChainFile } from '../shared.ts';

interface Sealed {
  readonly name: string;
  readonly round: number;
  readonly eskHex: string;
  readonly sigmaHex: string;
  readonly nonceHex: string;
  readonly plaintextHex: string;
  readonly ciphertextHex: string;
}

interface Vectors {
  readonly constants: Record<string, string | number>;
  readonly roundMessages: readonly { round: number; unixTime: number; hashToG1CompressedHex: string }[];
  readonly quicknetSignatures: { readonly byRound: Record<string, string> };
  readonly deterministic: readonly Sealed[];
  readonly madeByWasm: readonly {
    round: number;
    eskHex: string;
    plaintextUtf8: string;
    ciphertextHex: string;
    intermediates: { sigmaHex: string };
  }[];
  readonly testKeyPair: {
    secretScalarDecimal: string;
    publicKeyG2: string;
    round: number;
    signatureG1: string;
    eskHex: string;
    sigmaHex: string;
    nonceHex: string;
    plaintextUtf8: string;
    ciphertextHex: string;
  };
  readonly negative: readonly { name: string; ciphertextHex: string; signature: string; prototype: string }[];
}

const file = sharedChainFile('timelock-vectors.json');
const options = { skip: file === null };
const vectors = file === null ? null : (JSON.parse(readFileSync(file, 'utf8')) as Vectors);

const hex = (text: string) => Buffer.from(text, 'hex');
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** Gives out the listed bytes in order, as a recorded run drew them. */
function recorded(...draws: string[]) {
  return (length: number) => {
    const next = hex(draws.shift() ?? '');
    assert.equal(next.length, length);
    return next;
  };
}

test('constants, rounds and their points', options, () => {
  const { constants, roundMessages } = vectors as Vectors;
  assert.equal(QUICKNET.publicKey, constants['quicknetPublicKeyG2']);
  assert.equal(QUICKNET.chainHash, constants['chainHash']);
  assert.equal(QUICKNET.genesisTime, constants['genesisTime']);
  assert.equal(QUICKNET.periodSeconds, constants['periodSeconds']);
  assert.equal(COMMITMENT_CIPHERTEXT_MAX_BYTES, constants['maxTimelockCommitmentBytes']);
  assert.ok(roundMessages.length > 0);
  for (const row of roundMessages) {
    assert.equal(timeOfRound(row.round, QUICKNET), row.unixTime);
    assert.equal(roundAt(row.unixTime, QUICKNET), row.round);
    assert.equal(toHex(roundPoint(row.round).toBytes()), row.hashToG1CompressedHex);
  }
});

test('quicknet pulses verify for their own round only', options, () => {
  const signatures = Object.entries((vectors as Vectors).quicknetSignatures.byRound);
  assert.ok(signatures.length > 0);
  for (const [round, signature] of signatures) {
    assert.equal(verifyPulse(Number(round), hex(signature), hex(QUICKNET.publicKey)), true);
    assert.equal(verifyPulse(Number(round) + 1, hex(signature), hex(QUICKNET.publicKey)), false);
  }
});

test('ciphertexts re-encode byte for byte and open', options, () => {
  const { deterministic, quicknetSignatures } = vectors as Vectors;
  assert.ok(deterministic.length > 0);
  for (const row of deterministic) {
    const request = { plaintext: hex(row.plaintextHex), round: row.round, publicKey: hex(QUICKNET.publicKey) };
    const sealed = timelockEncrypt(request, { randomBytes: recorded(row.eskHex, row.sigmaHex, row.nonceHex) });
    assert.equal(toHex(sealed), row.ciphertextHex, row.name);
    const signature = hex(quicknetSignatures.byRound[String(row.round)] as string);
    assert.equal(toHex(timelockDecrypt(sealed, signature)), row.plaintextHex, row.name);
  }
});

test('ciphertexts of the Rust implementation open, and re-encode from their secrets', options, () => {
  const { madeByWasm, quicknetSignatures } = vectors as Vectors;
  assert.ok(madeByWasm.length > 0);
  for (const row of madeByWasm) {
    const signature = hex(quicknetSignatures.byRound[String(row.round)] as string);
    const ciphertext = hex(row.ciphertextHex);
    assert.equal(Buffer.from(timelockDecrypt(ciphertext, signature)).toString(), row.plaintextUtf8);
    const nonce = toHex(parseCiphertext(ciphertext).nonce);
    const again = timelockEncrypt(
      { plaintext: Buffer.from(row.plaintextUtf8), round: row.round, publicKey: hex(QUICKNET.publicKey) },
      { randomBytes: recorded(row.eskHex, row.intermediates.sigmaHex, nonce) },
    );
    assert.equal(toHex(again), row.ciphertextHex);
  }
});

test('a beacon key of our own', options, () => {
  const row = (vectors as Vectors).testKeyPair;
  const secret = hex(BigInt(row.secretScalarDecimal).toString(16).padStart(64, '0'));
  assert.equal(toHex(pulsePublicKey(secret)), row.publicKeyG2);
  assert.equal(toHex(signPulse(row.round, secret)), row.signatureG1);
  const sealed = timelockEncrypt(
    { plaintext: Buffer.from(row.plaintextUtf8), round: row.round, publicKey: hex(row.publicKeyG2) },
    { randomBytes: recorded(row.eskHex, row.sigmaHex, row.nonceHex) },
  );
  assert.equal(toHex(sealed), row.ciphertextHex);
  assert.equal(Buffer.from(timelockDecrypt(sealed, hex(row.signatureG1))).toString(), row.plaintextUtf8);
});

test('negatives are judged as the chain judges them', options, () => {
  const { negative, quicknetSignatures } = vectors as Vectors;
  assert.ok(negative.length > 0);
  for (const row of negative) {
    const signature = hex(quicknetSignatures.byRound[row.signature.replace('round', '')] as string);
    const open = () => timelockDecrypt(hex(row.ciphertextHex), signature);
    if (row.prototype === 'reject') {
      assert.throws(open, (error) => error instanceof TimelockError && error.fault === 'candidate', row.name);
    } else {
      assert.equal(`ok:${toHex(open())}`, row.prototype, row.name);
    }
  }
});
