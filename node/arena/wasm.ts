import { type TargetCatalog, wasmArenaCatalog } from '../../evaluator/catalog/index.ts';
import { canonicalDigest, type TreeFile } from '../../evaluator/identity/index.ts';
import {
  type Arena,
  arenaDigest,
  defaultAuditPolicy,
  defaultEvaluation,
  evaluationDigest,
  type RuleObjects,
} from '../../evaluator/launch/index.ts';
import { type EvaluationStackManifest, referenceManifestDigest, stackDigest } from '../../evaluator/manifest/index.ts';
import { genesisLedger, type Ledger } from '../../evaluator/settle/index.ts';
import { PAIRED_PREVIEW_V9, speedPolicyDigest } from '../../evaluator/speed/index.ts';
import { materializeWasmTree, treeDigest } from '../../evaluator/tree/index.ts';
import { engineFiles, openArena, stockFiles, type WasmArena } from '../../native/engine/index.ts';
import { referenceManifest } from './reference.ts';

/** What a consensus object says of its arena. */
export interface ArenaSubject {
  readonly arena_digest: string;
  readonly catalog_digest: string;
  readonly genesis_stack_digest: string;
  readonly speed_policy_digest: string;
  readonly evaluation_digest: string;
}

/** The embedded WASM arena with everything that follows from it: rules, catalog, genesis. */
export interface EmbeddedArena {
  readonly native: WasmArena;
  readonly catalog: TargetCatalog;
  readonly objects: RuleObjects;
  readonly genesis: Ledger;
  readonly subject: ArenaSubject;
}

const ARENA_NAME = 'embedded-wasm';
const TOPOLOGY = 'single';

/**
 * Opens the embedded arena, compiling engine and stock kernels on first use, and derives its objects. They are data
 * and compiled bytes alone, so every host with this release and runtime derives the same digests.
 * @throws WasmError
 */
export async function openEmbeddedArena(cacheDir: string, signal: AbortSignal): Promise<EmbeddedArena> {
  const native = await openArena({ cacheDir }, signal);
  const arena: Arena = {
    schema_version: 1,
    name: ARENA_NAME,
    backend: 'wasm',
    engine_digest: native.engineDigest,
    model_digest: native.modelDigest,
    workload_digest: native.workloadDigest,
    topology: TOPOLOGY,
    lane_slots: 2,
  };
  const catalog = wasmArenaCatalog();
  const manifest: EvaluationStackManifest = {
    type: 'evaluation_stack',
    schema_version: 1,
    stack_policy_version: 'evaluation-stack.v1',
    runtime_digest: native.runtimeDigest,
    base_engine_digest: treeDigest(baseEngineFiles()),
    arena_digest: arenaDigest(arena),
    catalog_digest: catalog.digest,
    catalog_snapshot: catalog.snapshot,
    entries: {},
  };
  const genesis = genesisLedger(manifest, materializeWasmTree(stackDigest(manifest), []).digest);
  const reference = referenceManifest(arena, genesis, native);
  const evaluation = defaultEvaluation({
    referenceManifestDigest: referenceManifestDigest(reference),
    promptPoolSeed: canonicalDigest('cacheon.wasm.prompt-pool.v1', { arena_digest: manifest.arena_digest }),
    auditPolicy: defaultAuditPolicy(
      { ...native.config.shape, prefillRows: native.config.prefillRows },
      native.config.rmsEps,
    ),
  });
  return {
    native,
    catalog,
    objects: { arena, evaluation, speedPolicy: PAIRED_PREVIEW_V9, reference },
    genesis,
    subject: {
      arena_digest: manifest.arena_digest,
      catalog_digest: catalog.digest,
      genesis_stack_digest: genesis.stack_digest,
      speed_policy_digest: speedPolicyDigest(PAIRED_PREVIEW_V9),
      evaluation_digest: evaluationDigest(evaluation),
    },
  };
}

/** Sources of the stock engine; base_engine_digest is the digest of their tree (`names.md`). */
function baseEngineFiles(): TreeFile[] {
  return [
    ...engineFiles().map(({ path, data }) => ({ path: `engine/${path}`, data })),
    ...stockFiles().map(({ path, data }) => ({ path: `stock/${path}`, data })),
  ];
}
