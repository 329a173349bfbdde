export { type Commitment, type CommitmentField, commitmentOf, singleRaw } from './commitment.ts';
export { type CommitmentEvent, commitmentEvents } from './events.ts';
export { ANCHOR_MAX_BYTES } from './limits.ts';
export { readAnchors } from './read.ts';
