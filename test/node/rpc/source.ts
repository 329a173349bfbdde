import { STATUS_SCHEMA, type StatusDocument, type StatusSource } from '../../../node/rpc/index.ts';

const D = 'ab'.repeat(32);

export const STATUS: StatusDocument = {
  schema: STATUS_SCHEMA,
  node: { node_id: 'n1', version: '0.1.0', hotkey: '5F', peer_id: null, data_dir: '/d', uptime_seconds: 3 },
  network: { preset: 'devnet', genesis_hash: `0x${D}`, netuid: 2 },
  chain: {
    connected: true,
    endpoint: 'ws://127.0.0.1:9944',
    finalized_height: 120,
    finalized_hash: `0x${D}`,
    folded_height: 119,
    head_age_seconds: 1.5,
  },
  consensus: { digest: D, activation_height: 1, next: null },
  phase: 'idle',
  cohort: null,
  queue: { length: 7, rows: [] },
  lanes: { capacity: 2, sandbox: 'bwrap', slots: [] },
  peers: { connected: 1, rows: [] },
  stack: { digest: D, entries: [] },
  journal: { count: 4, head: D, recent: [] },
  records: { last_index: null, last_digest: null },
  weights: { rows: [], last_confirmed: 100 },
  storage: { blobs: 2, bytes: 10 },
  anchors_left: 31,
  troubles: [{ code: 'NO_QUORUM', since: 90, detail: 'twice', remedy: 'ask the others', blocking: false }],
};

/** A source that answers with fixed facts and remembers the pages it was asked for. */
export function fixedSource(overrides: Partial<StatusSource> = {}): StatusSource & { pages: unknown[] } {
  const pages: unknown[] = [];
  return {
    pages,
    status: () => STATUS,
    health: () => ({ ready: true, checks: [{ name: 'chain', ok: true, detail: '' }] }),
    version: () => ({ version: '0.1.0', node: '24', schema: STATUS_SCHEMA }),
    queue: () => [],
    journal: (page) => {
      pages.push(page);
      return [];
    },
    records: () => [],
    events: () => [],
    ...overrides,
  };
}
