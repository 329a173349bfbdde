import { parseReferenceManifest, type ReferenceManifest, referenceManifestDigest } from '../manifest/index.ts';
import type { Consensus } from '../peer/index.ts';
import { parseSpeedPolicy, type SpeedPolicy, speedPolicyDigest } from '../speed/index.ts';
import { type Arena, arenaDigest, parseArena } from './arena.ts';
import { LaunchError } from './errors.ts';
import { type Evaluation, evaluationDigest, parseEvaluation } from './evaluation.ts';

/** What measuring and regrading read of the ruling consensus object. */
export type MeasurementConsensus = Pick<
  Consensus,
  | 'arena_digest'
  | 'speed_policy_digest'
  | 'evaluation_digest'
  | 'selection_policy_version'
  | 'attempt_seconds'
  | 'max_speedup_ppm'
>;

/** The rules of one cohort: the consensus object and every object it names, each checked against its digest. */
export interface Rules {
  readonly consensusDigest: string;
  readonly consensus: MeasurementConsensus;
  readonly arena: Arena;
  readonly evaluation: Evaluation;
  readonly speed: SpeedPolicy;
  readonly reference: ReferenceManifest;
}

/** The named objects as parsed JSON, from the configuration folder or from a peer by digest. */
export interface RuleObjects {
  readonly arena: unknown;
  readonly evaluation: unknown;
  readonly speedPolicy: unknown;
  readonly reference: unknown;
}

/**
 * Opens the rules of a cohort.
 * @param consensusDigest digest of the whole consensus object
 * @throws LaunchError RULES_MISMATCH naming the object whose digest is another, or the errors of its parser
 */
export function openRules(consensusDigest: string, consensus: MeasurementConsensus, objects: RuleObjects): Rules {
  const arena = parseArena(objects.arena);
  const speed = parseSpeedPolicy(objects.speedPolicy);
  const evaluation = parseEvaluation(objects.evaluation, speed);
  const reference = parseReferenceManifest(objects.reference);
  requireSame('arena_digest', consensus.arena_digest, arenaDigest(arena));
  requireSame('speed_policy_digest', consensus.speed_policy_digest, speedPolicyDigest(speed));
  requireSame('evaluation_digest', consensus.evaluation_digest, evaluationDigest(evaluation));
  requireSame('selection_policy_version', consensus.selection_policy_version, 'qualification-selection.v2');
  requireSame('reference_manifest_digest', evaluation.reference_manifest_digest, referenceManifestDigest(reference));
  requireSame('reference.arena_digest', reference.arena_digest, consensus.arena_digest);
  requireSame('reference.workload_digest', reference.workload_digest, arena.workload_digest);
  return { consensusDigest, consensus, arena, evaluation, speed, reference };
}

function requireSame(field: string, named: string, found: string): void {
  if (named !== found) throw new LaunchError('RULES_MISMATCH', `${named} is named, ${found} found`, { field });
}
