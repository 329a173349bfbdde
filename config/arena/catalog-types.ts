/**
 * A catalog as its owner writes it down (`protocol.md` section 5); `evaluator/catalog` checks it and derives the
 * snapshot. Lists are sets, except members, precedence, graph_dynamic_inputs and tolerances.
 */
export interface CatalogDefinition {
  readonly targets: readonly TargetDefinition[];
  readonly composition_rules?: readonly CompositionRule[];
}

export interface TargetDefinition {
  readonly target_id: string;
  readonly kind: 'slot' | 'atomic';
  readonly members: readonly string[];
  readonly displaces: readonly string[];
  readonly compatible_with: readonly string[];
  readonly requires: readonly string[];
  readonly allowed_features: readonly string[];
  /** Of a slot; null for an atomic target. */
  readonly contract_ref: ContractDefinition | null;
  /** Of an atomic target; null for a slot. */
  readonly atomic_semantics_id: string | null;
}

export interface ContractDefinition {
  readonly schema_version: 1;
  readonly slot_id: string;
  readonly kind: 'op' | 'block' | 'collective';
  readonly entry: string;
  readonly prepare: string | null;
  readonly graph_dynamic_inputs: readonly string[];
  readonly input_abi_id: string;
  readonly output_abi_id: string;
  readonly reference_id: string;
  readonly verification_profile_id: string;
  readonly binding_family_id: string;
  /** What is left out has its default. */
  readonly correctness: Partial<Correctness>;
  readonly tolerances: readonly Tolerance[];
  readonly kl_threshold: string | null;
}

/** How outputs are compared; decimals are strings. */
export interface Correctness {
  readonly mode: 'allclose' | 'matched_ratio' | 'cosine' | 'topk_overlap';
  readonly top_k: number;
  readonly min_ratio: string;
  readonly min_cosine: string;
  readonly max_rel_norm_err: string;
  readonly min_overlap: string;
}

export interface Tolerance {
  readonly dtype: string;
  readonly atol: string;
  readonly rtol: string;
}

/** Which of two compatible targets is tried first where both apply. */
export interface CompositionRule {
  readonly schema_version: 1;
  readonly rule_id: string;
  /** Exactly two, sorted. */
  readonly target_ids: readonly string[];
  readonly precedence: readonly string[];
  readonly mode: 'first_applicable';
  readonly binding_family_id: string;
  readonly binding_contract_digest: string;
}

/** What the targets of a catalog may allow, and who may supply artifacts. */
export interface CatalogProfile {
  readonly artifact_provider_registry: {
    readonly schema_version: 1;
    readonly providers: readonly ArtifactProvider[];
  };
  /** Features that need no provider; each provider adds its required ones. */
  readonly features: readonly string[];
}

export interface ArtifactProvider {
  readonly provider_id: string;
  readonly required_target_features: readonly string[];
  readonly [field: string]: string | boolean | readonly string[];
}
