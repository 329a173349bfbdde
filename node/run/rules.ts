import { loadConsensusFolder } from '../../config/consensus/index.ts';
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

/** Reads the consensus folder. @throws ConfigError, PeerError */
export function readKnownConsensus(config: NodeConfig): KnownConsensus {
  const folder = loadConsensusFolder<Consensus>(config.consensus.folder, config.consensus.active, {
    parse: readConsensus,
    digest: consensusDigest,
  });
  const find = (digest: string): Consensus | null => folder.objects.get(digest) ?? null;
  return { active: find(folder.active) as Consensus, object: find };
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
