import { EXIT } from '../../../config/errors.ts';
import { loadConfig } from '../../../config/load/index.ts';
import { callStatus, type HealthStatus, STATUS_SCHEMA, type StatusDocument, StatusError } from '../../rpc/index.ts';
import { type CliIo, type CommandResult, columns } from '../io.ts';

/** `status`: what the running node says; exit 75 while it is not ready. */
export async function statusCommand(io: CliIo, configFile: string): Promise<CommandResult> {
  const { config } = loadConfig(configFile, io.environment);
  const status = (await callStatus(config.status.socket, 'status')) as StatusDocument;
  if (status.schema !== STATUS_SCHEMA) throw new StatusError('STATUS_ANSWER', 'another version of the status document');
  const health = (await callStatus(config.status.socket, 'health')) as HealthStatus;
  return {
    result: { ready: health.ready, status },
    text: [overview(status, health), places(status), troubles(status)].filter((part) => part !== '').join('\n\n'),
    exit: health.ready ? EXIT.done : EXIT.tryAgain,
  };
}

function overview(
  { node, network, chain, phase, cohort, queue, peers, records, weights }: StatusDocument,
  health: HealthStatus,
): string {
  return columns([
    [
      'ready',
      health.ready
        ? 'yes'
        : `no: ${health.checks
            .filter((c) => !c.ok)
            .map((c) => c.name)
            .join(', ')}`,
    ],
    ['hotkey', node.hotkey],
    ['network', `${network.preset}, netuid ${network.netuid}`],
    ['finalized', chain.finalized_height],
    ['folded', chain.folded_height],
    ['phase', cohort === null ? phase : `${phase}, cohort ${cohort.index} until block ${cohort.deadline}`],
    ['queue', queue.length],
    ['peers', peers.connected],
    ['last record', records.last_index],
    ['weights confirmed', weights.last_confirmed],
  ]);
}

function places({ cohort }: StatusDocument): string {
  if (cohort === null) return '';
  const rows = cohort.members.flatMap((member) =>
    member.sides.map((side) => [
      side.place,
      member.reservation_id.slice(0, 12),
      side.own ? 'this node' : side.validator,
      side.receipt !== null ? 'received' : side.attempt !== null ? 'measuring' : 'waiting',
      side.result,
    ]),
  );
  return columns([['place', 'reservation', 'validator', 'progress', 'result'], ...rows]);
}

function troubles(status: StatusDocument): string {
  return status.troubles.map((t) => `${t.code}: ${t.detail}\n  what to do: ${t.remedy}`).join('\n');
}
