import { loadConfig, showConfig } from '../../../config/load/index.ts';
import { type CliIo, type CommandResult, columns } from '../io.ts';

/** `config show`: the effective configuration, the origin of each value, secrets redacted. */
export function configShowCommand(io: CliIo, configFile: string): CommandResult {
  const fields = showConfig(loadConfig(configFile, io.environment));
  const rows = fields.map(({ field, value, origin, variable }) => [field, JSON.stringify(value), origin, variable]);
  return { result: { fields }, text: columns([['field', 'value', 'origin', 'variable'], ...rows]) };
}

/** `config check`: valid, or every problem at once. */
export function configCheckCommand(io: CliIo, configFile: string): CommandResult {
  const { config } = loadConfig(configFile, io.environment);
  return { result: { valid: true }, text: `valid: preset ${config.network.preset}, netuid ${config.network.netuid}` };
}
