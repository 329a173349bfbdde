export { type AxonAddress, serveAxon } from './axon.ts';
export { type CommitmentBudget, readCommitmentBudget } from './budget.ts';
export { anchorCommitment, type CommitOptions, commitProposal, type ProposalCommitment } from './commitments.ts';
export { type HotkeySource, loadHotkey } from './hotkey.ts';
export { ERA_BLOCKS, SUBMIT_DEADLINE_MS } from './limits.ts';
export { createSigner, type Signer, type SignerOptions, type Submission, type SubmitResult } from './signer.ts';
