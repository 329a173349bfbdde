import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { devnetConsensus } from '../../../config/consensus/index.ts';
import { canonicalJson } from '../../../evaluator/identity/index.ts';
import { consensusDigest } from '../../../evaluator/peer/index.ts';
import { runCli } from '../../../node/cli/program.ts';
import { temporaryFolder } from '../store/support.ts';

export const GENESIS = `0x${'ab'.repeat(32)}`;

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one command line in this process. */
export async function cli(argv: readonly string[], environment: Record<string, string> = {}): Promise<Ran> {
  let out = '';
  let err = '';
  const exit = await runCli(argv, {
    environment,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { exit, out, err };
}

/** A configuration file of a devnet node in a folder of its own, with a consensus object. */
export function devnetNode(t: TestContext, endpoint = 'ws://127.0.0.1:1'): { file: string; dataDir: string } {
  const root = temporaryFolder(t);
  const dataDir = join(root, 'data');
  const folder = join(root, 'consensus');
  mkdirSync(folder);
  const digest = (n: number): string => String(n).repeat(64);
  const consensus = devnetConsensus({
    genesis_hash: GENESIS,
    netuid: 14,
    arena_digest: digest(1),
    catalog_digest: digest(2),
    genesis_stack_digest: digest(3),
    speed_policy_digest: digest(4),
    evaluation_digest: digest(5),
  });
  writeFileSync(join(folder, 'devnet.json'), canonicalJson(consensus));
  writeFileSync(join(folder, 'active'), consensusDigest(consensus));
  const file = join(root, 'node.toml');
  writeFileSync(
    file,
    `[network]
preset = "devnet"
genesis_hash = "${GENESIS}"
netuid = 14
endpoints = ["${endpoint}"]
[node]
data_dir = "${dataDir}"
[keys]
hotkey_uri = "//Canary0"
[p2p]
listen = ["/ip4/127.0.0.1/tcp/0"]
[status]
port = 0
[lanes]
timing_lock = "${join(root, 'timing.sqlite')}"
[consensus]
folder = "${folder}"
active = "${join(folder, 'active')}"
`,
  );
  return { file, dataDir };
}
