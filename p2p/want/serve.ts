import type { Counters } from '../counters.ts';
import type { GuardedHandler } from '../guard/guard.ts';
import { FRAME_MAX_BYTES, type NetworkLimits } from '../limits.ts';
import type { BlobSource } from '../types.ts';
import { within } from '../wire/deadline.ts';
import { parseWant } from './messages.ts';

export const WANT_AHEAD_BYTES = FRAME_MAX_BYTES + 4;

/** Answers which of the wanted digests can be fetched here: exactly what the blob protocol would serve. */
export function wantServer(dependencies: {
  readonly source: BlobSource;
  readonly limits: NetworkLimits;
  readonly counters: Counters;
}): GuardedHandler {
  const { source, limits, counters } = dependencies;
  return async (wire, _peer, signal) => {
    const frame = await within(limits.frameTimeoutMs, signal, (bound) => wire.readFrame(bound));
    const held: string[] = [];
    for (const digest of parseWant(frame)) {
      if (source.mayServe(digest) && (await source.size(digest)) !== null) held.push(digest);
    }
    wire.writeFrame({ held });
    counters.add('want_served');
  };
}
