import type {
  CatalogDefinition,
  CatalogProfile,
  ContractDefinition,
  Correctness,
  TargetDefinition,
} from './catalog-types.ts';

/** The one registered provider of direct artifacts, and the features of the Python ABI (`bundle-format.md` 9, 12). */
export const SGLANG_PROFILE: CatalogProfile = {
  artifact_provider_registry: {
    schema_version: 1,
    providers: [
      {
        provider_id: 'cutlass.cute.cubin.v1',
        artifact_kind: 'cuda_cubin',
        authoritative: true,
        binding_abi: 'cuda_driver_params.v1',
        build_patcher_id: 'cacheon.build-cute-cubin.v1',
        build_phase: 'oci_prebuild_only',
        compile_profile_inputs: [1, 16, 2, 4, 8].map((size) => `max_active_clusters.cluster_size_${size}`),
        crownable: true,
        load_phase: 'isolated_engine_worker_only',
        provider_capabilities: ['group.native_handle.v1', 'group.peer_ptr_table.v1'],
        publication_directory: 'cute_cubin',
        rebuild_feature: 'rebuild:build_cute_cubin',
        required_target_features: ['aot:cutlass.cute.cubin.v1', 'rebuild:build_cute_cubin'],
        requires_compile_profile: true,
        supports_static_slots: true,
      },
    ],
  },
  features: [
    'cuda_sources',
    'dep_patch:flashinfer',
    'entry',
    'override',
    'prepare',
    'rebuild:apply_dep_patch',
    'rebuild:build_cuda_ext',
    'setup',
    'variants',
  ],
};

const FEATURES = [
  'aot:cutlass.cute.cubin.v1',
  'cuda_sources',
  'entry',
  'override',
  'prepare',
  'rebuild:build_cuda_ext',
  'rebuild:build_cute_cubin',
  'variants',
];
const PATCHED = [...FEATURES, 'dep_patch:flashinfer', 'rebuild:apply_dep_patch'];
const EPILOGUE = ['collective.ar_residual_rmsnorm', 'collective.moe_finalize_ar_rmsnorm'];
const EXPERTS = 'moe.fused_experts';
const EXPERTS_REDUCE = 'moe.fused_experts_reduce';
const EXPERTS_FAMILY = 'sglang.moe.fused-experts.dispatch.v1';
const EXPERTS_INPUTS = ['x', 'topk_ids', 'topk_weights'];
const KL_THRESHOLD = '0.03';

/** The default catalog of the GPU arenas: 11 slots and one atomic target (`protocol.md` section 5). */
export const SGLANG_CATALOG: CatalogDefinition = {
  targets: [
    slot('activation.silu_and_mul', 'op', 'silu_and_mul', ['x'], 'sglang.activation.silu_and_mul.v1'),
    slot('attention.decode', 'block', 'attention_decode', ['q', 'k', 'v', 'seq_lens'], 'sglang.attention.decode.v1', {
      correctness: matched('0.99'),
      kl_threshold: KL_THRESHOLD,
    }),
    slot(
      'attention.msa_block_score',
      'block',
      'msa_block_score',
      ['q', 'index_k', 'seq_lens'],
      'sglang.attention.msa.decode-score.v1',
      { correctness: overlap('0.875'), kl_threshold: KL_THRESHOLD },
    ),
    slot(
      'attention.msa_prefill_block_score',
      'block',
      'msa_prefill_block_score',
      ['q', 'index_k'],
      'sglang.attention.msa.prefill-score.v1',
      { correctness: overlap('0.9'), kl_threshold: KL_THRESHOLD },
    ),
    slot('attention.sdpa', 'block', 'attention', ['q', 'k', 'v'], 'sglang.attention.radix.v1', {
      correctness: matched('0.99'),
      kl_threshold: KL_THRESHOLD,
    }),
    slot('collective.all_reduce', 'collective', 'all_reduce', ['x'], 'sglang.collective.all_reduce.v1', {
      correctness: matched('0.99'),
    }),
    slot(
      'collective.ar_residual_rmsnorm',
      'collective',
      'ar_residual_rmsnorm',
      ['x', 'residual'],
      'sglang.collective.ar-fusion.v1',
      { correctness: matched('0.99') },
    ),
    {
      target_id: 'collective.moe_epilogue.v1',
      kind: 'atomic',
      members: EPILOGUE,
      displaces: EPILOGUE,
      compatible_with: [],
      requires: [],
      allowed_features: PATCHED,
      contract_ref: null,
      atomic_semantics_id: 'collective.moe_epilogue.v1.atomic-semantics.v1',
    },
    {
      ...slot(
        'collective.moe_finalize_ar_rmsnorm',
        'collective',
        'moe_finalize_ar_rmsnorm',
        ['gemm_out', 'row_map', 'scales', 'residual'],
        'sglang.collective.moe-finalize.v1',
        { correctness: matched('0.99') },
      ),
      allowed_features: PATCHED,
    },
    {
      ...slot(EXPERTS, 'block', 'fused_experts', EXPERTS_INPUTS, EXPERTS_FAMILY, {
        correctness: matched('0.97'),
        prepare: 'prepare',
      }),
      compatible_with: [EXPERTS_REDUCE],
    },
    {
      ...slot(EXPERTS_REDUCE, 'collective', 'fused_experts_reduce', EXPERTS_INPUTS, EXPERTS_FAMILY, {
        correctness: matched('0.97'),
        prepare: 'prepare',
      }),
      compatible_with: [EXPERTS],
    },
    slot('norm.rmsnorm', 'op', 'rmsnorm', ['x'], 'sglang.norm.rmsnorm.v1'),
  ],
  composition_rules: [
    {
      schema_version: 1,
      rule_id: 'sglang.moe.reduce-first.v1',
      target_ids: [EXPERTS, EXPERTS_REDUCE],
      precedence: [EXPERTS_REDUCE, EXPERTS],
      mode: 'first_applicable',
      binding_family_id: EXPERTS_FAMILY,
      binding_contract_digest: 'abc63bc0d7fe1761d131d80639eac8438916a03078581c3a9b7723b9856bd925',
    },
  ],
};

function matched(ratio: string): Partial<Correctness> {
  return { mode: 'matched_ratio', min_ratio: ratio };
}

function overlap(share: string): Partial<Correctness> {
  return { mode: 'topk_overlap', top_k: 8, min_overlap: share };
}

function slot(
  id: string,
  kind: ContractDefinition['kind'],
  entry: string,
  dynamicInputs: readonly string[],
  bindingFamily: string,
  more: Partial<ContractDefinition> = {},
): TargetDefinition {
  return {
    target_id: id,
    kind: 'slot',
    members: [id],
    displaces: [],
    compatible_with: [],
    requires: [],
    allowed_features: FEATURES,
    contract_ref: {
      schema_version: 1,
      slot_id: id,
      kind,
      entry,
      prepare: null,
      graph_dynamic_inputs: dynamicInputs,
      input_abi_id: `${id}.input.v1`,
      output_abi_id: `${id}.output.v1`,
      reference_id: `${id}.reference.v1`,
      verification_profile_id: `${id}.verify.v1`,
      binding_family_id: bindingFamily,
      correctness: {},
      tolerances: [
        { dtype: 'bfloat16', atol: '0.02', rtol: '0.02' },
        { dtype: 'float16', atol: '0.01', rtol: '0.01' },
        { dtype: 'float32', atol: '0.00001', rtol: '0.00001' },
      ],
      kl_threshold: null,
      ...more,
    },
    atomic_semantics_id: null,
  };
}
