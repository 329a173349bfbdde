import { canonicalDigest, isHexDigest } from '../identity/index.ts';
import { stripCompactPrefix } from './compact.ts';
import { HOTKEY_MAX_CHARS, PAYLOAD_MAX_BYTES } from './constants.ts';
import { PeerError } from './errors.ts';

/** Where a proposal's fee was paid (version 2 of the payload); exact integers, block >= 1, index >= 0. */
export interface PaymentPointer {
  readonly block: bigint;
  readonly extrinsic_index: bigint;
}

/** What a revealed commitment says (`protocol.md` section 8). */
export interface ProposalPayload {
  /** Content hash of the bundle, 64 hex digits; all zero is accepted here. */
  readonly content_hash: string;
  readonly url: string;
  /** Null in version 1. */
  readonly payment: PaymentPointer | null;
}

const URL = /^https:\/\/(?:[0-9A-Za-z._-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{0,5}))?(?:[/?][!"$-~]*)?#?$/;
const MAX_PORT = 65_535;

/** A valid payload has exactly one spelling, so this one expression is the whole grammar around the URL. */
const TEXT =
  /^\{"v":([12]),"h":"([0-9a-f]{64})","u":"((?:[!#-[\]-~]|\\["\\])*)"(?:,"p":\{"b":([1-9][0-9]*),"i":(0|[1-9][0-9]*)\})?\}$/;
const EDGE_SPACE = /^[\p{White_Space}\u001c-\u001f]|[\p{White_Space}\u001c-\u001f]$/u;

/** True for a URL of `protocol.md` section 8. No library's parser decides this: they differ, validity must not. */
export function isBundleUrl(url: string): boolean {
  const match = URL.exec(url);
  if (match === null) return false;
  const port = match[1] ?? '';
  return port === '' || (Number(port) >= 1 && Number(port) <= MAX_PORT);
}

/**
 * The text that a miner commits.
 * @throws PeerError PAYLOAD_MALFORMED naming the field
 */
export function encodePayload(payload: ProposalPayload): string {
  const { content_hash, url, payment } = payload;
  if (!isHexDigest(content_hash)) refuse('content_hash', 'not 64 lowercase hex digits');
  if (typeof url !== 'string' || !isBundleUrl(url)) refuse('url', 'outside the URL grammar');
  const head = `{"v":${payment === null ? 1 : 2},"h":"${content_hash}","u":${JSON.stringify(url)}`;
  const text = payment === null ? `${head}}` : `${head},"p":${encodePayment(payment)}}`;
  if (text.length > PAYLOAD_MAX_BYTES) refuse('payload', `over ${PAYLOAD_MAX_BYTES} bytes`);
  return text;
}

function encodePayment(payment: PaymentPointer): string {
  const { block, extrinsic_index } = payment;
  if (typeof block !== 'bigint' || block < 1n) refuse('payment.block', 'not a positive integer');
  if (typeof extrinsic_index !== 'bigint' || extrinsic_index < 0n) {
    refuse('payment.extrinsic_index', 'not an integer >= 0');
  }
  return `{"b":${block},"i":${extrinsic_index}}`;
}

/** Reads a payload's text; null unless it is, byte for byte, what {@link encodePayload} writes. Never throws. */
export function decodePayload(text: string): ProposalPayload | null {
  if (text.length > PAYLOAD_MAX_BYTES) return null;
  const match = TEXT.exec(text);
  if (match === null) return null;
  const [, version, hash, escapedUrl, block, index] = match;
  if ((version === '2') !== (block !== undefined)) return null;
  const url = (escapedUrl as string).replace(/\\(.)/g, '$1');
  if (!isBundleUrl(url)) return null;
  const payment = block === undefined ? null : { block: BigInt(block), extrinsic_index: BigInt(index as string) };
  return { content_hash: hash as string, url, payment };
}

/**
 * The text of a revealed commitment's bytes, one exact SCALE compact length prefix taken off. Bytes above 0x7f become
 * other characters one by one: no valid payload has any.
 */
export function payloadText(bytes: Uint8Array): string {
  return Buffer.from(stripCompactPrefix(bytes)).toString('latin1');
}

/** True for a hotkey's name as payload references carry it: 1 to 256 characters, trimmed, no NUL, CR or LF. */
export function isHotkeyName(hotkey: string): boolean {
  const length = [...hotkey].length;
  if (length < 1 || length > HOTKEY_MAX_CHARS) return false;
  return !EDGE_SPACE.test(hotkey) && !/[\0\r\n]/.test(hotkey);
}

/** CD of what was proposed: {content_hash, url}. */
export function payloadDigest(contentHash: string, url: string): string {
  return canonicalDigest('cacheon.chain.finalized-payload', { content_hash: contentHash, url });
}

/** A payload and where the finalized chain has it. */
export interface Arrival {
  readonly block: number;
  /** "0x" + 64 hex. */
  readonly block_hash: string;
  readonly content_hash: string;
  readonly event_index: number;
  readonly event_subindex: number;
  readonly hotkey: string;
  readonly url: string;
}

/** Digest of a finalized arrival: the name of the reservation it makes. */
export function reservationId(arrival: Arrival): string {
  const { block, block_hash, content_hash, event_index, event_subindex, hotkey, url } = arrival;
  return canonicalDigest('cacheon.chain.finalized-arrival', {
    block,
    block_hash,
    content_hash,
    event_index,
    event_subindex,
    hotkey,
    payload_digest: payloadDigest(content_hash, url),
    url,
  });
}

/** Digest of the chain and subnet that arrivals belong to. */
export function intakeScope(genesisHash: string, netuid: number): string {
  return canonicalDigest('cacheon.chain.intake-scope', { genesis_hash: genesisHash, netuid });
}

function refuse(field: string, message: string): never {
  throw new PeerError('PAYLOAD_MALFORMED', message, { field });
}
