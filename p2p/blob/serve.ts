import type { Counters } from '../counters.ts';
import { PeerError } from '../errors.ts';
import type { RateLimiter } from '../guard/gcra.ts';
import type { GuardedHandler } from '../guard/guard.ts';
import { BLOB_REQUESTS_PER_STREAM, FRAME_MAX_BYTES, type NetworkLimits } from '../limits.ts';
import type { BlobSource } from '../types.ts';
import { within } from '../wire/deadline.ts';
import type { WireStream } from '../wire/wire-stream.ts';
import { type BlobReply, chunkLength, parseBlobRequest } from './messages.ts';

/** What an asker may send ahead: one request. */
export const BLOB_SERVE_AHEAD_BYTES = FRAME_MAX_BYTES + 4;

/** Serves blob requests of authenticated peers, at most so many bytes per hotkey and time. */
export function blobServer(dependencies: {
  readonly source: BlobSource;
  /** In bytes. */
  readonly rates: RateLimiter;
  readonly limits: NetworkLimits;
  readonly counters: Counters;
}): GuardedHandler {
  const { source, rates, limits, counters } = dependencies;

  async function answer(wire: WireStream, hotkey: string, value: unknown): Promise<void> {
    const { digest, offset } = parseBlobRequest(value);
    const size = source.mayServe(digest) ? await source.size(digest) : null;
    if (size === null || offset > size) return wire.writeFrame(closed('absent'));
    const length = chunkLength(size, offset);
    if (!rates.take(hotkey, length)) {
      counters.add('rate_limited');
      return wire.writeFrame(closed('busy'));
    }
    const bytes = length === 0 ? new Uint8Array(0) : await source.read(digest, offset, length);
    if (bytes.length !== length) throw new PeerError('BLOB_SOURCE');
    wire.writeFrame({ length, size, status: 'ok' } satisfies BlobReply);
    if (length > 0) wire.write(bytes);
    counters.add('blob_chunks_served');
    counters.add('blob_bytes_served', length);
  }

  return async (wire, peer, signal) => {
    for (let served = 0; served < BLOB_REQUESTS_PER_STREAM; served++) {
      // The next request says that the last chunk has arrived: an asker that reads too slowly is cut here.
      const more = await within(limits.chunkTimeoutMs, signal, async (bound) => !(await wire.atEnd(bound)));
      if (!more) return;
      const frame = await within(limits.frameTimeoutMs, signal, (bound) => wire.readFrame(bound));
      await answer(wire, peer.hotkey, frame);
    }
  };
}

function closed(status: 'absent' | 'busy'): BlobReply {
  return { length: 0, size: 0, status };
}
