import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type StatusErrorCode = 'STATUS_PORT' | 'STATUS_SOCKET' | 'STATUS_UNREACHABLE' | 'STATUS_ANSWER';

export const STATUS_ERRORS: ErrorTable<StatusErrorCode> = {
  STATUS_PORT: {
    fault: 'operator',
    what: 'the status port cannot be opened',
    remedy: 'another program has it: set status.port to a free one, or to 0',
  },
  STATUS_SOCKET: {
    fault: 'operator',
    what: 'the status socket cannot be opened',
    remedy: 'set status.socket to a path in a folder that the account of the node can write',
  },
  STATUS_UNREACHABLE: {
    fault: 'infrastructure',
    what: 'no node answers on the status socket',
    remedy: 'start the node, or name the configuration of the one that runs',
  },
  STATUS_ANSWER: {
    fault: 'infrastructure',
    what: 'the node gave no proper answer',
    remedy: 'ask again; if it stays, compare the versions of the node and of this command',
  },
};

export class StatusError extends CacheonError<StatusErrorCode> {
  constructor(code: StatusErrorCode, message?: string, details?: ErrorDetails) {
    super(code, STATUS_ERRORS[code], message, details);
  }
}
