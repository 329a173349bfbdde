export { type AuthoredBlock, authorBlock, type BlockInputs, type StateEdit } from './author.ts';
export { beaconSecret, duePulses, PULSE_PERIOD_SECONDS } from './beacon.ts';
export { type GenesisInputs, genesisBlock } from './genesis.ts';
export { type Block, type Header, headerHash, headerJson } from './header.ts';
