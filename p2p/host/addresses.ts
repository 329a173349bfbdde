import { isIP } from 'node:net';
import { type Multiaddr, multiaddr } from '@multiformats/multiaddr';
import ipaddr from 'ipaddr.js';
import { PeerError } from '../errors.ts';
import { ADDRESS_MAX_CHARS, ADDRESSES_PER_PEER } from '../limits.ts';

const HOST_PORT = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+)):([0-9]{1,5})$/;
const HOSTS = new Set(['ip4', 'ip6', 'dns', 'dns4', 'dns6']);
const PEER_ID = /^[1-9A-HJ-NP-Za-km-z]{40,64}$/;

/**
 * Reads an address: a multiaddr of exactly host, TCP port and perhaps /p2p/, or host:port.
 * @throws PeerError ADDRESS_INVALID
 */
export function parseAddress(text: string): Multiaddr {
  if (text.length > ADDRESS_MAX_CHARS) throw invalid(text);
  let parsed: Multiaddr;
  try {
    parsed = multiaddr(text.startsWith('/') ? text : fromHostPort(text));
  } catch (cause) {
    throw cause instanceof PeerError ? cause : invalid(text, cause);
  }
  const [host, tcp, peer, ...rest] = parsed.getComponents();
  const named = peer === undefined || (peer.name === 'p2p' && PEER_ID.test(peer.value ?? ''));
  if (host === undefined || !HOSTS.has(host.name) || tcp?.name !== 'tcp' || !named || rest.length > 0) {
    throw invalid(text);
  }
  return parsed;
}

function fromHostPort(text: string): string {
  const match = HOST_PORT.exec(text);
  const host = match?.[1] ?? match?.[2] ?? '';
  const port = Number(match?.[3]);
  if (match === null || port < 1 || port > 65_535) throw invalid(text);
  const family = isIP(host);
  return `/${family === 4 ? 'ip4' : family === 6 ? 'ip6' : 'dns'}/${host}/tcp/${port}`;
}

function invalid(text: string, cause?: unknown): PeerError {
  return new PeerError('ADDRESS_INVALID', undefined, { field: text.slice(0, 80), cause });
}

/** True for a literal address that routes on the public internet. A DNS name is not literal. */
export function isPublicAddress(address: Multiaddr): boolean {
  const host = address.getComponents()[0];
  if (host?.value === undefined || !(host.name === 'ip4' || host.name === 'ip6')) return false;
  try {
    return ipaddr.process(host.value).range() === 'unicast';
  } catch {
    return false;
  }
}

/** True for a DNS name, which only the operator may give us. */
export function isNamedHost(address: Multiaddr): boolean {
  return address.getComponents()[0]?.name.startsWith('dns') === true;
}

/** True for 0.0.0.0 and ::, which nobody can dial. */
export function isUnspecified(address: Multiaddr): boolean {
  const value = address.getComponents()[0]?.value;
  return value === '0.0.0.0' || value === '::';
}

/**
 * The addresses an operator wants to announce.
 * @throws PeerError ADDRESS_INVALID, ADDRESS_PRIVATE
 */
export function announceAddresses(texts: readonly string[], allowPrivate: boolean): string[] {
  return texts.slice(0, ADDRESSES_PER_PEER).map((text) => {
    const address = parseAddress(text);
    const usable = allowPrivate ? !isUnspecified(address) : isNamedHost(address) || isPublicAddress(address);
    if (!usable) throw new PeerError('ADDRESS_PRIVATE', undefined, { field: text.slice(0, 80) });
    return address.toString();
  });
}

/** Addresses that peers or the chain gave: literal, dialable, at most four; the others are left out. */
export function foreignAddresses(texts: readonly string[], allowPrivate: boolean): string[] {
  const kept: string[] = [];
  for (const text of texts) {
    if (kept.length === ADDRESSES_PER_PEER) break;
    try {
      const address = parseAddress(text);
      const usable = allowPrivate ? !isNamedHost(address) && !isUnspecified(address) : isPublicAddress(address);
      if (usable) kept.push(address.toString());
    } catch {
      // What cannot be dialed is left out: one bad record must not hide a good one.
    }
  }
  return kept;
}
