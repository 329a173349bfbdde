export { type ConsensusSubject, capacityThatFits, devnetConsensus, mainnetConsensus } from './defaults.ts';
export { type ConsensusDependencies, type ConsensusFolder, loadConsensusFolder } from './folder.ts';
export type { ConsensusObject } from './types.ts';
