import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../../config/load/index.ts';
import { initDataDirectory } from '../../init/index.ts';
import type { CliIo, CommandResult } from '../io.ts';

/** `init`: makes the data directory with the node key and the database. */
export function initCommand(io: CliIo, configFile: string): CommandResult {
  const { config } = loadConfig(configFile, io.environment);
  const result = initDataDirectory(config.node.data_dir, { randomBytes });
  const what = result.created ? 'initialised' : 'was initialised before; nothing changed:';
  return {
    result: { data_dir: config.node.data_dir, ...result },
    text: `${what} ${config.node.data_dir}\nnode id ${result.nodeId}\nnode key ${result.nodePublicKey} (Ed25519)`,
  };
}
