import { parseCatalogSnapshot } from '../../evaluator/catalog/index.ts';
import {
  type ArenaStanding,
  emissionsPolicyDigest,
  parseDiscoveryClaim,
  parseEmissionsPolicy,
  parseProjectionContext,
  parseStandingClaim,
  projectionContextDigest,
  projectWeights,
  rewardProjectionDigest,
} from '../../evaluator/economics/index.ts';
import type { JsonObject } from '../../evaluator/identity/index.ts';
import { parseEvaluationStack } from '../../evaluator/manifest/index.ts';
import type { VectorFamily } from './family.ts';

interface SharedCatalog {
  readonly snapshot: JsonObject;
  readonly digest: string;
}

interface ArenaInput {
  readonly catalog: string;
  readonly stack: JsonObject;
  readonly stack_generation: number;
  readonly standing_claims: readonly unknown[];
}

export const family: VectorFamily = {
  family: 'economics',
  run(input, shared) {
    const catalogs = shared['catalogs'] as Record<string, SharedCatalog>;
    const policy = parseEmissionsPolicy(input['policy']);
    const context = parseProjectionContext(input['context']);
    const arenas = (input['arenas'] as ArenaInput[]).map((arena): ArenaStanding => {
      const { snapshot, digest } = catalogs[arena.catalog] as SharedCatalog;
      return {
        catalog: parseCatalogSnapshot(snapshot),
        stack: parseEvaluationStack({ ...arena.stack, catalog_snapshot: snapshot, catalog_digest: digest }),
        stackGeneration: arena.stack_generation,
        claims: arena.standing_claims.map((claim) => parseStandingClaim(claim)),
      };
    });
    const discovery = (input['discovery_claims'] as unknown[]).map((claim) => parseDiscoveryClaim(claim));
    const projection = projectWeights(policy, context, arenas, discovery);
    return {
      ...projection,
      weights: Object.fromEntries(projection.weights),
      digest: rewardProjectionDigest(projection, policy, context),
      policy_digest: emissionsPolicyDigest(policy),
      context_digest: projectionContextDigest(context),
    };
  },
};
