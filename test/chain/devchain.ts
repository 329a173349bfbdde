import type { TestContext } from 'node:test';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { type DevChain, devnetGenesis, startDevChain } from '../../chain/dev/index.ts';
import { type Chain, connectChain, type Deadlines, type FinalizedHead, type RpcEvent } from '../../chain/rpc/index.ts';
import { createSigner, loadHotkey, type Signer } from '../../chain/signer/index.ts';

export const NETUID = 1;

/** Deadlines for a chain on loopback; long enough for a busy host. */
export const TEST_DEADLINES: Deadlines = {
  connectMs: 5_000,
  callMs: 5_000,
  readMs: 10_000,
  backoffMinMs: 10,
  backoffMaxMs: 40,
};

type ChainSettings = Partial<Omit<Parameters<typeof startDevChain>[0], 'genesis'>>;
type GenesisSettings = Partial<Parameters<typeof startDevChain>[0]['genesis']>;

export interface TestChainOptions extends ChainSettings {
  readonly genesis?: GenesisSettings;
  readonly validators?: number;
  readonly miners?: number;
}

export interface TestChain {
  readonly dev: DevChain;
  readonly chain: Chain;
  readonly events: readonly RpcEvent[];
  /** Makes `count` blocks; the last one's hash. */
  produce(count: number): string;
  /** A dev_* call over a socket of its own connection to the chain. */
  admin(method: string, ...params: readonly unknown[]): Promise<unknown>;
  signer(uri: string): Promise<Signer>;
  /** Takes the chain away from under the client. */
  stopChain(): Promise<void>;
}

/** A development chain on a loopback socket with a client connected to it; blocks are made by hand unless asked. */
export async function startTestChain(t: TestContext, options: TestChainOptions = {}): Promise<TestChain> {
  const { genesis, validators = 3, miners = 2, ...settings } = options;
  await cryptoWaitReady();
  const dev = await startDevChain({
    block_time_ms: 0,
    db_path: ':memory:',
    admin: true,
    ...settings,
    genesis: { ...devnetGenesis({ validators, miners }), ...genesis },
  });
  const events: RpcEvent[] = [];
  const chain = await connectChain(
    { endpoints: [dev.url], genesisHash: dev.genesis, deadlines: TEST_DEADLINES },
    { random: () => 0.5, onEvent: (event) => events.push(event) },
  );
  let running = true;
  const stopChain = async () => {
    if (!running) return;
    running = false;
    await dev.close();
  };
  t.after(async () => {
    await chain.close();
    await stopChain();
  });
  return {
    dev,
    chain,
    events,
    stopChain,
    produce(count) {
      let hash = dev.genesis;
      for (let made = 0; made < count; made += 1) hash = dev.produceBlock().hash;
      return hash;
    },
    admin: (method, ...params) => chain.rpc.callOnce(method, params),
    signer: async (uri) => createSigner(chain, await loadHotkey({ developmentUri: uri }), { pollMs: 50 }),
  };
}

/** Makes blocks until one reveals something; the chain stores a pulse for every three seconds of block time. */
export async function untilRevealed({ chain, produce }: TestChain): Promise<{ head: FinalizedHead }> {
  for (let made = 0; made < 20; made += 1) {
    const head = await chain.header(produce(1));
    const events = await chain.eventsOf(head);
    if (events.some(({ event }) => event.method === 'CommitmentRevealed')) return { head };
  }
  throw new Error('nothing revealed within 20 blocks');
}

/** Resolves when `condition` holds, looked at after every turn of the event loop; rejects after `ms`. */
export async function until(condition: () => boolean, what: string, ms = 10_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
