import { type KeyObject, sign, verify } from 'node:crypto';
import { FieldError, ObjectReader } from '../fields/index.ts';
import { canonicalBytes, IdentityError, parseStrictJson } from '../identity/index.ts';
import { StatementError } from './errors.ts';
import { STATEMENT_MAX_BYTES } from './statement.ts';

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
/** Base64 grows by a third; the rest is small. */
export const ENVELOPE_MAX_BYTES = 2 * STATEMENT_MAX_BYTES;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const KEY_ID = /^[0-9a-f]{64}$/;
const ED25519_SIGNATURE_BYTES = 64;

/** DSSE pre-authentication encoding of a payload (DSSE v1). */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Uint8Array {
  const type = Buffer.from(payloadType, 'utf8');
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `, 'utf8'),
    type,
    Buffer.from(` ${payload.length} `, 'utf8'),
    payload,
  ]);
}

/**
 * A DSSE envelope around a statement, canonical JSON, with one Ed25519 signature.
 * @param nodePublicKey raw public key as 64 hex digits, used as keyid
 */
export function signEnvelope(statement: Uint8Array, privateKey: KeyObject, nodePublicKey: string): Uint8Array {
  const sig = sign(null, preAuthEncoding(PAYLOAD_TYPE, statement), privateKey);
  return canonicalBytes({
    payload: Buffer.from(statement).toString('base64'),
    payloadType: PAYLOAD_TYPE,
    signatures: [{ keyid: nodePublicKey, sig: sig.toString('base64') }],
  });
}

/** What an envelope holds; `verifyEnvelope` says whether the key signed it. */
export interface Envelope {
  readonly statement: Uint8Array;
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/**
 * Reads an envelope strictly.
 * @throws StatementError ENVELOPE_MALFORMED
 */
export function parseEnvelope(bytes: Uint8Array): Envelope {
  try {
    const reader = new ObjectReader(parseStrictJson(bytes, ENVELOPE_MAX_BYTES), 'envelope', [
      'payload',
      'payloadType',
      'signatures',
    ]);
    reader.literal('payloadType', PAYLOAD_TYPE);
    const row = new ObjectReader(reader.array('signatures', 1, 1)[0], 'signatures[0]', ['keyid', 'sig']);
    const signature = base64(row, 'sig');
    if (signature.length !== ED25519_SIGNATURE_BYTES) row.fail('FIELD_TEXT', 'sig');
    return { statement: base64(reader, 'payload'), keyId: row.text('keyid', KEY_ID), signature };
  } catch (cause) {
    if (cause instanceof FieldError || cause instanceof IdentityError) {
      throw new StatementError('ENVELOPE_MALFORMED', cause.message, { cause });
    }
    throw cause;
  }
}

/**
 * The statement's bytes if the key signed them over PAE.
 * @param publicKey the node's Ed25519 public key
 * @throws StatementError ENVELOPE_MALFORMED or ENVELOPE_SIGNATURE
 */
export function verifyEnvelope(bytes: Uint8Array, publicKey: KeyObject): Uint8Array {
  const envelope = parseEnvelope(bytes);
  const isSigned = verify(null, preAuthEncoding(PAYLOAD_TYPE, envelope.statement), publicKey, envelope.signature);
  if (!isSigned) throw new StatementError('ENVELOPE_SIGNATURE');
  return envelope.statement;
}

function base64(reader: ObjectReader, key: string): Uint8Array {
  const text = reader.text(key, BASE64);
  const data = Buffer.from(text, 'base64');
  // Unused bits of the last digit would let one payload have several spellings.
  if (data.toString('base64') !== text) reader.fail('FIELD_TEXT', key);
  return data;
}
