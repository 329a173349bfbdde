export { type ConsensusSubject, capacityThatFits, devnetConsensus, mainnetConsensus } from './defaults.ts';
export { type ConsensusDependencies, type ConsensusFolder, loadConsensusFolder, parseConsensus } from './folder.ts';
export { CONSENSUS_DOMAIN, type ConsensusObject, consensusSchema } from './schema.ts';
