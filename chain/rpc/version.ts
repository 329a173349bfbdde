import { ChainError } from '../errors.ts';

/** The part of `state_getRuntimeVersion` that decides how a block is decoded and an extrinsic signed. */
export interface RuntimeVersion {
  readonly specName: string;
  readonly specVersion: number;
  readonly transactionVersion: number;
}

export function parseRuntimeVersion(value: unknown): RuntimeVersion {
  const { specName, specVersion, transactionVersion } = (value ?? {}) as Record<string, unknown>;
  if (typeof specName !== 'string' || specName.length > 64) throw malformed('specName');
  if (!isU32(specVersion)) throw malformed('specVersion');
  if (!isU32(transactionVersion)) throw malformed('transactionVersion');
  return { specName, specVersion, transactionVersion };
}

function isU32(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32;
}

function malformed(field: string): ChainError {
  return new ChainError('RPC_MALFORMED', undefined, { field: `state_getRuntimeVersion.${field}` });
}
