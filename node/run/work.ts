import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { NodeConfig } from '../../config/schema/index.ts';
import { parseRuntime, type Rules } from '../../evaluator/launch/index.ts';
import type { FoldState } from '../../evaluator/peer/index.ts';
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
import type { OwnBinding } from './binding.ts';
import { Bundles } from './bundles.ts';
import type { NodeEvent } from './events.ts';
import { HeldBlobs } from './evidence/blobs.ts';
import { Seals } from './evidence/seal.ts';
import type { KeeperDependencies } from './keeper.ts';
import { openNetwork } from './network.ts';
import type { Resources } from './resources.ts';

export interface WorkSubject {
  readonly config: NodeConfig;
  readonly resources: Resources;
  readonly arena: EmbeddedArena;
  readonly rules: Rules;
  readonly binding: OwnBinding;
  readonly genesisHash: string;
  /** The block a new node starts after. */
  readonly start: { readonly height: number; readonly hash: string };
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
  readonly keeper: Pick<KeeperDependencies, 'seals' | 'rules' | 'attempt' | 'measure' | 'grade'>;
  /** Seals again what must not be shown yet, and stores what peers ask for by our name. */
  restore(state: FoldState, resources: Resources): Promise<void>;
}

/** Composes bundles, evidence, lanes and the network of one node. */
export function composeWork(subject: WorkSubject, deps: WorkDependencies): Work {
  const { config, resources, arena, rules, binding } = subject;
  const { store } = resources;
  const { tell, height } = deps;
  const seals = new Seals();
  const network = openNetwork(
    {
      config,
      genesisHash: subject.genesisHash,
      consensusDigest: rules.consensusDigest,
      nodeKey: resources.nodeKey,
      binding: binding.signed,
    },
    {
      blobs: resources.blobs,
      bundles: resources.bundles,
      seals,
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
    fromPeers: (contentHash, signal) => network.fetchBlob(contentHash, { maxBytes: PACK_MAX_BYTES, signal }),
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
  return {
    network,
    keeper: {
      seals,
      rules,
      attempt: { ...plan, store, rules, hotkey, randomBytes, tell },
      measure: {
        ...plan,
        store,
        blobs,
        seals,
        rules,
        hotkey,
        bindingDigest: binding.digest,
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
        rules,
        gradeTrajectory: async (sequences, signal) => {
          const lane = await lanes.open({ slotIndex: 0, modules: [] }, signal);
          try {
            return await lane.grade(sequences, signal);
          } finally {
            await lane.close();
          }
        },
      },
    },
    async restore(state) {
      await blobs.put(binding.envelope, 'binding');
      const { phase } = state;
      if (phase.kind === 'measuring') await seals.reseal(phase.cohort.index, store, resources.blobs);
    },
  };
}

function isCounted({ phase }: FoldState, receipt: string): boolean {
  if (phase.kind !== 'ballots') return false;
  return phase.cohort.members.some((member) => member.sides.some((side) => side.receipt?.digest === receipt));
}

function runtimeHere(compiler: string): ReturnType<typeof parseRuntime> {
  const { node, v8 } = process.versions;
  return parseRuntime({ node, v8, platform: process.platform, arch: process.arch, compiler });
}
