export {
  type CommitmentInput,
  commitmentDigest,
  entropySourceDigest,
  type SelectionCommitment,
  type SelectionPolicyVersion,
  selectionCommitment,
} from './commitment.ts';
export { SELECT_ERRORS, SelectError, type SelectErrorCode } from './errors.ts';
export {
  BLOCK_MAX_SEQUENCES,
  CALIBRATION_POSITIONS,
  CALIBRATION_READS,
  POOL_MAX_PROMPTS,
  VOCABULARY,
  WARMUP_PROMPTS,
} from './limits.ts';
export { type Prompt, type PromptPool, promptPool } from './prompts.ts';
export { selectV1, selectV2 } from './ranking.ts';
export {
  authorityReceiptDigest,
  type EntropyReceipt,
  entropyDigest,
  entropyReceipt,
  entropyReceiptDigest,
  type SelectionReceipt,
  selectionEvidenceDigest,
  selectionReceipt,
  selectionReceiptDigest,
} from './receipt.ts';
export {
  type BlockSize,
  blockSize,
  type Calibration,
  mostSequences,
  type PairPrompts,
  pairPrompts,
  type TimedSequence,
  timedSequence,
} from './schedule.ts';
export { secretCommitment, selectionSeed } from './secret.ts';
export { SeedStream } from './stream.ts';
