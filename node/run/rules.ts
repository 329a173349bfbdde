import { type ConsensusFolder, loadConsensusFolder } from '../../config/consensus/index.ts';
import { CacheonError } from '../../config/errors.ts';
import type { NodeConfig } from '../../config/schema/index.ts';
import { openRules, type Rules } from '../../evaluator/launch/index.ts';
import { type Consensus, consensusDigest, readConsensus } from '../../evaluator/peer/index.ts';
import type { EmbeddedArena } from '../arena/index.ts';
import { RunError } from './errors.ts';

/** The consensus objects of the configuration, and the one a new node starts from. */
export interface KnownConsensus {
  readonly active: Consensus;
  object(digest: string): Consensus | null;
}

/**
 * Reads the consensus folder; again for a digest it did not hold, because that is how an operator answers
 * CONSENSUS_UNKNOWN while the node waits.
 * @throws ConfigError, PeerError, at the first reading only
 */
export function readKnownConsensus({ consensus: { folder, active } }: Pick<NodeConfig, 'consensus'>): KnownConsensus {
  const read = (): ConsensusFolder<Consensus> =>
    loadConsensusFolder<Consensus>(folder, active, { parse: readConsensus, digest: consensusDigest });
  let known = read();
  return {
    active: known.objects.get(known.active) as Consensus,
    object(digest) {
      const held = known.objects.get(digest);
      if (held !== undefined) return held;
      try {
        known = read();
      } catch (error) {
        // A file that is being copied is no object yet; what was read before still holds.
        if (!(error instanceof CacheonError)) throw error;
      }
      return known.objects.get(digest) ?? null;
    },
  };
}

/**
 * The rules that a ruling consensus object names, if this release and runtime are the ones it means.
 * @throws RunError ARENA_MISMATCH naming the field
 */
export function rulesOf(consensus: Consensus, arena: EmbeddedArena): Rules {
  for (const [field, found] of Object.entries(arena.subject)) {
    const named = consensus[field as keyof typeof arena.subject];
    if (named !== found) throw new RunError('ARENA_MISMATCH', `${named} is named, ${found} derived here`, { field });
  }
  return openRules(consensusDigest(consensus), consensus, arena.objects);
}
