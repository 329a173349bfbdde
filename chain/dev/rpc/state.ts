import { blake2AsU8a } from '@polkadot/util-crypto';
import type { Chain } from '../chain/index.ts';
import { toHex } from '../hex.ts';
import { METADATA_VERSION } from '../metadata/index.ts';
import { systemStorage } from '../runtime/index.ts';
import { bytes, encoded, option, u32, vec } from '../scale/index.ts';
import { invalidParams, RpcError } from './errors.ts';
import { KEYS_PER_PAGE_MAX, KEYS_PER_QUERY_MAX } from './limits.ts';
import { type Feed, type Method, type MethodTable, type Params, type ServedChain, unsubscribe } from './method.ts';

const EMPTY = new Uint8Array();
const EXECUTION_FAILED = 4003;

/** `state_*`; a block hash as last parameter reads the state after that block. */
export function stateMethods(served: ServedChain): MethodTable {
  const valueAt = (params: Params): Uint8Array | null => {
    const chain = served.chain();
    return chain.stateAt(params.stateHeight(1, chain)).read(params.bytes(0));
  };
  const getStorage: Method = (params) => hexOrNull(valueAt(params));
  const keysPaged: Method = (params) => keysOf(served.chain(), params);
  const queryStorageAt: Method = (params) => {
    const chain = served.chain();
    const height = params.stateHeight(1, chain);
    return [changeSet(chain, height, params.bytesList(0, KEYS_PER_QUERY_MAX))];
  };
  const runtimeVersion: Method = (params) => {
    params.stateHeight(0, served.chain());
    return versionJson(served.chain());
  };
  return {
    state_getStorage: getStorage,
    state_getStorageAt: getStorage,
    state_getStorageHash: (params) => {
      const value = valueAt(params);
      return value === null ? null : toHex(blake2AsU8a(value, 256));
    },
    state_getStorageSize: (params) => valueAt(params)?.length ?? null,
    state_getKeysPaged: keysPaged,
    state_getKeysPagedAt: keysPaged,
    state_queryStorageAt: queryStorageAt,
    state_getMetadata: (params) => {
      params.stateHeight(0, served.chain());
      return toHex(served.chain().runtime.metadata);
    },
    state_getRuntimeVersion: runtimeVersion,
    chain_getRuntimeVersion: runtimeVersion,
    state_call: (params) => toHex(callRuntime(served.chain(), params)),
    state_subscribeStorage: (params, caller) => {
      return caller.subscribe('state_storage', storageFeed(served, params.bytesList(0, KEYS_PER_QUERY_MAX)));
    },
    state_unsubscribeStorage: unsubscribe,
    state_subscribeRuntimeVersion: (_, caller) => {
      return caller.subscribe('state_runtimeVersion', (push) => {
        push(versionJson(served.chain()));
        return () => undefined;
      });
    },
    state_unsubscribeRuntimeVersion: unsubscribe,
  };
}

const hexOrNull = (value: Uint8Array | null): string | null => (value === null ? null : toHex(value));

function keysOf(chain: Chain, params: Params): string[] {
  const count = params.integer(1);
  if (count > KEYS_PER_PAGE_MAX) throw invalidParams(`count exceeds maximum value ${KEYS_PER_PAGE_MAX}`);
  const after = params.optionalBytes(2) ?? EMPTY;
  return chain.keysAt(params.stateHeight(3, chain), params.bytes(0), after, count).map(toHex);
}

function changeSet(chain: Chain, height: number, keys: readonly Uint8Array[]): object {
  const state = chain.stateAt(height);
  const block = toHex(chain.block(height)?.hash ?? chain.best.hash);
  return { block, changes: keys.map((key) => [toHex(key), hexOrNull(state.read(key))]) };
}

/** First all the keys' values, then after each best block those it changed. */
function storageFeed(served: ServedChain, keys: readonly Uint8Array[]): Feed {
  const watched = new Set(keys.map(toHex));
  return (push) => {
    const chain = served.chain();
    push(changeSet(chain, chain.best.header.number, keys));
    return served.listen({
      onFinalized: () => undefined,
      onBest: (block) => {
        const changed = block.changes.map(({ key, value }) => [toHex(key), hexOrNull(value)] as const);
        const changes = changed.filter(([key]) => watched.has(key));
        if (changes.length > 0) push({ block: toHex(block.hash), changes });
      },
    });
  };
}

function versionJson({ runtime: { version } }: Chain): object {
  return { ...version, apis: version.apis.map(([id, number]) => [toHex(id), number]) };
}

/** The runtime APIs that clients use to start up and to find a nonce. */
function callRuntime(chain: Chain, params: Params): Uint8Array {
  const argument = params.bytes(1);
  const height = params.stateHeight(2, chain);
  const { metadata } = chain.runtime;
  switch (params.text(0)) {
    case 'Metadata_metadata':
      return encoded(bytes, metadata);
    case 'Metadata_metadata_versions':
      return encoded(vec(u32), [METADATA_VERSION]);
    case 'Metadata_metadata_at_version': {
      const asked = argument.length === 4 ? Buffer.from(argument).readUInt32LE() : null;
      return encoded(option(bytes), asked === METADATA_VERSION ? metadata : null);
    }
    case 'AccountNonceApi_account_nonce':
      if (argument.length !== 32) throw invalidParams('an account has 32 bytes');
      return encoded(u32, systemStorage.account.get(chain.stateAt(height), argument).nonce);
    default:
      throw new RpcError(EXECUTION_FAILED, 'Client error: Execution failed: Other: Exported method is not found');
  }
}
