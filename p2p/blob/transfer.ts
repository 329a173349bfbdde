import { PeerError } from '../errors.ts';
import type { AuthenticatedPeer } from '../guard/connections.ts';
import { BLOB_CHUNK_BYTES, BLOB_REQUESTS_PER_STREAM, FRAME_MAX_BYTES, type NetworkLimits } from '../limits.ts';
import { within } from '../wire/deadline.ts';
import { WireStream } from '../wire/wire-stream.ts';
import { BLOB_PROTOCOL, type BlobRequest, chunkLength, parseBlobReply } from './messages.ts';
import type { PartialBlob } from './partial.ts';

/** What a holder may have sent ahead: one reply and its chunk. */
const AHEAD_BYTES = 4 + FRAME_MAX_BYTES + BLOB_CHUNK_BYTES;

export type TransferOutcome = 'complete' | 'absent' | 'busy' | 'too-large' | 'disagrees' | 'more';

/**
 * Takes as much of a blob from one peer as it gives, from where `partial` stands. The stream is closed on both sides
 * or aborted, whatever happens: an open one would cost the peer a slot.
 * @throws PeerError, FieldError; the signal's reason
 */
export async function transfer(
  peer: AuthenticatedPeer,
  job: { readonly digest: string; readonly maxBytes: number; readonly partial: PartialBlob },
  limits: NetworkLimits,
  signal: AbortSignal,
): Promise<TransferOutcome> {
  const stream = await within(limits.frameTimeoutMs, signal, (bound) =>
    peer.connection.newStream(BLOB_PROTOCOL, { signal: bound }),
  );
  const wire = new WireStream(stream, AHEAD_BYTES);
  try {
    let outcome: TransferOutcome = 'more';
    for (let asked = 0; outcome === 'more' && asked < BLOB_REQUESTS_PER_STREAM; asked++) {
      outcome = await within(limits.chunkTimeoutMs, signal, (bound) => nextChunk(wire, peer.hotkey, job, bound));
    }
    await within(limits.frameTimeoutMs, signal, async (bound) => {
      await wire.close(bound);
      await wire.closed(bound);
    });
    return outcome;
  } catch (error) {
    wire.abort(error instanceof Error ? error : new PeerError('STREAM_ENDED'));
    throw error;
  }
}

async function nextChunk(
  wire: WireStream,
  hotkey: string,
  job: { readonly digest: string; readonly maxBytes: number; readonly partial: PartialBlob },
  signal: AbortSignal,
): Promise<TransferOutcome> {
  const { digest, maxBytes, partial } = job;
  wire.writeFrame({ digest, offset: partial.offset } satisfies BlobRequest);
  const reply = parseBlobReply(await wire.readFrame(signal));
  if (reply.status !== 'ok') return reply.status;
  if (reply.size > maxBytes) return refuse(wire, 'too-large');
  if (!partial.agrees(reply.size)) return refuse(wire, 'disagrees');
  if (reply.length !== chunkLength(reply.size, partial.offset)) throw new PeerError('FRAME_MALFORMED', 'chunk length');
  if (reply.length > 0) partial.add(await wire.read(reply.length, signal), hotkey);
  return partial.complete ? 'complete' : 'more';
}

/** The chunk is on its way already; the stream ends here rather than reading it. */
function refuse<T extends TransferOutcome>(wire: WireStream, outcome: T): T {
  wire.abort(new PeerError('STREAM_REFUSED'));
  return outcome;
}
