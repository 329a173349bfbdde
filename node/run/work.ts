import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { NodeConfig } from '../../config/schema/index.ts';
import type { SequenceGrades } from '../../evaluator/evidence/index.ts';
import { parseRuntime, type Rules } from '../../evaluator/launch/index.ts';
import type { FoldState } from '../../evaluator/peer/index.ts';
import type { GradeTrajectory } from '../../evaluator/regrade/index.ts';
import { prebuildOptions } from '../../native/engine/index.ts';
import { createWasmLaneFactory } from '../../native/lane/index.ts';
import { createPrebuild } from '../../native/prebuild/index.ts';
import { systemClock } from '../../native/qualify/index.ts';
import type { Logger, PeerNetwork } from '../../p2p/index.ts';
import type { EmbeddedArena } from '../arena/index.ts';
import { intakeBundle, systemLookup } from '../intake/index.ts';
import { timingLock } from '../lock/index.ts';
import { PACK_MAX_BYTES } from '../store/limits.ts';
import type { Applier } from './apply/index.ts';
import type { OwnBindings } from './binding.ts';
import { Bundles } from './bundles.ts';
import type { NodeEvent } from './events.ts';
import { HeldBlobs } from './evidence/blobs.ts';
import { Seals } from './evidence/seal.ts';
import type { KeeperDependencies } from './keeper.ts';
import { openNetwork } from './network.ts';
import type { Resources } from './resources.ts';
import { rulesOf } from './rules.ts';

const MS_PER_SECOND = 1000;
/** Sequences that the pristine reference grades in one request. */
const GRADE_SEQUENCES = 16;

export interface WorkSubject {
  readonly config: NodeConfig;
  readonly resources: Resources;
  readonly arena: EmbeddedArena;
  /** Those of the state that the node starts with. */
  readonly rules: Rules;
  readonly bindings: OwnBindings;
  readonly genesisHash: string;
  /** The block a new node starts after; its hash is null while the chain has not come so far. */
  readonly start: { readonly height: number; readonly hash: string | null };
  readonly networkLog: Logger;
}

export interface WorkDependencies {
  readonly applier: Applier;
  readonly tell: (event: NodeEvent) => void;
  readonly height: () => number;
  readonly membership: () => ReadonlySet<string>;
}

/** What duties are done with. */
export interface Work {
  readonly network: PeerNetwork;
  readonly keeper: Pick<KeeperDependencies, 'attempt' | 'measure' | 'grade'>;
  /** Seals again what must not be shown yet, and stores what peers ask for by our name. */
  restore(state: FoldState): Promise<void>;
  /** To be called with the state of every step: shows what has opened, and measures by what rules now. */
  follow(state: FoldState): void;
  /** Stores our binding where peers fetch it. */
  showBinding(): Promise<void>;
}

/** Composes bundles, evidence, lanes and the network of one node. */
export function composeWork(subject: WorkSubject, deps: WorkDependencies): Work {
  const { config, resources, arena, bindings } = subject;
  const { store } = resources;
  const { tell, height } = deps;
  const seals = new Seals();
  // Another object rules only while no cohort is open, so whatever belongs to one cohort finds the same rules here.
  let { rules } = subject;
  const network = openNetwork(
    {
      config,
      genesisHash: subject.genesisHash,
      consensusDigest: rules.consensusDigest,
      nodeKey: resources.nodeKey,
    },
    {
      blobs: resources.blobs,
      bundles: resources.bundles,
      seals,
      binding: () => bindings.current.signed,
      isIndexed: (digest) => store.blobs.get(digest) !== null,
      membership: deps.membership,
      finalizedHeight: height,
      isCountedReceipt: (digest) => isCounted(deps.applier.state, digest),
      logger: subject.networkLog,
    },
  );
  const extraCa = config.fetch.extra_ca === null ? null : readFileSync(config.fetch.extra_ca, 'utf8');
  const fetchOptions = { allowPrivate: config.fetch.allow_private, extraCa };
  const bundles = new Bundles({
    store,
    bundles: resources.bundles,
    fromMiner: (url, contentHash, signal) =>
      intakeBundle({ url, contentHash }, fetchOptions, { lookup: systemLookup.lookup }, signal),
    fromPeers: (contentHash, prefer, signal) =>
      network.fetchBlob(contentHash, { maxBytes: PACK_MAX_BYTES, prefer, signal }),
    height,
  });
  const blobs = new HeldBlobs({
    store,
    blobs: resources.blobs,
    fetchBlob: (digest, maxBytes, prefer, signal) => network.fetchBlob(digest, { maxBytes, prefer, signal }),
    height,
  });
  const lanes = createWasmLaneFactory({}, { arena: arena.native });
  const lock = timingLock(config.lanes.timing_lock, { random: Math.random });
  const plan = { bundles, catalog: arena.catalog };
  const hotkey = resources.hotkey.address;
  const showBinding = async (): Promise<void> => {
    await blobs.put(bindings.current.envelope, 'binding');
  };
  return {
    network,
    keeper: {
      attempt: {
        ...plan,
        store,
        get rules() {
          return rules;
        },
        hotkey,
        randomBytes,
        tell,
      },
      measure: {
        ...plan,
        store,
        blobs,
        seals,
        get rules() {
          return rules;
        },
        hotkey,
        bindingDigest: () => bindings.current.digest,
        tell,
        qualify: {
          lanes,
          prebuild: createPrebuild(prebuildOptions(arena.native, config.lanes.cache_dir)),
          withTimingLock: (section, signal) => lock.withTimingLock(section, signal),
          clock: systemClock,
          runtime: runtimeHere(arena.native.compiler),
        },
      },
      grade: {
        ...plan,
        store,
        blobs,
        get rules() {
          return rules;
        },
        gradeTrajectory: (sequences, signal) => {
          const bound = AbortSignal.timeout(rules.consensus.attempt_seconds * MS_PER_SECOND);
          return gradePristine(lanes, sequences, AbortSignal.any([signal, bound]));
        },
      },
    },
    showBinding,
    async restore(state) {
      seals.reseal(state, store);
      await showBinding();
    },
    follow(state) {
      seals.follow(state);
      if (state.consensus_digest !== rules.consensusDigest) rules = rulesOf(state.consensus, arena);
    },
  };
}

/** Runs T again over a whole trajectory, as many sequences at a time as measuring asks for. */
async function gradePristine(
  lanes: ReturnType<typeof createWasmLaneFactory>,
  sequences: Parameters<GradeTrajectory>[0],
  signal: AbortSignal,
): Promise<SequenceGrades[]> {
  const lane = await lanes.open({ slotIndex: 0, modules: [] }, signal);
  const grades: SequenceGrades[] = [];
  try {
    for (let at = 0; at < sequences.length; at += GRADE_SEQUENCES) {
      grades.push(...(await lane.grade(sequences.slice(at, at + GRADE_SEQUENCES), signal)));
    }
    return grades;
  } finally {
    await lane.close();
  }
}

function isCounted({ phase }: FoldState, receipt: string): boolean {
  if (phase.kind !== 'ballots') return false;
  return phase.cohort.members.some((member) => member.sides.some((side) => side.receipt?.digest === receipt));
}

function runtimeHere(compiler: string): ReturnType<typeof parseRuntime> {
  const { node, v8 } = process.versions;
  return parseRuntime({ node, v8, platform: process.platform, arch: process.arch, compiler });
}
