import { fileURLToPath } from 'node:url';
import { METRICS } from '../../node/rpc/metrics.ts';
import { keepDocument } from './keep.ts';

const HEAD = `# Metrics

Generated from \`node/rpc/metrics.ts\` (\`npm run docs\`). Prometheus text at \`GET /metrics\` of the status server, by
default \`http://127.0.0.1:9750/metrics\`; everything is read at the scrape. A gauge whose value is unknown is left out.
Those of the process and of Node (\`process_*\`, \`nodejs_*\`) are prom-client's default ones.

| gauge | labels | meaning |
|---|---|---|
`;

const TAIL = `
Worth an alert:

| expression | because |
|---|---|
| \`cacheon_ready == 0\` for 10 minutes | nothing is settled or published meanwhile |
| \`cacheon_trouble{blocking="true"} == 1\` | the state is named in \`code\`; [OPERATIONS.md](OPERATIONS.md) says what to do |
| \`cacheon_finalized_height - cacheon_folded_height > 50\` | the fold does not keep up, or waits for bytes |
| \`cacheon_peers_connected == 0\` | no evidence can be fetched |
| \`cacheon_anchors_left < 4\` | the commitment budget of this tempo is nearly used up |
| \`time() - process_start_time_seconds < 60\` again and again | it is being restarted; see its log |
`;

/** The text of docs/METRICS.md. */
export function metricsDocument(): string {
  const rows = METRICS.map(({ name, labels, help }) => `| \`${name}\` | ${labels.join(', ')} | ${help} |`);
  return `${HEAD}${rows.join('\n')}\n${TAIL}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  keepDocument('METRICS.md', metricsDocument(), process.argv.includes('--check'));
}
