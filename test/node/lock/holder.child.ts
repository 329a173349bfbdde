import { lockDataDirectory, timingLock } from '../../../node/lock/index.ts';

/** Holds one of the two locks until it is killed; or, with "count", takes the timing lock many times and logs to a file. */
const [kind = '', path = ''] = process.argv.slice(2);
if (kind === 'data-dir') {
  const lock = lockDataDirectory(path);
  process.stdout.write('held\n');
  process.stdin.resume();
  process.stdin.on('end', () => lock.release());
} else {
  await timingLock(path, { random: Math.random }).withTimingLock(async () => {
    process.stdout.write('held\n');
    await new Promise((resolve) => process.stdin.resume().on('end', resolve));
  }, AbortSignal.timeout(15_000));
  process.stdout.write('released\n');
}
