/** A signal that fires at a total deadline, after a pause, or with the caller's own signal. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Something happened: the pause starts anew. */
  progress(): void;
  /** True if time ran out, as opposed to the caller giving up. */
  expired(): boolean;
  clear(): void;
}

/**
 * @param totalMs milliseconds until the end, whatever happens
 * @param idleMs milliseconds without `progress`
 */
export function startDeadline(totalMs: number, idleMs: number, caller: AbortSignal): Deadline {
  const timeUp = new AbortController();
  const total = setTimeout(() => timeUp.abort(), totalMs);
  const idle = setTimeout(() => timeUp.abort(), idleMs);
  return {
    signal: AbortSignal.any([caller, timeUp.signal]),
    progress: () => {
      idle.refresh();
    },
    expired: () => timeUp.signal.aborted && !caller.aborted,
    clear() {
      clearTimeout(total);
      clearTimeout(idle);
    },
  };
}
