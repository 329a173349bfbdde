export { payloadText } from './payload.ts';
export { type ProposalSource, readProposals } from './read.ts';
