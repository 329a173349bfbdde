export { type ChainBeacon, readBeacon } from './beacon.ts';
export { payloadText } from './payload.ts';
export { type ProposalSource, readProposals } from './read.ts';
