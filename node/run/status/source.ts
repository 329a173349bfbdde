import type { NodeConfig } from '../../../config/schema/index.ts';
import type { FoldState } from '../../../evaluator/peer/index.ts';
import type { Ledger } from '../../../evaluator/settle/index.ts';
import type { PeerNetwork } from '../../../p2p/index.ts';
import {
  type HealthStatus,
  type LaneStatus,
  STATUS_SCHEMA,
  type StatusDocument,
  type StatusSource,
} from '../../rpc/index.ts';
import type { Store } from '../../store/index.ts';
import { cohortStatus, queueRows } from './cohort.ts';
import { journalRow, recordRow, stackStatus, weightsStatus } from './rows.ts';
import type { Troubles } from './troubles.ts';

/** Journal rows in the status document. */
const JOURNAL_ROWS = 10;
const QUEUE_MAX_ROWS = 1000;

export interface StatusFacts {
  readonly config: NodeConfig;
  readonly version: string;
  readonly hotkey: string;
  readonly sandbox: string;
  capacity(): number;
  readonly store: Store;
  readonly troubles: Troubles;
  readonly network: PeerNetwork;
  state(): FoldState;
  ledger(): Ledger;
  chain(): StatusDocument['chain'];
  lanes(): readonly LaneStatus[];
  anchorsLeft(): number | null;
  uptimeSeconds(): number;
}

/** Answers the status server from what the daemon holds; reads only. */
export function statusSource(facts: StatusFacts): StatusSource {
  const { store, config } = facts;
  return {
    status: () => statusDocument(facts),
    health: () => health(facts),
    version: () => ({ version: facts.version, node: process.versions.node, schema: STATUS_SCHEMA }),
    queue: () => queueRows(facts.state(), QUEUE_MAX_ROWS),
    journal: ({ before, limit }) => store.journal.page(before, limit).map(journalRow),
    records: ({ before, limit }) => store.records.page(before, limit).map(recordRow),
    events: (after, limit) =>
      store.events.after(after, limit).map(({ sequence, height, event }) => ({ sequence, height, event })),
  };

  function statusDocument(known: StatusFacts): StatusDocument {
    const state = known.state();
    const ledger = known.ledger();
    const { network } = known;
    const next = state.policy[0];
    const last = store.records.last();
    const totals = store.blobs.totals();
    const peers = network.peers();
    return {
      schema: STATUS_SCHEMA,
      node: {
        node_id: store.meta.nodeId() ?? '',
        version: known.version,
        hotkey: known.hotkey,
        peer_id: network.describeNetwork().peer_id,
        data_dir: config.node.data_dir,
        uptime_seconds: known.uptimeSeconds(),
      },
      network: {
        preset: config.network.preset,
        genesis_hash: state.consensus.genesis_hash,
        netuid: state.consensus.netuid,
      },
      chain: known.chain(),
      consensus: {
        digest: state.consensus_digest,
        activation_height: state.consensus.activation_height,
        next: next === undefined ? null : { digest: next.digest, activation_height: next.activation_height },
      },
      phase: state.phase.kind,
      cohort: cohortStatus(state, known.hotkey, store),
      queue: { length: state.queue.length, rows: queueRows(state) },
      lanes: { capacity: known.capacity(), sandbox: known.sandbox, slots: known.lanes() },
      peers: {
        connected: peers.length,
        rows: peers.map((peer) => ({
          peer_id: peer.peerId,
          hotkey: peer.authenticated ? peer.hotkey : null,
          address: peer.address,
          authenticated: peer.authenticated,
          score: peer.score,
        })),
      },
      stack: stackStatus(ledger),
      journal: {
        count: store.journal.count(),
        head: ledger.journal.head,
        recent: store.journal.page(null, JOURNAL_ROWS).map(journalRow),
      },
      records: { last_index: last?.cohort_index ?? null, last_digest: last?.digest ?? null },
      weights: weightsStatus(store),
      storage: { blobs: totals.count, bytes: totals.bytes },
      anchors_left: known.anchorsLeft(),
      troubles: known.troubles.list(state),
    };
  }
}

/** Ready means: follows the finalized head and nothing blocks settling or publishing. */
function health({ troubles, state, network, chain }: StatusFacts): HealthStatus {
  const standing = troubles.list(state());
  const blocking = standing.filter((trouble) => trouble.blocking);
  const checks = [
    { name: 'chain', ok: chain().connected, detail: chain().endpoint ?? 'no endpoint is connected' },
    { name: 'troubles', ok: blocking.length === 0, detail: blocking.map((trouble) => trouble.code).join(' ') },
    { name: 'peers', ok: true, detail: `${network.peers().length} connected` },
  ];
  return { ready: checks.every((check) => check.ok), checks };
}
