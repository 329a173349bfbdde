import type { BindingEpochs } from '../binding/epochs.ts';
import type { Counters } from '../counters.ts';
import type { DialSchedule } from '../dial/schedule.ts';
import type { Scores } from '../guard/scores.ts';
import type { NetworkLimits } from '../limits.ts';
import type { PeerIdentity } from '../types.ts';

export interface SessionOptions {
  readonly listen: readonly string[];
  readonly announce: readonly string[];
  readonly genesisHash: string;
  readonly netuid: number;
  readonly consensusDigest: string;
  readonly allowPrivateAddresses: boolean;
  readonly limits: NetworkLimits;
}

/** What outlives a session: memory about peers. */
export interface SessionState {
  readonly schedule: DialSchedule;
  readonly scores: Scores;
  readonly epochs: BindingEpochs;
  readonly counters: Counters;
  onAnnouncement(envelope: Uint8Array, from: PeerIdentity): void;
}
