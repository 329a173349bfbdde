import { cryptoWaitReady } from '@polkadot/util-crypto';
import { adminMethods, HeadSkipper } from './admin/index.ts';
import { Producer } from './chain/index.ts';
import { type DevChainOptions, parseConfig } from './config.ts';
import { toHex } from './hex.ts';
import { authorMethods, chainMethods, type MethodTable, RpcServer, stateMethods, systemMethods } from './rpc/index.ts';
import { createRuntime } from './runtime/index.ts';
import { Served } from './served.ts';

/** Manual chains have no block time; clients are told this one, in milliseconds. */
const NOMINAL_BLOCK_TIME_MS = 1000;

export interface DevChainDependencies {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** A failure of the chain itself: it makes no more blocks. */
  readonly onFailure: (error: unknown) => void;
  /** An error of ours in answering a client, who got "Internal error"; the chain goes on. */
  readonly onRpcError: (error: unknown) => void;
}

export interface DevChain {
  readonly port: number;
  /** `ws://127.0.0.1:port`. */
  readonly url: string;
  /** 0x and hex. */
  readonly genesis: string;
  /** Makes a block now; gives its hash (0x and hex) and height. */
  produceBlock(): { readonly number: number; readonly hash: string };
  close(): Promise<void>;
}

/** For use within a process that should not outlive such an error. */
const rethrow = (error: unknown): never => {
  throw error;
};
const DEFAULT_DEPENDENCIES: DevChainDependencies = { now: Date.now, onFailure: rethrow, onRpcError: rethrow };

/**
 * Starts the development chain: opens or creates its database, listens, makes blocks. DEVCHAIN_CONFIG,
 * DEVCHAIN_DATABASE_CORRUPT, DEVCHAIN_DATABASE_BUSY or DEVCHAIN_OTHER_GENESIS if it cannot.
 */
export async function startDevChain(
  options: DevChainOptions,
  dependencies: Partial<DevChainDependencies> = {},
): Promise<DevChain> {
  const { now, onFailure, onRpcError } = { ...DEFAULT_DEPENDENCIES, ...dependencies };
  const config = parseConfig(options);
  await cryptoWaitReady();
  const blockTimeMs = config.block_time_ms === 0 ? NOMINAL_BLOCK_TIME_MS : config.block_time_ms;
  const runtime = createRuntime({ minimumPeriodMs: Math.ceil(blockTimeMs / 2) });
  const served = new Served(config, runtime, now);
  const heads = new HeadSkipper();
  const producer = new Producer(served.chain(), config.block_time_ms, {
    now,
    onProduced: () => heads.blockDone(),
    onFailure,
  });
  let server: RpcServer | null = null;
  const admin = adminMethods({
    served,
    producer,
    heads,
    dropSockets: () => server?.dropSockets(),
    switchGenesis: () => producer.serve(served.switchGenesis()),
  });
  const methods: Record<string, MethodTable[string]> = {
    ...systemMethods(served),
    ...chainMethods(served, heads),
    ...stateMethods(served),
    ...authorMethods(served),
  };
  // Clients hide what is not listed and complain of what they do not know: dev_* is left out.
  const listed = [...Object.keys(methods), 'rpc_methods'].sort();
  methods['rpc_methods'] = () => ({ methods: listed });
  if (config.admin) Object.assign(methods, admin);
  try {
    server = await RpcServer.listen(config.port, { methods, onError: onRpcError });
  } catch (error) {
    served.close();
    throw error;
  }
  const { port } = server;
  producer.start();
  return {
    port,
    url: `ws://127.0.0.1:${port}`,
    genesis: toHex(served.chain().genesisHash),
    produceBlock: () => {
      const { header, hash } = producer.produce();
      return { number: header.number, hash: toHex(hash) };
    },
    close: async () => {
      producer.stop();
      await server.close();
      served.close();
    },
  };
}
