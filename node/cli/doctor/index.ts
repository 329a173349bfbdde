import { EXIT } from '../../../config/errors.ts';
import { loadConfig } from '../../../config/load/index.ts';
import { callStatus } from '../../rpc/index.ts';
import { failureOf } from '../failure.ts';
import { type CliIo, type CommandResult, columns } from '../io.ts';
import { endpointChecks } from './endpoint.ts';
import {
  consensusCheck,
  databaseCheck,
  dataDirectoryCheck,
  extraCaCheck,
  hotkeyCheck,
  nodeKeyCheck,
  timingLockCheck,
} from './files.ts';
import { nodeVersionCheck, portsCheck, sandboxCheck } from './host.ts';
import { type Check, type DoctorContext, fail } from './types.ts';

/** Milliseconds for the whole examination. */
const DOCTOR_DEADLINE_MS = 30_000;

type Examine = (context: DoctorContext) => Check | readonly Check[] | Promise<Check | readonly Check[]>;

const CHECKS: readonly (readonly [string, Examine])[] = [
  ['node', nodeVersionCheck],
  ['data directory', dataDirectoryCheck],
  ['node key', nodeKeyCheck],
  ['hotkey', hotkeyCheck],
  ['database', databaseCheck],
  ['consensus', consensusCheck],
  ['timing lock', timingLockCheck],
  ['certificate authorities', extraCaCheck],
  ['ports', portsCheck],
  ['lane sandbox', sandboxCheck],
  ['endpoints', endpointChecks],
];

/** `doctor`: everything that would keep the node from working, at once; exit 78 if there is any. */
export async function doctorCommand(io: CliIo, configFile: string): Promise<CommandResult> {
  const { config } = loadConfig(configFile, io.environment);
  const running = await callStatus(config.status.socket, 'version').then(
    () => true,
    () => false,
  );
  const context = { config, running, signal: AbortSignal.timeout(DOCTOR_DEADLINE_MS) };
  const checks: Check[] = [];
  for (const [name, examine] of CHECKS) checks.push(...(await examined(name, examine, context)));
  const rows = checks.map(({ level, name, detail, remedy }) => [
    level,
    name,
    remedy === null ? detail : `${detail} -> ${remedy}`,
  ]);
  const failed = checks.filter(({ level }) => level === 'fail').length;
  return {
    result: { running, checks },
    text: `${columns(rows)}\n${failed === 0 ? 'the node can run' : `${failed} to be put right`}`,
    exit: failed === 0 ? EXIT.done : EXIT.operator,
  };
}

/** One check that throws is a failed check, not the end of the others. */
async function examined(name: string, examine: Examine, context: DoctorContext): Promise<Check[]> {
  try {
    return [await examine(context)].flat();
  } catch (error) {
    const { error: described } = failureOf(error);
    const detail = [described['code'], described['message']].filter((part) => typeof part === 'string').join(': ');
    return [fail(name, detail, String(described['remedy'] ?? 'check the path and its permissions'))];
  }
}
