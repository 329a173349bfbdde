import { loadConfig } from '../../../config/load/index.ts';
import type { CliIo } from '../io.ts';

/** `run`: the daemon, until it is told to stop. It writes its log to standard output itself. */
export async function runCommand(io: CliIo, configFile: string): Promise<number> {
  const { config } = loadConfig(configFile, io.environment);
  const { runDaemon } = await import('../../run/main.ts');
  return runDaemon(config);
}
