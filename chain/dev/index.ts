export { type DevChainOptions, type GenesisConfig, parseConfig } from './config.ts';
export { devnetGenesis } from './devnet.ts';
export { DEVCHAIN_ERRORS, DevChainError, type DevChainErrorCode } from './errors.ts';
export { type DevChain, type DevChainDependencies, startDevChain } from './start.ts';
