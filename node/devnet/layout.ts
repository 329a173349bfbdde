import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from './ports.ts';

/** Exact values of the devnet that its processes share (`names.md`, Devnet). */
export const DEVNET = {
  netuid: 14,
  blockTimeMs: 1000,
  tempo: 360,
  weightsRateLimitBlocks: 10,
  /** Alpha of every validator, in the chain's smallest unit. */
  validatorStake: '1000000000000',
  /** Places of one cohort that each node takes. */
  capacity: 4,
} as const;

/** Where everything of one run lies. */
export interface DevnetLayout {
  readonly root: string;
  readonly logs: string;
  /** Compiled engine and kernels; content-addressed, so that runs may share it. */
  readonly cache: string;
  readonly timingLock: string;
  readonly consensusFolder: string;
  readonly consensusActive: string;
  readonly authorityFile: string;
  readonly chainConfig: string;
  readonly chainDatabase: string;
}

export function makeLayout(root: string, cache: string): DevnetLayout {
  const layout = {
    root,
    logs: join(root, 'logs'),
    cache,
    timingLock: join(root, 'timing.sqlite'),
    consensusFolder: join(root, 'consensus'),
    consensusActive: join(root, 'consensus', 'active'),
    authorityFile: join(root, 'authority.pem'),
    chainConfig: join(root, 'chain.json'),
    chainDatabase: join(root, 'chain.sqlite'),
  };
  for (const folder of [root, layout.logs, layout.cache, layout.consensusFolder])
    mkdirSync(folder, { recursive: true });
  return layout;
}

/** What the devnet knows of one validator before it runs. */
export interface ValidatorPlan {
  readonly name: string;
  readonly index: number;
  readonly hotkeyUri: string;
  readonly dataDir: string;
  readonly configFile: string;
  readonly socket: string;
  readonly p2pPort: number;
  readonly statusPort: number;
}

export interface MinerPlan {
  readonly name: string;
  readonly index: number;
  readonly hotkeyUri: string;
  readonly kind: 'faster' | 'wrong' | 'copy';
  readonly port: number;
}

/** Plans validators with ports that are free now, so that several devnets can run at once. */
export async function planValidators(layout: DevnetLayout, count: number): Promise<ValidatorPlan[]> {
  const ports = await freePorts(count * 2);
  return Array.from({ length: count }, (_, index) => {
    const dataDir = join(layout.root, `validator${index}`);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return {
      name: `validator${index}`,
      index,
      hotkeyUri: `//Validator${index}`,
      dataDir,
      configFile: join(layout.root, `validator${index}.toml`),
      socket: join(dataDir, 'status.sock'),
      p2pPort: ports[2 * index] as number,
      statusPort: ports[2 * index + 1] as number,
    };
  });
}

/** Three miners: a really faster kernel, one that is wrong, and a copy of the stock one. */
export async function planMiners(): Promise<MinerPlan[]> {
  const kinds = ['faster', 'wrong', 'copy'] as const;
  const ports = await freePorts(kinds.length);
  return kinds.map((kind, index) => ({
    name: `miner${index + 1}`,
    index,
    hotkeyUri: `//Miner${index}`,
    kind,
    port: ports[index] as number,
  }));
}

/** Writes a validator's configuration file. */
export function writeValidatorConfig(
  plan: ValidatorPlan,
  peers: readonly ValidatorPlan[],
  layout: DevnetLayout,
  chain: { readonly genesis: string; readonly port: number },
): void {
  const list = (values: readonly string[]): string => `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  const address = (peer: ValidatorPlan): string => `/ip4/127.0.0.1/tcp/${peer.p2pPort}`;
  const others = peers.filter((peer) => peer.index !== plan.index);
  const text = `[network]
preset = "devnet"
genesis_hash = ${JSON.stringify(chain.genesis)}
netuid = ${DEVNET.netuid}
endpoints = ["ws://127.0.0.1:${chain.port}"]

[node]
data_dir = ${JSON.stringify(plan.dataDir)}
log_level = "info"

[keys]
hotkey_uri = ${JSON.stringify(plan.hotkeyUri)}

[p2p]
listen = ${list([address(plan)])}
announce = ${list([address(plan)])}
bootstrap = ${list(others.map(address))}

[status]
host = "127.0.0.1"
port = ${plan.statusPort}
socket = ${JSON.stringify(plan.socket)}

[lanes]
capacity = ${DEVNET.capacity}
cache_dir = ${JSON.stringify(layout.cache)}
timing_lock = ${JSON.stringify(layout.timingLock)}

[fetch]
allow_private = true
extra_ca = ${JSON.stringify(layout.authorityFile)}

[consensus]
folder = ${JSON.stringify(layout.consensusFolder)}
active = ${JSON.stringify(layout.consensusActive)}
`;
  writeFileSync(plan.configFile, text);
}
