import { CacheonError, type ErrorDetails, type ErrorTable } from '../errors.ts';

export type ConfigErrorCode = 'CONFIG_UNREADABLE' | 'CONFIG_INVALID' | 'CONSENSUS_UNREADABLE' | 'CONSENSUS_INVALID';

export const CONFIG_ERRORS: ErrorTable<ConfigErrorCode> = {
  CONFIG_UNREADABLE: {
    fault: 'operator',
    what: 'the configuration file cannot be read',
    remedy: 'name a readable TOML file with --config; config/examples/node.toml is one',
  },
  CONFIG_INVALID: {
    fault: 'operator',
    what: 'the configuration is not valid',
    remedy: 'correct every field that is listed; config/examples/node.toml is a valid example',
  },
  CONSENSUS_UNREADABLE: {
    fault: 'operator',
    what: 'the folder of consensus objects cannot be read',
    remedy: 'put the consensus objects there as *.json and the digest of the active one in the file `active`',
  },
  CONSENSUS_INVALID: {
    fault: 'operator',
    what: 'a consensus object is not valid',
    remedy: 'replace the file by the object that the subnet owner published',
  },
};

/** One refused field: `network.netuid`, and what is wrong with it. */
export interface ConfigProblem {
  readonly field: string;
  readonly message: string;
}

/** Everything wrong with a configuration at once. Never carries the values, which may be secret. */
export class ConfigError extends CacheonError<ConfigErrorCode> {
  readonly problems: readonly ConfigProblem[];

  constructor(code: ConfigErrorCode, problems: readonly ConfigProblem[], details?: ErrorDetails) {
    const list = problems.map((p) => `${p.field}: ${p.message}`).join('; ');
    super(code, CONFIG_ERRORS[code], list === '' ? undefined : `${CONFIG_ERRORS[code].what}: ${list}`, details);
    this.problems = problems;
  }
}
