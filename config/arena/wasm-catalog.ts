import type { CatalogDefinition, CatalogProfile, ContractDefinition, TargetDefinition } from './catalog-types.ts';

/** The WASM arena has no artifact providers; `wasm_sources` is a feature here and nowhere else (`wasm-arena.md` 4). */
export const WASM_PROFILE: CatalogProfile = {
  artifact_provider_registry: { schema_version: 1, providers: [] },
  features: ['entry', 'prepare', 'variants', 'wasm_sources'],
};

const FEATURES = ['entry', 'variants', 'wasm_sources'];
const FEATURES_WITH_PREPARE = [...FEATURES, 'prepare'];

/** Targets of the embedded arena; entries are the exports of `names.md`, WASM slots. */
export const WASM_CATALOG: CatalogDefinition = {
  targets: [
    slot('linear.matmul', 'op', 'matmul', ['x'], 'prepare'),
    slot('attention.decode', 'block', 'attention', ['q', 'k_cache', 'v_cache']),
    slot('activation.silu_and_mul', 'op', 'silu_and_mul', ['gate_up']),
    slot('norm.rmsnorm', 'op', 'rmsnorm', ['x']),
    {
      target_id: 'ffn.gated.v1',
      kind: 'atomic',
      members: ['linear.matmul', 'activation.silu_and_mul'],
      displaces: ['linear.matmul', 'activation.silu_and_mul'],
      compatible_with: [],
      requires: [],
      allowed_features: FEATURES_WITH_PREPARE,
      contract_ref: null,
      atomic_semantics_id: 'ffn.gated.v1.atomic-semantics.v1',
    },
  ],
};

function slot(
  id: string,
  kind: ContractDefinition['kind'],
  entry: string,
  dynamicInputs: readonly string[],
  prepare: string | null = null,
): TargetDefinition {
  return {
    target_id: id,
    kind: 'slot',
    members: [id],
    displaces: [],
    compatible_with: [],
    requires: [],
    allowed_features: prepare === null ? FEATURES : FEATURES_WITH_PREPARE,
    contract_ref: {
      schema_version: 1,
      slot_id: id,
      kind,
      entry,
      prepare,
      graph_dynamic_inputs: dynamicInputs,
      input_abi_id: `wasm.${id}.input.v1`,
      output_abi_id: `wasm.${id}.output.v1`,
      reference_id: `wasm.${id}.reference.v1`,
      verification_profile_id: `wasm.${id}.verify.v1`,
      binding_family_id: `wasm.${id}.v1`,
      correctness: { mode: 'allclose' },
      tolerances: [{ dtype: 'float32', atol: '0.0001', rtol: '0.001' }],
      kl_threshold: null,
    },
    atomic_semantics_id: null,
  };
}
