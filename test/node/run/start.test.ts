import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { type DevChain, devnetGenesis, startDevChain } from '../../../chain/dev/index.ts';
import { type Chain, connectChain } from '../../../chain/rpc/index.ts';
import { readCommitmentBudget } from '../../../chain/signer/index.ts';
import { devnetConsensus } from '../../../config/consensus/index.ts';
import { canonicalJson } from '../../../evaluator/identity/index.ts';
import { consensusDigest, parseConsensus } from '../../../evaluator/peer/index.ts';
import { openEmbeddedArena } from '../../../node/arena/index.ts';
import { DEVNET, makeLayout, planValidators, writeValidatorConfig } from '../../../node/devnet/layout.ts';
import { initDataDirectory } from '../../../node/init/index.ts';
import { loadHotkey } from '../../../node/keys/index.ts';
import { callStatus, type StatusDocument } from '../../../node/rpc/index.ts';

const cli = fileURLToPath(new URL('../../../node/cli/main.ts', import.meta.url));
const cache = fileURLToPath(new URL('../../../.cache/wasm', import.meta.url));
/** The object rules from here; the node is started long before. */
const ACTIVATION = 9;
const ANCHORS_OF_A_TEMPO = 31;

let dev: DevChain;
let chain: Chain;
let root: string;
let socket: string;
let configFile: string;
let hotkey: string;
const children: ChildProcess[] = [];

before(async () => {
  await cryptoWaitReady();
  root = mkdtempSync(join(tmpdir(), 'start-'));
  const genesis = { ...devnetGenesis({ validators: 1, miners: 0 }), netuid: DEVNET.netuid };
  dev = await startDevChain({ genesis, db_path: ':memory:', block_time_ms: 0 });
  chain = await connectChain({ endpoints: [dev.url], genesisHash: dev.genesis }, { random: Math.random });
  const layout = makeLayout(root, cache);
  const [plan] = await planValidators(layout, 1);
  assert.ok(plan !== undefined);
  ({ socket, configFile } = plan);
  hotkey = (await loadHotkey({ hotkey_uri: plan.hotkeyUri, hotkey_file: null })).address;
  initDataDirectory(plan.dataDir, { randomBytes: (n) => new Uint8Array(n).fill(7) });
  writeFileSync(layout.authorityFile, '');
  const arena = await openEmbeddedArena(cache, AbortSignal.timeout(300_000));
  const subject = { genesis_hash: dev.genesis, netuid: DEVNET.netuid, ...arena.subject };
  const object = parseConsensus(devnetConsensus(subject, ACTIVATION));
  writeFileSync(join(layout.consensusFolder, 'object.json'), canonicalJson(object));
  writeFileSync(layout.consensusActive, `${consensusDigest(object)}\n`);
  writeValidatorConfig(plan, [plan], layout, { genesis: dev.genesis, port: dev.port });
});

after(async () => {
  for (const child of children) child.kill('SIGKILL');
  await chain.close();
  await dev.close();
  rmSync(root, { recursive: true, force: true });
});

interface RunningNode {
  readonly child: ChildProcess;
  said: string;
  readonly closed: Promise<number | null>;
}

function startNode(): RunningNode {
  const argv = ['--disable-warning=ExperimentalWarning', cli, 'run', '--config', configFile];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const node: RunningNode = { child, said: '', closed };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (node.said += String(chunk)));
  return node;
}

async function anchorsLeft(): Promise<number> {
  const head = await chain.finalizedHead();
  const state = await chain.stateAt(head.hash);
  return (await readCommitmentBudget(state, { netuid: DEVNET.netuid, hotkey, height: head.height })).anchorsLeft;
}

/** The node's status as soon as it is what a test waits for; makes a block at every look if asked to. */
async function statusWhen(node: RunningNode, fits: (s: StatusDocument) => boolean, produce = false) {
  const deadline = performance.now() + 60_000;
  for (;;) {
    if (node.child.exitCode !== null || performance.now() > deadline) throw new Error(node.said.slice(-3000));
    if (produce) dev.produceBlock();
    const status = (await callStatus(socket, 'status').catch(() => null)) as StatusDocument | null;
    if (status !== null && fits(status)) return status;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

const isReady = ({ troubles }: StatusDocument): boolean => !troubles.some((trouble) => trouble.blocking);

test('a node that is started before the activation height waits for it, and says once that it is ready', {
  timeout: 180_000,
}, async () => {
  for (let i = 0; i < 3; i++) dev.produceBlock();
  const node = startNode();
  const early = await statusWhen(node, (status) => status.chain.finalized_height === 3);
  assert.equal(isReady(early), false, 'nothing is taken yet, and the node says so');
  assert.equal(early.chain.folded_height, ACTIVATION - 1);
  assert.equal(early.chain.finalized_hash, null, 'no block of the fold is the finalized one');
  for (let i = 0; i < 3; i++) {
    dev.produceBlock();
    await statusWhen(node, (status) => status.chain.finalized_height === 4 + i);
  }
  assert.equal(await anchorsLeft(), ANCHORS_OF_A_TEMPO, 'an anchor from before the activation height counts nowhere');

  await statusWhen(node, (status) => isReady(status) && (status.anchors_left ?? 0) < ANCHORS_OF_A_TEMPO, true);
  for (let i = 0; i < 12; i++) dev.produceBlock();
  const { height } = await chain.finalizedHead();
  const late = await statusWhen(node, (status) => status.chain.folded_height === height);
  assert.equal(late.chain.finalized_height, height);
  assert.match(late.chain.finalized_hash ?? '', /^0x[0-9a-f]{64}$/);
  assert.equal(await anchorsLeft(), ANCHORS_OF_A_TEMPO - 1, 'one ready anchor');

  node.child.kill('SIGKILL');
  await node.closed;
  // A long absence: what is stored is of another age, and asks for nothing until the head is known and reached.
  for (let i = 0; i < 40; i++) dev.produceBlock();
  const again = startNode();
  const back = (await chain.finalizedHead()).height;
  await statusWhen(again, (status) => status.chain.folded_height === back && isReady(status));
  for (let i = 0; i < 5; i++) dev.produceBlock();
  await statusWhen(again, (status) => status.chain.folded_height === back + 5);
  assert.equal(await anchorsLeft(), ANCHORS_OF_A_TEMPO - 1, 'the row stands: nothing is said again');
  again.child.kill('SIGTERM');
  assert.equal(await again.closed, 0);
});
