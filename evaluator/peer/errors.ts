import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type PeerErrorCode =
  | 'CONSENSUS_MALFORMED'
  | 'ADDRESS_MALFORMED'
  | 'PAYLOAD_MALFORMED'
  | 'ANCHOR_MALFORMED'
  | 'FOLD_STATE_MALFORMED'
  | 'BLOCK_OUT_OF_ORDER'
  | 'CHAIN_STATE_MISSING'
  | 'GRADE_MALFORMED'
  | 'LEDGER_MISMATCH'
  | 'RESTART_MISMATCH';

/** Errors of the peer protocol. What miners and peers write on the chain is ignored where it is malformed, never thrown. */
export const PEER_ERRORS: ErrorTable<PeerErrorCode> = {
  CONSENSUS_MALFORMED: {
    fault: 'operator',
    what: 'consensus object is malformed',
    remedy: 'the closed object of peer-protocol.md section 2, within its bounds',
  },
  ADDRESS_MALFORMED: {
    fault: 'operator',
    what: 'not an SS58 address of this network',
    remedy: 'a 32-byte public key, prefix 42, with a correct checksum',
  },
  PAYLOAD_MALFORMED: {
    fault: 'candidate',
    what: 'proposal payload cannot be encoded',
    remedy: 'protocol.md section 8: 64 hex digits, an https URL of its grammar, at most 1,024 bytes in all',
  },
  ANCHOR_MALFORMED: {
    fault: 'operator',
    what: 'anchor cannot be encoded',
    remedy: 'values within the table of peer-protocol.md section 3',
  },
  FOLD_STATE_MALFORMED: {
    fault: 'infrastructure',
    what: 'stored fold state is malformed',
    remedy: 'restore the data directory from a backup, or let the node replay from a snapshot',
  },
  BLOCK_OUT_OF_ORDER: {
    fault: 'infrastructure',
    what: 'block does not follow the fold state',
    remedy: 'step finalized blocks one by one from the height after the state',
  },
  CHAIN_STATE_MISSING: {
    fault: 'infrastructure',
    what: 'block comes without chain state that the fold has to read',
    remedy: 'read the subnet state at this height, from an archive endpoint if it is pruned',
  },
  GRADE_MALFORMED: {
    fault: 'infrastructure',
    what: 'regrade returned a contradictory grade',
    remedy: 'report a bug: a PASS names speedup, target, members, delta and candidate stack',
  },
  LEDGER_MISMATCH: {
    fault: 'infrastructure',
    what: 'ledger and fold state do not belong together',
    remedy: 'both are written in one transaction; restore the data directory from a backup',
  },
  RESTART_MISMATCH: {
    fault: 'infrastructure',
    what: 'state does not fit the restart',
    remedy: 'the state at the end of the close whose record the consensus object names',
  },
};

export class PeerError extends CacheonError<PeerErrorCode> {
  constructor(code: PeerErrorCode, message?: string, details?: ErrorDetails) {
    super(code, PEER_ERRORS[code], message, details);
  }
}
