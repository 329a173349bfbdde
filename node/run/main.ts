import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectChain } from '../../chain/rpc/index.ts';
import { capacityThatFits } from '../../config/consensus/index.ts';
import { endWithStdin, requireNode } from '../../config/entry.ts';
import { EXIT } from '../../config/errors.ts';
import type { NodeConfig } from '../../config/schema/index.ts';
import { DEVNET_POLICY_NOTICE_BLOCKS, type FoldState, POLICY_NOTICE_BLOCKS } from '../../evaluator/peer/index.ts';
import type { Ledger } from '../../evaluator/settle/index.ts';
import { type EmbeddedArena, openEmbeddedArena } from '../arena/index.ts';
import { createLogger, type Logger } from '../log/index.ts';
import { startStatusServer } from '../rpc/index.ts';
import { Applier } from './apply/index.ts';
import { OwnBindings } from './binding.ts';
import { Daemon } from './daemon.ts';
import { RunError } from './errors.ts';
import { openResources, type Resources } from './resources.ts';
import { type KnownConsensus, readKnownConsensus, rulesOf } from './rules.ts';
import { statusSource } from './status/source.ts';
import { Troubles } from './status/troubles.ts';

/** Block time that capacity is planned with, seconds: subtensor's, and the devnet's. */
const BLOCK_SECONDS = { devnet: 1, other: 12 } as const;
const MS_PER_SECOND = 1000;

/**
 * Runs a node until SIGTERM or SIGINT.
 * @returns the exit code; @throws CacheonError with fault operator where the operator must act (exit 78)
 */
export async function runDaemon(config: NodeConfig): Promise<number> {
  requireNode();
  const stop = new AbortController();
  const end = (): void => stop.abort(new Stopped());
  process.once('SIGTERM', end).once('SIGINT', end);
  endWithStdin(end);
  const log = createLogger({ level: config.node.log_level });
  const resources = await openResources(config);
  try {
    await runWith(config, resources, log, stop);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  } finally {
    stop.abort(new Stopped());
    resources.close();
  }
  return EXIT.done;
}

class Stopped extends Error {}

async function runWith(config: NodeConfig, resources: Resources, log: Logger, stop: AbortController): Promise<void> {
  const { signal } = stop;
  const started = performance.now();
  const known = readKnownConsensus(config);
  const arena = await openEmbeddedArena(config.lanes.cache_dir, signal);
  const chain = await connectChain(
    { endpoints: endpointsOf(config), genesisHash: config.network.genesis_hash },
    { random: Math.random, onEvent: (event) => log.info({ chain: event.kind }, 'chain connection') },
    signal,
  );
  try {
    const { genesisHash } = chain.rpc;
    const { address: hotkey } = resources.hotkey;
    resources.store.meta.pin({ genesis_hash: genesisHash, netuid: config.network.netuid, hotkey });
    const applier = openApplier(config, known, arena, resources);
    const rules = rulesOf(applier.state.consensus, arena);
    const startHeight = Math.max(0, known.active.activation_height - 1);
    const head = await chain.finalizedHead(signal);
    // A block that is not final yet may still be another one.
    const startHash = startHeight <= head.height ? await chain.blockHash(startHeight, signal) : null;
    const bindings = new OwnBindings(join(resources.keyFolder, 'binding.json'), {
      genesisHash,
      netuid: config.network.netuid,
      hotkey,
      nodeKey: resources.nodeKey,
      height: head.height,
      sign: (message) => resources.hotkey.sign(message),
    });
    const troubles = new Troubles();
    const blockSeconds = config.network.preset === 'devnet' ? BLOCK_SECONDS.devnet : BLOCK_SECONDS.other;
    const capacity = ({ consensus }: FoldState): number =>
      Math.min(config.lanes.capacity, capacityThatFits(consensus, blockSeconds));
    const daemon = new Daemon(
      {
        config,
        resources,
        arena,
        rules,
        bindings,
        genesisHash,
        start: { height: startHeight, hash: startHash },
        networkLog: log,
        netuid: config.network.netuid,
        version: packageVersion(),
        capacity,
      },
      { chain, troubles, applier, signal, log, end: () => stop.abort(new Stopped()) },
    );
    const server = await startStatusServer(
      config.status,
      statusSource({
        config,
        version: packageVersion(),
        hotkey,
        sandbox: arena.native.sandbox.kind,
        capacity: () => capacity(applier.state),
        store: resources.store,
        troubles,
        network: daemon.network,
        state: () => applier.state,
        ledger: () => applier.ledger,
        chain: () => {
          const { finalized, quietMs } = daemon.follower.status();
          const cursor = resources.store.cursor.get();
          const { endpoint } = chain.rpc.health();
          return {
            connected: endpoint !== null,
            endpoint,
            finalized_height: finalized,
            // Only the block that was taken last has its hash here.
            finalized_hash: cursor !== null && cursor.height === finalized ? cursor.hash : null,
            folded_height: applier.state.height,
            head_age_seconds: finalized === null ? null : Math.round(quietMs / MS_PER_SECOND),
          };
        },
        lanes: () => laneRows(daemon.running()),
        anchorsLeft: () => daemon.anchorsLeft,
        uptimeSeconds: () => Math.round((performance.now() - started) / MS_PER_SECOND),
      }),
    );
    log.info({ port: server.port, hotkey, capacity: capacity(applier.state) }, 'started');
    try {
      daemon.tell({ type: 'state', state: 'STARTED', detail: `finalized height ${head.height}` });
      await daemon.run();
    } finally {
      await server.close();
    }
  } finally {
    await chain.close();
  }
}

/** The archive endpoint comes last: it is asked for state that the others have pruned, and when they are all down. */
function endpointsOf({ network }: NodeConfig): readonly string[] {
  return network.archive_endpoint === null ? network.endpoints : [...network.endpoints, network.archive_endpoint];
}

function openApplier(config: NodeConfig, known: KnownConsensus, arena: EmbeddedArena, resources: Resources): Applier {
  const genesis: Ledger = arena.genesis;
  const { store } = resources;
  return new Applier(
    {
      genesis: { consensus: known.active, ledger: genesis },
      policyNoticeBlocks: config.network.preset === 'devnet' ? DEVNET_POLICY_NOTICE_BLOCKS : POLICY_NOTICE_BLOCKS,
    },
    {
      store,
      source: { object: known.object, isRecord: (digest) => store.records.byDigest(digest) !== null },
      genesisOf: (stack) => {
        if (stack !== genesis.stack_digest) throw new RunError('ARENA_MISMATCH', undefined, { field: stack });
        return genesis;
      },
    },
  );
}

function laneRows(running: readonly string[]): { slot: 0 | 1; role: string | null; reservation_id: null }[] {
  const isMeasuring = running.some((key) => key.startsWith('measure:'));
  return ([0, 1] as const).map((slot) => ({ slot, role: isMeasuring ? 'measuring' : null, reservation_id: null }));
}

function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
