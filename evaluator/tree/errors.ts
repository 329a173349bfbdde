import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type TreeErrorCode = 'TREE_COLLISION' | 'TREE_SOURCE_MISSING' | 'TREE_PAYLOAD_MISMATCH';

/** Why a stack cannot be materialized. A candidate without a tree has no C arm (failure table F1). */
export const TREE_ERRORS: ErrorTable<TreeErrorCode> = {
  TREE_COLLISION: { fault: 'candidate', what: 'two files of the tree have one path', remedy: 'distinct paths' },
  TREE_SOURCE_MISSING: {
    fault: 'infrastructure',
    what: 'the source of an active contribution is not here',
    remedy: 'fetch the bundle by its content hash from a peer',
  },
  TREE_PAYLOAD_MISMATCH: {
    fault: 'infrastructure',
    what: 'reopened source does not give the payload that the stack names',
    remedy: 'delete the damaged bundle; it is fetched again',
  },
};

export class TreeError extends CacheonError<TreeErrorCode> {
  constructor(code: TreeErrorCode, message?: string, details?: ErrorDetails) {
    super(code, TREE_ERRORS[code], message, details);
  }
}
