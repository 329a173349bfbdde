import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { EXIT } from '../../config/errors.ts';
import { failureOf } from './failure.ts';
import { CLI_SCHEMA, type CliIo, type CommandResult } from './io.ts';
import { addMinerCommands, type Report } from './miner-program.ts';

/** Where packages put the configuration. */
const DEFAULT_CONFIG = '/etc/cacheon/node.toml';

interface Options {
  readonly config: string;
  readonly json?: true;
}

/** Version of this package. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/**
 * Runs one command line.
 * @param argv arguments after the program's name
 * @returns the exit code (`names.md`, Processes)
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  let exit: number = EXIT.done;
  const report: Report = async (name, options, action) => {
    exit = await reported(io, name, options.json === true, action);
  };
  const program = new Command('cacheon-node')
    .description('Validator node of an inference-optimisation subnet')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err });

  const command = (parent: Command, name: string, description: string): Command =>
    parent
      .command(name)
      .description(description)
      .option('--json', 'print one JSON object')
      .option('--config <file>', 'configuration file', DEFAULT_CONFIG);

  // Each command loads what it needs and no more: the chain's libraries alone take a second.
  command(program, 'run', 'run the node').action(async (options: Options) => {
    exit = await guarded(io, 'run', options.json === true, async () => {
      const { runCommand } = await import('./commands/run.ts');
      return runCommand(io, options.config);
    });
  });
  command(program, 'init', 'make the data directory, node key and database').action((options: Options) =>
    report('init', options, async () => (await import('./commands/init.ts')).initCommand(io, options.config)),
  );
  command(program, 'status', 'what the running node does').action((options: Options) =>
    report('status', options, async () => (await import('./commands/status.ts')).statusCommand(io, options.config)),
  );
  command(program, 'doctor', 'examine host, files and endpoints').action((options: Options) =>
    report('doctor', options, async () => (await import('./doctor/index.ts')).doctorCommand(io, options.config)),
  );
  const config = program.command('config').description('show or check the configuration');
  command(config, 'show', 'effective values and their origins').action((options: Options) =>
    report('config show', options, async () =>
      (await import('./commands/config.ts')).configShowCommand(io, options.config),
    ),
  );
  command(config, 'check', 'list every problem at once').action((options: Options) =>
    report('config check', options, async () =>
      (await import('./commands/config.ts')).configCheckCommand(io, options.config),
    ),
  );
  addMinerCommands(program, io, report);

  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    throw error;
  }
}

/** Runs a command and prints what it has to say, in one of two forms; a failure too. */
function reported(io: CliIo, name: string, json: boolean, action: () => Promise<CommandResult>): Promise<number> {
  return guarded(io, name, json, async () => {
    const { result, text, exit = EXIT.done } = await action();
    const ok = exit === EXIT.done;
    io.out(json ? `${JSON.stringify({ schema: CLI_SCHEMA, command: name, ok, result })}\n` : `${text}\n`);
    return exit;
  });
}

async function guarded(io: CliIo, name: string, json: boolean, action: () => Promise<number>): Promise<number> {
  try {
    return await action();
  } catch (error) {
    const { exit, error: described, text } = failureOf(error);
    if (json) io.out(`${JSON.stringify({ schema: CLI_SCHEMA, command: name, ok: false, error: described })}\n`);
    else io.err(`${text}\n`);
    return exit;
  }
}
