import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { devnetGenesis } from '../../chain/dev/index.ts';
import { DEVNET, type DevnetLayout } from './layout.ts';
import { readLine, type Supervisor } from './supervisor.ts';

/** Milliseconds until the chain must have said that it is ready. */
const READY_DEADLINE_MS = 60_000;

export interface RunningChain {
  readonly genesis: string;
  readonly port: number;
  /** Unix seconds of the test beacon's round 1. */
  readonly beaconGenesis: number;
}

/** Writes the genesis of the devnet, starts the chain under supervision, and waits until it answers. */
export async function startChain(
  supervisor: Supervisor,
  layout: DevnetLayout,
  size: { readonly validators: number; readonly miners: number },
  port: number,
  nowMs: number,
): Promise<RunningChain> {
  await cryptoWaitReady();
  const beaconGenesis = Math.floor(nowMs / 1000);
  const genesis = {
    ...devnetGenesis(size),
    netuid: DEVNET.netuid,
    tempo: DEVNET.tempo,
    weights_rate_limit: DEVNET.weightsRateLimitBlocks,
    genesis_time: beaconGenesis,
  };
  const config = { genesis, block_time_ms: DEVNET.blockTimeMs, db_path: layout.chainDatabase, port };
  writeFileSync(layout.chainConfig, JSON.stringify(config, null, 2));
  const ready = Promise.withResolvers<string>();
  const timer = setTimeout(() => ready.reject(new Error('the development chain did not start')), READY_DEADLINE_MS);
  supervisor.start({
    name: 'chain',
    argv: [fileURLToPath(new URL('../../chain/dev/main.ts', import.meta.url)), '--config', layout.chainConfig],
    logFile: `${layout.logs}/chain.log`,
    onLine: (line) => {
      const said = readLine<{ type: string; genesis: string }>(line);
      if (said?.type === 'ready' && said.genesis !== undefined) ready.resolve(said.genesis);
    },
  });
  try {
    return { genesis: await ready.promise, port, beaconGenesis };
  } finally {
    clearTimeout(timer);
  }
}
