import ipaddr from 'ipaddr.js';
import type { AxonAddress } from '../../chain/signer/index.ts';

const TCP_MULTIADDR = /^\/ip([46])\/([^/]+)\/tcp\/([0-9]{1,5})(?:\/p2p\/[^/]+)?$/;
/** The chain's number of the protocol; it records the address of a peer network, not of an axon server. */
const PROTOCOL = 4;

/**
 * What to publish on the chain of the configured announce addresses: the first with a literal public IP address, or
 * null. Names and private addresses help nobody there.
 * @param version of this node, three numbers with dots
 */
export function announcedAxon(announce: readonly string[], netuid: number, version: string): AxonAddress | null {
  for (const address of announce) {
    const match = TCP_MULTIADDR.exec(address);
    if (match === null) continue;
    const [, family, host, port] = match;
    const ip = ipaddr.parse(host as string);
    if (ip.range() !== 'unicast' || ip.kind() !== `ipv${family}`) continue;
    const value = ip.toByteArray().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    return {
      netuid,
      version: versionNumber(version),
      ip: value,
      ipType: family === '4' ? 4 : 6,
      port: Number(port),
      protocol: PROTOCOL,
    };
  }
  return null;
}

/** 1.2.3 as 1002003. */
function versionNumber(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return major * 1_000_000 + minor * 1000 + patch;
}
