import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canonicalDigest, type TreeFile } from '../../evaluator/identity/index.ts';
import { type Arena, arenaDigest, launchDigest, promptsDigest } from '../../evaluator/launch/index.ts';
import type { ReferenceManifest } from '../../evaluator/manifest/index.ts';
import type { Ledger } from '../../evaluator/settle/index.ts';
import { treeDigest } from '../../evaluator/tree/index.ts';
import type { WasmArena } from '../../native/engine/index.ts';

/** Version of the lane protocol, part of launch identity. */
const PROTOCOL_VERSION = 1;
const repository = fileURLToPath(new URL('../..', import.meta.url));

/** The pristine reference of the embedded arena: stock engine, candidate-free, untimed (`protocol.md` section 4). */
export function referenceManifest(arena: Arena, genesis: Ledger, native: WasmArena): ReferenceManifest {
  const { manifest, stack_digest, tree_digest } = genesis;
  const pristineLaunch = launchDigest({
    tree_digest,
    native_publication_digest: null,
    model_digest: native.modelDigest,
    tokenizer_digest: native.tokenizerDigest,
    image_digest: null,
    topology: arena.topology,
    lane_slot: 0,
    graph_mode: 'eager',
    flags: [],
    workload_digest: native.workloadDigest,
    prompts_digest: promptsDigest([]),
    role: 'T',
    protocol_version: PROTOCOL_VERSION,
    seam_bindings: [],
  });
  return {
    pristine_stack_digest: stack_digest,
    pristine_tree_digest: tree_digest,
    pristine_launch_digest: pristineLaunch,
    runtime_digest: manifest.runtime_digest,
    base_engine_digest: manifest.base_engine_digest,
    arena_digest: arenaDigest(arena),
    catalog_digest: manifest.catalog_digest,
    controller_distribution_digest: canonicalDigest('cacheon.controller-distribution.v1', packageIdentity()),
    worker_distribution_digest: treeDigest(workerFiles()),
    model_revision_digest: canonicalDigest('cacheon.wasm.model-revision.v1', { seed: native.config.seed }),
    model_manifest_digest: native.modelDigest,
    model_content_digest: canonicalDigest('cacheon.wasm.model-content.v1', { model_digest: native.modelDigest }),
    logical_hardware_digest: canonicalDigest('cacheon.logical-hardware.v1', {
      backend: arena.backend,
      topology: arena.topology,
    }),
    workload_digest: native.workloadDigest,
    tokenizer_digest: native.tokenizerDigest,
    hidden_corpus_commitment: canonicalDigest('cacheon.hidden-corpus.v1', { workload_digest: native.workloadDigest }),
    hidden_judge_digest: canonicalDigest('cacheon.hidden-judge.v1', { token_rule: 'greedy-equal-or-margin' }),
    selection_policy_digest: canonicalDigest('cacheon.selection-policy.v1', {
      policy_version: 'qualification-selection.v2',
    }),
  };
}

function packageIdentity(): { name: string; version: string } {
  const { name, version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return { name, version };
}

/** The lane's own program, which runs beside a candidate. */
function workerFiles(): TreeFile[] {
  return ['native/lane/child', 'native/wire'].flatMap((folder) =>
    readdirSync(join(repository, folder))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => ({ path: `${folder}/${name}`, data: readFileSync(join(repository, folder, name)) })),
  );
}
