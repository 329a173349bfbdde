import type { MonotonicClock } from './types.ts';

/** The host's monotonic clock; its timers keep no process alive. */
export const systemClock: MonotonicClock = {
  now: () => process.hrtime.bigint(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
