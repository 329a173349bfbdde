import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type LaneErrorCode =
  | 'SPAWN'
  | 'FRAME'
  | 'ANSWER'
  | 'TRAP'
  | 'CRASHED'
  | 'MODULE'
  | 'ENGINE'
  | 'MEMORY'
  | 'DEADLINE'
  | 'ABORTED'
  | 'CLOSED'
  | 'REQUEST';

/**
 * Errors of a lane. The table's fault holds for a lane without candidate modules; TRAP, CRASHED, MODULE, MEMORY and
 * DEADLINE are the candidate's while modules of a candidate are loaded.
 */
export const LANE_ERRORS: ErrorTable<LaneErrorCode> = {
  SPAWN: {
    fault: 'infrastructure',
    what: 'the lane’s process did not start',
    remedy: 'look at the sandbox in doctor; a lane needs /bin/sh and the packaged Node',
  },
  FRAME: { fault: 'infrastructure', what: 'a malformed, early or late frame', remedy: 'frames of docs/LANES.md' },
  ANSWER: {
    fault: 'infrastructure',
    what: 'an answer that does not fit its request',
    remedy: 'answers of docs/LANES.md',
  },
  TRAP: { fault: 'infrastructure', what: 'a slot module trapped', remedy: 'a kernel that returns for every shape' },
  CRASHED: {
    fault: 'infrastructure',
    what: 'the lane’s process died, or a module broke the contract of its memory',
    remedy: 'the contract of names.md, WASM slots',
  },
  MODULE: {
    fault: 'infrastructure',
    what: 'a slot module does not load',
    remedy: 'a module that the prebuild accepted, with a start function that returns',
  },
  ENGINE: { fault: 'infrastructure', what: 'the program in the lane failed', remedy: 'run npm ci; report the defect' },
  MEMORY: { fault: 'infrastructure', what: 'the lane’s resident memory is over its limit', remedy: 'at most 512 MiB' },
  DEADLINE: { fault: 'infrastructure', what: 'the lane did not answer in time', remedy: 'answer before the deadline' },
  ABORTED: { fault: 'infrastructure', what: 'the lane was aborted by its host', remedy: 'open another lane' },
  CLOSED: { fault: 'infrastructure', what: 'the lane is closed', remedy: 'open another lane' },
  REQUEST: {
    fault: 'infrastructure',
    what: 'a request that the lane cannot serve',
    remedy: 'prompts, counts and shapes within the limits of docs/LANES.md',
  },
};

export class LaneError extends CacheonError<LaneErrorCode> {
  constructor(code: LaneErrorCode, message?: string, details?: ErrorDetails) {
    super(code, LANE_ERRORS[code], message, details);
  }
}
