import { fixedBytes, named, str, struct, tuple, u8, u32, type ValueOf, vec, wrapped } from '../scale/index.ts';

const api = tuple(fixedBytes(8), u32);
const cowStr = struct('Cow', wrapped(str), [{ name: 'T', type: str.shape }]);
const cowApis = struct('Cow', wrapped(vec(api)), [{ name: 'T', type: vec(api).shape }]);

export const runtimeVersion = struct(
  'sp_version::RuntimeVersion',
  named({
    specName: cowStr,
    implName: cowStr,
    authoringVersion: u32,
    specVersion: u32,
    implVersion: u32,
    apis: cowApis,
    transactionVersion: u32,
    systemVersion: u8,
  }),
);
export type RuntimeVersion = ValueOf<typeof runtimeVersion>;

/** The subtensor runtime whose names and shapes this chain follows. */
export const DEV_RUNTIME_VERSION: RuntimeVersion = {
  specName: 'node-subtensor',
  implName: 'node-subtensor',
  authoringVersion: 1,
  specVersion: 393,
  implVersion: 1,
  apis: [
    [Buffer.from('df6acb689907609b', 'hex'), 5], // Core
    [Buffer.from('37e397fc7c91f5e4', 'hex'), 2], // Metadata
    [Buffer.from('bc9d89904f5b923f', 'hex'), 1], // AccountNonceApi
  ],
  transactionVersion: 1,
  systemVersion: 1,
};
