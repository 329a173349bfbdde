import type { CatalogProfile, CompositionRule } from '../../config/arena/catalog-types.ts';
import { sortedSet } from '../fields/index.ts';
import { canonicalDigest, compareCodePoints, type JsonObject } from '../identity/index.ts';
import { CATALOG_POLICY, DOMAIN } from './constants.ts';
import { contractDigest } from './contract.ts';
import { CatalogError } from './errors.ts';
import { topologicalOrder } from './graph.ts';
import { checkRelations, type Relations, type Targets } from './relations.ts';
import { checkRules, precedencePairs } from './rules.ts';
import type { TargetSpec } from './targets.ts';

/** One target with what derives from it. */
export interface CatalogTarget extends TargetSpec {
  readonly contract_digest: string;
  readonly target_spec_digest: string;
}

/** A checked target catalog: its snapshot, its digest, and what follows for sets of active targets. */
export class TargetCatalog {
  readonly snapshot: JsonObject;
  /** CD("cacheon.target-catalog", snapshot). */
  readonly digest: string;
  readonly #targets: ReadonlyMap<string, CatalogTarget>;
  readonly #rules: readonly CompositionRule[];
  readonly #relations: Relations;

  /**
   * Checks targets and rules against each other; use `buildCatalog` or `parseCatalogSnapshot`.
   * @throws CatalogError
   */
  constructor(targets: Targets, rules: readonly CompositionRule[], profile: CatalogProfile) {
    this.#relations = checkRelations(targets);
    checkRules(rules, targets);
    this.#rules = [...rules].sort((a, b) => compareCodePoints(a.rule_id, b.rule_id));
    const sorted = [...targets.values()].sort((a, b) => compareCodePoints(a.target_id, b.target_id));
    const rows = sorted.map((spec) => targetRow(spec, targets));
    this.#targets = new Map(
      sorted.map((spec, i) => {
        const row = rows[i] as JsonObject;
        const digest = canonicalDigest(DOMAIN.targetSpec, row);
        return [
          spec.target_id,
          { ...spec, contract_digest: row['contract_digest'] as string, target_spec_digest: digest },
        ];
      }),
    );
    this.snapshot = {
      schema_version: 1,
      policy_version: CATALOG_POLICY,
      artifact_provider_registry: profile.artifact_provider_registry as unknown as JsonObject,
      artifact_provider_registry_digest: canonicalDigest(DOMAIN.providers, profile.artifact_provider_registry),
      targets: rows,
      composition_rules: this.#rules as unknown as readonly JsonObject[],
    };
    this.digest = canonicalDigest(DOMAIN.catalog, this.snapshot);
  }

  /** All target ids by code point. */
  get targetIds(): readonly string[] {
    return [...this.#targets.keys()];
  }

  /** A target, or null if it is not registered. */
  find(id: string): CatalogTarget | null {
    return this.#targets.get(id) ?? null;
  }

  /** The one target whose member set equals the given one, or null: unregistered work is refused, not split. */
  findByMembers(members: Iterable<string>): CatalogTarget | null {
    const wanted = sortedSet(members).join();
    return [...this.#targets.values()].find((target) => sortedSet(target.members).join() === wanted) ?? null;
  }

  /** Every target id with its spec digest, the map that a stack context holds. */
  targetSpecDigests(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#targets].map(([id, target]) => [id, target.target_spec_digest]));
  }

  /** What the target displaces, directly or not, sorted. */
  displacementClosure(id: string): string[] {
    return sortedSet(this.#relations.displacement.get(id) ?? []);
  }

  /** What the target requires, directly or not, sorted. */
  requiresClosure(id: string): string[] {
    return sortedSet(this.#relations.requirement.get(id) ?? []);
  }

  /**
   * Checks a set of active targets: known, each once, none displaced by another, all requirements active (the stock
   * engine does not satisfy one).
   * @returns the ids in execution order: precedence first, then code point
   * @throws CatalogError ACTIVE_*
   */
  validateActive(ids: readonly string[]): string[] {
    const active = new Set(ids);
    if (active.size !== ids.length) throw new CatalogError('ACTIVE_REPEATED', undefined, { field: 'active' });
    for (const id of sortedSet(active)) {
      const field = `active.${id.slice(0, 80)}`;
      if (!this.#targets.has(id)) throw new CatalogError('ACTIVE_UNKNOWN', undefined, { field });
      const displaced = this.displacementClosure(id).find((other) => active.has(other));
      if (displaced !== undefined) throw new CatalogError('ACTIVE_CONFLICT', `displaces ${displaced}`, { field });
      const missing = this.requiresClosure(id).find((other) => !active.has(other));
      if (missing !== undefined) throw new CatalogError('ACTIVE_REQUIREMENT', `requires ${missing}`, { field });
    }
    return topologicalOrder([...active], precedencePairs(this.#rules));
  }
}

/** The row of a target in the snapshot; its digest is the target spec digest. */
function targetRow(spec: TargetSpec, targets: Targets): JsonObject {
  const { contract_ref, atomic_semantics_id, ...common } = spec;
  if (contract_ref !== null) {
    const contract = contract_ref as unknown as JsonObject;
    return { ...common, contract_ref: contract, contract_digest: contractDigest(contract_ref) };
  }
  const memberDigests = spec.members.map((member) => {
    const contract = targets.get(member)?.contract_ref ?? null;
    if (contract === null) throw new CatalogError('CATALOG_ATOMIC', undefined, { field: `targets.${spec.target_id}` });
    return contractDigest(contract);
  });
  const atomic = { atomic_semantics_id, member_contract_digests: memberDigests };
  const contract = { schema_version: 1, target_id: spec.target_id, ...atomic };
  return { ...common, ...atomic, contract_digest: canonicalDigest(DOMAIN.atomicContract, contract) };
}
