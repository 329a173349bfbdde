import { errorCode, PeerError } from '../errors.ts';
import type { AuthenticatedPeer } from '../guard/connections.ts';
import { offenceOf } from '../guard/guard.ts';
import type { Offence } from '../guard/scores.ts';
import { type NetworkLimits, WANT_CONCURRENCY, WANT_MAX_DIGESTS } from '../limits.ts';
import type { Logger } from '../types.ts';
import { deadline } from '../wire/deadline.ts';
import { Slots } from '../wire/slots.ts';
import { WireStream } from '../wire/wire-stream.ts';
import { parseHeld, WANT_PROTOCOL } from './messages.ts';
import { WANT_AHEAD_BYTES } from './serve.ts';

/**
 * Asks all peers which of the digests they hold. A peer that does not answer in time holds nothing.
 * @returns hotkeys per digest
 * @throws PeerError WANT_TOO_MANY; the signal's reason
 */
export async function askPeers(
  peers: readonly AuthenticatedPeer[],
  digests: readonly string[],
  dependencies: {
    readonly limits: NetworkLimits;
    readonly logger: Logger;
    readonly penalise: (hotkey: string, offence: Offence) => void;
  },
  signal: AbortSignal,
): Promise<Map<string, string[]>> {
  if (digests.length > WANT_MAX_DIGESTS) throw new PeerError('WANT_TOO_MANY');
  const holders = new Map<string, string[]>(digests.map((digest) => [digest, []]));
  const asked = [...holders.keys()];
  if (asked.length === 0) return holders;
  const slots = new Slots(WANT_CONCURRENCY);
  await Promise.all(
    peers.map((peer) =>
      slots.run(signal, async () => {
        for (const digest of await ask(peer, asked, dependencies, signal)) holders.get(digest)?.push(peer.hotkey);
      }),
    ),
  );
  return holders;
}

async function ask(
  peer: AuthenticatedPeer,
  digests: readonly string[],
  dependencies: Parameters<typeof askPeers>[2],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const bound = deadline(dependencies.limits.frameTimeoutMs, signal);
  let wire: WireStream | null = null;
  try {
    wire = new WireStream(await peer.connection.newStream(WANT_PROTOCOL, { signal: bound.signal }), WANT_AHEAD_BYTES);
    wire.writeFrame({ digests });
    const held = parseHeld(await wire.readFrame(bound.signal), digests);
    await wire.close(bound.signal);
    await wire.closed(bound.signal);
    return held;
  } catch (error) {
    wire?.abort(error instanceof Error ? error : new PeerError('STREAM_ENDED'));
    signal.throwIfAborted();
    const offence = offenceOf(error);
    if (offence !== null) dependencies.penalise(peer.hotkey, offence);
    dependencies.logger.debug({ hotkey: peer.hotkey, code: errorCode(error) }, 'want list not answered');
    return [];
  } finally {
    bound.clear();
  }
}
