import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { StatusDocument, StatusSource } from './types.ts';

/** Name, help and value of each gauge, taken from the status document at every scrape. */
const GAUGES: readonly (readonly [string, string, (status: StatusDocument) => number | null])[] = [
  ['finalized_height', 'Last finalized block the node has seen', (s) => s.chain.finalized_height],
  ['folded_height', 'Last block the node has folded', (s) => s.chain.folded_height],
  ['head_age_seconds', 'Seconds since the last new finalized block', (s) => s.chain.head_age_seconds],
  ['chain_connected', 'Whether an endpoint answers', (s) => Number(s.chain.connected)],
  ['peers_connected', 'Authenticated peers', (s) => s.peers.connected],
  ['queue_length', 'Reservations in the queue', (s) => s.queue.length],
  ['lanes_capacity', 'Places of one cohort the node takes', (s) => s.lanes.capacity],
  ['cohort_index', 'Index of the open cohort', (s) => s.cohort?.index ?? null],
  ['record_index', 'Index of the last cohort record', (s) => s.records.last_index],
  ['journal_events', 'Settlement events in the journal', (s) => s.journal.count],
  ['weights_last_confirmed_height', 'Epoch height of the last vector read back', (s) => s.weights.last_confirmed],
  ['evidence_bytes', 'Bytes of evidence held', (s) => s.storage.bytes],
  ['evidence_blobs', 'Blobs of evidence held', (s) => s.storage.blobs],
  ['anchors_left', 'Anchors left in this tempo', (s) => s.anchors_left],
  ['uptime_seconds', 'Seconds since the node started', (s) => s.node.uptime_seconds],
];

/** Gauges with labels, or of more than the status document. */
const OTHERS = {
  ready: ['Whether every check of /readyz passes', []],
  phase: ['State of the cohort machine', ['phase']],
  trouble: ['Named states that need attention', ['code', 'blocking']],
  build_info: ['Version of the node', ['version', 'consensus']],
} as const satisfies Readonly<Record<string, readonly [string, readonly string[]]>>;

const PREFIX = 'cacheon_';

/** Every gauge of this project, for docs/METRICS.md; those of the process come from prom-client. */
export const METRICS: readonly { readonly name: string; readonly help: string; readonly labels: readonly string[] }[] =
  [
    ...GAUGES.map(([name, help]) => ({ name: `${PREFIX}${name}`, help, labels: [] })),
    ...Object.entries(OTHERS).map(([name, [help, labels]]) => ({ name: `${PREFIX}${name}`, help, labels })),
  ];

export interface Metrics {
  readonly contentType: string;
  /** Prometheus text of now. */
  render(): Promise<string>;
}

/** Metrics of one node, in a registry of its own. */
export function createMetrics(source: StatusSource): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, labelNames: readonly string[] = []): Gauge =>
    new Gauge({ name: `${PREFIX}${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const gauges = GAUGES.map(([name, help, value]) => ({ gauge: gauge(name, help), value }));
  const other = (name: keyof typeof OTHERS): Gauge => gauge(name, OTHERS[name][0], OTHERS[name][1]);
  const [ready, phase, trouble, info] = [other('ready'), other('phase'), other('trouble'), other('build_info')];
  return {
    contentType: registry.contentType,
    async render() {
      const status = source.status();
      for (const { gauge: one, value } of gauges) {
        const now = value(status);
        if (now === null) one.remove();
        else one.set(now);
      }
      ready.set(Number(source.health().ready));
      for (const labelled of [phase, trouble, info]) labelled.reset();
      phase.set({ phase: status.phase }, 1);
      for (const { code, blocking } of status.troubles) trouble.set({ code, blocking: String(blocking) }, 1);
      info.set({ version: status.node.version, consensus: status.consensus.digest }, 1);
      return registry.metrics();
    },
  };
}
