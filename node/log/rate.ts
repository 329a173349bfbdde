/** A place in the code that logs at somebody else's pace: what peers and miners cause. */
export interface LimitedLine {
  /** Calls `write`, or counts the line; the next line that is written says how many were not. */
  log(write: (suppressed: number) => void): void;
}

export interface RateDependencies {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

/**
 * Lets `burst` lines through at once and one more every `intervalMs`. One of these per call site, made where the
 * component is composed: there is nothing a peer can grow.
 */
export function rateLimited(burst: number, intervalMs: number, { now }: RateDependencies): LimitedLine {
  let tokens = burst;
  let at = now();
  let suppressed = 0;
  return {
    log(write) {
      const gained = Math.floor((now() - at) / intervalMs);
      tokens = Math.min(burst, tokens + gained);
      at += gained * intervalMs;
      if (tokens === 0) {
        suppressed++;
        return;
      }
      tokens--;
      const missed = suppressed;
      suppressed = 0;
      write(missed);
    },
  };
}
