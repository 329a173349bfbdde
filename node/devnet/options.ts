import { Command, InvalidArgumentError } from 'commander';

/** Fewest and most validators of a devnet: two sides need two coldkeys, and one more makes a quorum worth the name. */
export const MIN_VALIDATORS = 3;
export const MAX_VALIDATORS = 8;

export interface DevnetOptions {
  readonly json: boolean;
  readonly keep: boolean;
  readonly validators: number;
  /** Folder of this run; a fresh temporary one unless given. */
  readonly dataDir: string | null;
  /** Seconds until the run is given up. */
  readonly timeout: number;
}

/** Seconds; a run takes about two minutes on two idle cores. */
const DEFAULT_TIMEOUT = 900;

/** Reads the command line of `npm run devnet`. Exits 2 on a wrong one, 0 after --help. */
export function readOptions(argv: readonly string[]): DevnetOptions {
  const command = new Command('devnet')
    .description('A development chain, validators and three miners on this machine, until a kernel is crowned')
    .option('--json', 'one JSON object a line', false)
    .option('--keep', 'leave everything running after the summary', false)
    .option('--validators <n>', 'how many validator nodes', integer(MIN_VALIDATORS, MAX_VALIDATORS), MIN_VALIDATORS)
    .option('--data-dir <dir>', 'keep keys, databases and evidence here')
    .option('--timeout <seconds>', 'give up after so long', integer(1, 86_400), DEFAULT_TIMEOUT)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));
  command.parse(argv as string[]);
  const values = command.opts<Omit<DevnetOptions, 'dataDir'> & { dataDir?: string }>();
  return { ...values, dataDir: values.dataDir ?? null };
}

function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min || value > max) {
      throw new InvalidArgumentError(`a whole number from ${min} to ${max}`);
    }
    return value;
  };
}
