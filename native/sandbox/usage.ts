import { readFileSync } from 'node:fs';

/** Ticks of a second in /proc, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
/** Processes below one that are counted: the sandbox makes at most two. */
const MAX_PROCESSES = 16;

function children(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Sum over a process and what it started; what is gone counts as nothing. */
function sum(pid: number, of: (pid: number) => number): number {
  let total = 0;
  const queue = [pid];
  for (let index = 0; index < queue.length && index < MAX_PROCESSES; index++) {
    try {
      total += of(queue[index] as number);
      queue.push(...children(queue[index] as number));
    } catch {
      // It ended between two reads; its end is reported by its own event.
    }
  }
  return total;
}

/** Resident bytes of a process and of what it started. */
export function residentBytes(pid: number): number {
  return sum(pid, (one) => {
    const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${one}/status`, 'latin1'));
    return Number(match?.[1] ?? 0) * 1024;
  });
}

/** CPU time that a process and what it started have used so far, seconds. */
export function cpuSeconds(pid: number): number {
  return sum(pid, (one) => {
    // The second field is a name in parentheses, which may hold spaces; user and system time are the 14th and 15th.
    const [, rest = ''] = readFileSync(`/proc/${one}/stat`, 'latin1').split(/\) (?=[A-Z] )/);
    const fields = rest.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  });
}
