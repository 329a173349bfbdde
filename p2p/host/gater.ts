import type { ConnectionGater } from '@libp2p/interface';
import type { Connections } from '../guard/connections.ts';
import { isNamedHost, isPublicAddress } from './addresses.ts';

/**
 * What libp2p may connect at all. It stores no address of anybody else: identify's addresses are not dialed, and
 * what is never stored cannot be. Dials come from our own dialer only.
 */
export function createGater(options: {
  readonly ownPeerId: string;
  readonly allowPrivateAddresses: boolean;
  readonly maxUnauthenticated: number;
  readonly connections: Connections;
}): ConnectionGater {
  return {
    denyDialMultiaddr: (address) =>
      !options.allowPrivateAddresses && !isNamedHost(address) && !isPublicAddress(address),
    denyInboundConnection: () => options.connections.pending().length >= options.maxUnauthenticated,
    filterMultiaddrForPeer: (peer) => peer.toString() === options.ownPeerId,
  };
}
