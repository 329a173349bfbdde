import type { EventRow } from '../rpc/index.ts';
import type { LoggedEvent } from '../run/events.ts';

/** One status call, milliseconds: a node that is busy or restarting is asked again at the next round. */
const CALL_DEADLINE_MS = 3000;
/** Rows of one call. */
const ROWS = 200;

/** Follows the events of one node over its status RPC, across restarts of that node. */
export class EventPoller {
  readonly #url: string;
  #after = 0;

  constructor(port: number) {
    this.#url = `http://127.0.0.1:${port}/`;
  }

  /** New events in order; none while the node does not answer. */
  async poll(): Promise<readonly LoggedEvent[]> {
    const found: LoggedEvent[] = [];
    for (;;) {
      const rows = await this.#call();
      for (const { sequence, height, event } of rows) {
        found.push({ sequence, height, event: event as unknown as LoggedEvent['event'] });
        this.#after = Math.max(this.#after, sequence);
      }
      if (rows.length < ROWS) return found;
    }
  }

  async #call(): Promise<readonly EventRow[]> {
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'events', params: { after: this.#after, limit: ROWS } }),
        signal: AbortSignal.timeout(CALL_DEADLINE_MS),
      });
      const answer = (await response.json()) as { result?: readonly EventRow[] };
      return answer.result ?? [];
    } catch {
      return [];
    }
  }
}
