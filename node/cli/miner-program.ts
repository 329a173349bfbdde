import type { Command } from 'commander';
import { isPresetName, PRESETS } from '../../config/presets/index.ts';
import type { CliIo, CommandResult } from './io.ts';
import { genesisHash, hexDigest, list, proposalSubject, wholeNumber } from './options.ts';

/** Runs an action and prints what it has to say under a command's name. */
export type Report = (
  name: string,
  options: { readonly json?: true },
  action: () => Promise<CommandResult>,
) => Promise<void>;

interface CommitOptions {
  readonly json?: true;
  readonly endpoint?: readonly string[];
  readonly network?: string;
  readonly genesis?: string;
  readonly hotkeyFile: string;
  readonly netuid: number;
  readonly url: string;
  readonly bundle?: string;
  readonly contentHash?: string;
  readonly revealIn: number;
  readonly force?: true;
}

interface FollowOptions {
  readonly json?: true;
  readonly status: string;
  readonly once?: true;
  readonly timeout: number;
}

const NETUID_MAX = 65_535;
/** Rounds until the reveal: a few, so that the commitment is final before; a day, after which its order is lost. */
const REVEAL_DEFAULT_ROUNDS = 20;
const REVEAL_MAX_ROUNDS = 28_800;
/** Seconds that `miner follow` waits for the end if not told otherwise, and at most. */
const FOLLOW_DEFAULT_SECONDS = 3600;
const FOLLOW_MAX_SECONDS = 604_800;

/** The commands for miners. None reads a node's configuration. */
export function addMinerCommands(program: Command, io: CliIo, report: Report): void {
  const json = (parent: Command, name: string, description: string): Command =>
    parent.command(name).description(description).option('--json', 'print one JSON object');

  const bundle = program.command('bundle').description('for miners: check and pack a proposal');
  json(bundle, 'check <path>', 'what a validator decides before it runs anything: a folder, or an archive of one')
    .option('--build', 'compile it as well, in a sealed process')
    .action((path: string, options: { json?: true; build?: true }) =>
      report('bundle check', options, async () =>
        (await import('./commands/bundle.ts')).bundleCheckCommand(path, options.build === true),
      ),
    );
  json(bundle, 'pack <dir>', 'pack a proposal and print its content hash')
    .option('-o, --output <file>', 'archive to write (default: <dir>.tar.gz here)')
    .action((folder: string, options: { json?: true; output?: string }) =>
      report('bundle pack', options, async () =>
        (await import('./commands/bundle.ts')).bundlePackCommand(folder, options.output),
      ),
    );

  const miner = program.command('miner').description('for miners: commit a proposal and follow it');
  json(miner, 'commit', 'commit a proposal under timelock')
    .option('--endpoint <url>', 'chain endpoint, ws:// or wss://; may be repeated', list)
    .option('--network <name>', 'finney or test: its endpoints, and its genesis as a pin')
    .option('--genesis <hash>', 'genesis hash that the endpoint must have', genesisHash)
    .requiredOption('--hotkey-file <file>', 'file of mode 0600: hex seed, mnemonic or development URI')
    .requiredOption('--netuid <n>', 'the subnet', wholeNumber(0, NETUID_MAX))
    .requiredOption('--url <url>', 'https address of the archive')
    .option('--bundle <path>', 'folder or archive; checked before anything is committed')
    .option('--content-hash <hash>', 'instead of --bundle, unchecked', hexDigest)
    .option(
      '--reveal-in <rounds>',
      'beacon rounds of 3 s until the reveal',
      wholeNumber(1, REVEAL_MAX_ROUNDS),
      REVEAL_DEFAULT_ROUNDS,
    )
    .option('--force', 'replace a commitment that is not revealed yet, or commit a revealed one again')
    .action((options: CommitOptions, command: Command) => {
      const request = commitRequest(options, command);
      return report('miner commit', options, async () =>
        (await import('./commands/miner.ts')).minerCommitCommand(request),
      );
    });
  json(miner, 'follow', 'what a node says became of a proposal')
    .argument('<subject>', 'reservation id, content hash, or SS58 hotkey', proposalSubject)
    .requiredOption('--status <address>', "a node's http://127.0.0.1:PORT, or the path of its status socket")
    .option('--once', 'look once instead of until the end')
    .option('--timeout <seconds>', 'how long to follow', wholeNumber(1, FOLLOW_MAX_SECONDS), FOLLOW_DEFAULT_SECONDS)
    .action((subject: string, { status, once, timeout, ...options }: FollowOptions) =>
      report('miner follow', options, async () =>
        (await import('./commands/miner.ts')).minerFollowCommand(io, options.json === true, {
          status,
          subject,
          once: once === true,
          timeoutSeconds: timeout,
        }),
      ),
    );
}

/** What depends on more than one option; `command.error` ends as a usage error. */
function commitRequest(options: CommitOptions, command: Command) {
  const { endpoint = [], network, genesis = null, bundle, contentHash } = options;
  if (network !== undefined && !(isPresetName(network) && PRESETS[network].genesis_hash !== null)) {
    command.error("error: option '--network': finney or test is accepted");
  }
  const preset = network === undefined ? null : PRESETS[network as keyof typeof PRESETS];
  const endpoints = endpoint.length > 0 ? endpoint : (preset?.endpoints ?? []);
  if (endpoints.length === 0) command.error('error: one of --endpoint and --network is needed');
  if ((bundle === undefined) === (contentHash === undefined)) {
    command.error('error: exactly one of --bundle and --content-hash is needed');
  }
  if (genesis !== null && preset !== null && genesis !== preset.genesis_hash) {
    command.error("error: option '--genesis': not the genesis of this network");
  }
  return {
    endpoints,
    genesis: genesis ?? preset?.genesis_hash ?? null,
    netuid: options.netuid,
    hotkeyFile: options.hotkeyFile,
    url: options.url,
    source: bundle === undefined ? { contentHash: contentHash as string } : { bundle },
    revealIn: options.revealIn,
    force: options.force === true,
  };
}
