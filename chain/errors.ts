import { CacheonError, type ErrorDetails, type ErrorTable } from '../config/errors.ts';

export type ChainErrorCode =
  | 'ENDPOINT_MALFORMED'
  | 'TRANSPORT'
  | 'CALL_DEADLINE'
  | 'RPC_REFUSED'
  | 'RPC_MALFORMED'
  | 'BLOCK_UNKNOWN'
  | 'ARCHIVE_NEEDED'
  | 'WRONG_GENESIS'
  | 'RUNTIME_UNKNOWN'
  | 'HEADER_MISMATCH'
  | 'FINALITY_CONFLICT'
  | 'REVEAL_MISMATCH'
  | 'KEY_FILE'
  | 'COMMITMENT_SIZE'
  | 'EXTENSION_UNKNOWN'
  | 'WEIGHTS_COMMIT_REVEAL'
  | 'WEIGHTS_VECTOR'
  | 'WEIGHTS_CONFLICT'
  | 'WEIGHTS_STALE';

/** Errors of everything that speaks Substrate; timelock encryption has its own table. */
export const CHAIN_ERRORS: ErrorTable<ChainErrorCode> = {
  ENDPOINT_MALFORMED: {
    fault: 'operator',
    what: 'chain endpoint is not a WebSocket URL',
    remedy: 'one or more ws:// or wss:// URLs',
  },
  TRANSPORT: {
    fault: 'infrastructure',
    what: 'no connection to the chain endpoint, or it broke',
    remedy: 'wait: the next endpoint is tried with backoff; check the endpoints if it stays',
  },
  CALL_DEADLINE: {
    fault: 'infrastructure',
    what: 'chain endpoint did not answer in time',
    remedy: 'wait: the connection is replaced; check the endpoints if it stays',
  },
  RPC_REFUSED: {
    fault: 'infrastructure',
    what: 'chain endpoint refused the call',
    remedy: 'an endpoint that offers the legacy chain_, state_, system_ and author_ methods',
  },
  RPC_MALFORMED: {
    fault: 'infrastructure',
    what: 'chain endpoint gave an answer of the wrong shape',
    remedy: 'an endpoint that speaks JSON-RPC 2.0 as Substrate does; use another one',
  },
  BLOCK_UNKNOWN: {
    fault: 'infrastructure',
    what: 'chain endpoint does not know the block',
    remedy: 'wait: it may be behind; use a synchronised endpoint',
  },
  ARCHIVE_NEEDED: {
    fault: 'operator',
    what: 'the state of the block is pruned at every endpoint',
    remedy: 'configure an archive endpoint, or start from a snapshot',
  },
  WRONG_GENESIS: {
    fault: 'operator',
    what: 'the endpoint serves another chain',
    remedy: 'endpoints of the chain whose genesis hash is configured',
  },
  RUNTIME_UNKNOWN: {
    fault: 'operator',
    what: 'the chain cannot be decoded: item, type or bytes do not fit',
    remedy: 'upgrade this node for the new runtime; an undecodable chain is never read as empty',
  },
  HEADER_MISMATCH: {
    fault: 'infrastructure',
    what: 'the header does not hash to the hash it was asked by',
    remedy: 'another endpoint: this one gives false or damaged headers',
  },
  FINALITY_CONFLICT: {
    fault: 'operator',
    what: 'the finalized chain does not continue the stored cursor',
    remedy: 'compare the stored height and hash with a trusted node: this one or the endpoint followed another chain',
  },
  REVEAL_MISMATCH: {
    fault: 'operator',
    what: 'CommitmentRevealed events and RevealedCommitments entries of a block do not match',
    remedy: 'report the block: the runtime no longer keeps the rule of peer-protocol.md section 4',
  },
  KEY_FILE: {
    fault: 'operator',
    what: 'hotkey file cannot be used',
    remedy: 'a regular file of mode 0600 holding a 32-byte hex seed, a mnemonic or a development URI',
  },
  COMMITMENT_SIZE: {
    fault: 'operator',
    what: 'commitment too long for its field',
    remedy: 'an anchor of 1 to 128 bytes, a timelocked payload of 1 to 780 bytes',
  },
  EXTENSION_UNKNOWN: {
    fault: 'operator',
    what: 'the runtime asks for a transaction extension this node cannot fill in',
    remedy: 'upgrade this node: it cannot sign for this runtime',
  },
  WEIGHTS_COMMIT_REVEAL: {
    fault: 'operator',
    what: 'CommitRevealWeightsEnabled is on: set_weights would be refused',
    remedy: 'the subnet owner turns commit-reveal off; every validator publishes the same vector openly',
  },
  WEIGHTS_VECTOR: {
    fault: 'operator',
    what: 'malformed weights vector',
    remedy: 'uids ascending without repetition, u16 values above 0 whose largest is 65535',
  },
  WEIGHTS_CONFLICT: {
    fault: 'operator',
    what: 'another weights vector is journaled for this epoch height',
    remedy: 'find out why two vectors were derived for one height; the node signs only the first',
  },
  WEIGHTS_STALE: {
    fault: 'operator',
    what: 'a later epoch height is journaled already',
    remedy: 'publish for the latest epoch height only',
  },
};

export class ChainError extends CacheonError<ChainErrorCode> {
  constructor(code: ChainErrorCode, message?: string, details?: ErrorDetails) {
    super(code, CHAIN_ERRORS[code], message, details);
  }
}
