import { readFileSync } from 'node:fs';

/** Linux pages are 4 KiB on both packaged architectures' usual kernels; a larger page only makes the watch stricter. */
const PAGE_BYTES = 4096;
/** Processes below one that are counted: the sandbox makes at most two. */
const MAX_PROCESSES = 16;

function children(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Resident bytes of a process and of what it started; 0 for one that is gone. */
export function residentBytes(pid: number): number {
  let total = 0;
  const queue = [pid];
  for (let index = 0; index < queue.length && index < MAX_PROCESSES; index++) {
    try {
      const [, resident] = readFileSync(`/proc/${queue[index]}/statm`, 'utf8').split(' ');
      total += Number(resident) * PAGE_BYTES;
      queue.push(...children(queue[index] as number));
    } catch {
      // It ended between two reads; its end is reported by its own event.
    }
  }
  return total;
}
