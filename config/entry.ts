import { EXIT } from './errors.ts';

/** Major version of Node that every process of this project runs on; `scripts/node24` brings it. */
export const NODE_MAJOR = 24;

/** Ends the process with 78 and one clear line if this is not Node 24: a measurement binds the runtime. */
export function requireNode(version: string = process.versions.node): void {
  if (Number(version.split('.')[0]) === NODE_MAJOR) return;
  process.stderr.write(`cacheon-node needs Node ${NODE_MAJOR}, this is ${version}; start it through scripts/node24\n`);
  process.exit(EXIT.operator);
}

/**
 * A process that a supervisor started with CACHEON_END_WITH_STDIN holds a pipe from it as standard input: when the
 * pipe closes, the supervisor is gone, by kill -9 as well, and the process must not outlive it.
 */
export function endWithStdin(onEnd: () => void): void {
  if (process.env['CACHEON_END_WITH_STDIN'] !== '1') return;
  process.stdin.on('end', onEnd).on('close', onEnd).on('error', onEnd).resume();
  // The pipe is watched, but it is no reason to stay alive when the work is done.
  (process.stdin as { unref?: () => void }).unref?.();
}
