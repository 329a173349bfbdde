import { parseCatalogSnapshot } from '../../evaluator/catalog/index.ts';
import type { JsonObject } from '../../evaluator/identity/index.ts';
import {
  contributionDigest,
  parseContributionRef,
  parseEvaluationContext,
  parseEvaluationStack,
  selectedDeltaDigest,
  stackDigest,
} from '../../evaluator/manifest/index.ts';
import {
  armDigest,
  cohortDigest,
  marginalArm,
  planCohort,
  planTransition,
  rollbackDigest,
  rollbackOf,
} from '../../evaluator/plan/index.ts';
import type { VectorFamily } from './family.ts';

interface SharedCatalog {
  readonly snapshot: JsonObject;
  readonly digest: string;
}

/** All vectors of the family are planned in this context; the file states it only as the incumbents' own digests. */
const CONTEXT = {
  arena_digest: '572e31f55b6ac1b13fd5f5665d44bef1e3474ccf39b983428d4d8c4493d041c5',
  base_engine_digest: 'cae662172fd450bb0cd710a769079c05bfc5d8e35efa6576edc7d0377afdd4a2',
  runtime_digest: 'd92c6a81b2ff50096bcda80885427d1f59a25b5f483f7055523504925d16ab23',
};

export const family: VectorFamily = {
  family: 'plan',
  run(input, shared) {
    const catalogs = shared['catalogs'] as Record<string, SharedCatalog>;
    const { snapshot, digest } = catalogs[input['catalog'] as string] as SharedCatalog;
    const catalog = parseCatalogSnapshot(snapshot);
    const named = { catalog_snapshot: snapshot, catalog_digest: digest };
    const incumbent = parseEvaluationStack({ ...(input['incumbent'] as JsonObject), ...named });
    const context = parseEvaluationContext({
      ...CONTEXT,
      ...named,
      target_spec_digests: catalog.targetSpecDigests(),
    });
    const incumbentTree = input['incumbent_tree_digest'] as string;
    const plan = (replacement: unknown, tree: string) => {
      const planned = planTransition(incumbent, parseContributionRef(replacement), context, catalog);
      return marginalArm(planned, incumbentTree, tree);
    };
    if (input['op'] === 'cohort') {
      const candidates = input['candidates'] as { replacement: unknown; candidate_tree_digest: string }[];
      const refs = candidates.map((row) => contributionDigest(parseContributionRef(row.replacement)));
      const order = (input['authority_order'] as number[]).map((index) => refs[index] ?? '');
      const arms = candidates.map((row) => plan(row.replacement, row.candidate_tree_digest));
      const cohort = planCohort(arms, input['entropy_digest'] as string, order);
      return { cohort_digest: cohortDigest(cohort), arms: cohort.arms, execution_order: cohort.execution_order };
    }
    const arm = plan(input['replacement'], input['candidate_tree_digest'] as string);
    return {
      arm_digest: armDigest(arm),
      selected_delta_digest: selectedDeltaDigest(arm.transition.replacement),
      incumbent_digest: stackDigest(incumbent),
      candidate_digest: arm.candidate_stack_digest,
      transition: arm.transition,
      rollback_digest: rollbackDigest(rollbackOf(arm)),
    };
  },
};
