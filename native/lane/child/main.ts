import { KIND } from '../../wire/kinds.ts';
import { readFrame, writeFrame } from '../../wire/sync.ts';
import { SlotFault } from './fault.ts';
import { LaneServer } from './serve.ts';

/**
 * The process of one lane. It reads a frame, does what it says, answers, and so on until its input ends; it has no
 * event loop to keep and nothing to clean up. After a failure it says whose it was and ends: a module that trapped
 * may have left the engine in the middle of a token.
 */
function main(): number {
  const server = new LaneServer();
  writeFrame(KIND.hello, 0, { node: process.version, environment: Object.keys(process.env).length });
  for (let frame = readFrame(); frame !== null; frame = readFrame()) {
    try {
      const { kind, json, parts } = server.answer(frame);
      writeFrame(kind, frame.sequence, json, parts);
    } catch (error) {
      const failure =
        error instanceof SlotFault
          ? error.failure
          : { reason: 'engine', slot: null, variant: null, candidate: false, what: 'lane program failed' };
      writeFrame(KIND.failed, frame.sequence, failure);
      return 1;
    }
  }
  return 0;
}

process.exitCode = main();
