import type { LoggedEvent, NodeEvent } from '../run/events.ts';

/** What the devnet knows of one proposal. */
export interface Proposal {
  readonly reservation: string;
  readonly miner: string;
  stage: string;
  /** Reasons and speedups as regraded, by place. */
  readonly verdicts: Map<number, { result: string; reason: string | null; speedup: string | null }>;
  outcome: 'crowned' | 'failed' | 'held' | 'expired' | null;
  reason: string | null;
}

/** What the devnet knows of one node, from that node's own events. */
export interface NodeState {
  height: number;
  record: string | null;
  head: string | null;
  stack: string | null;
  closedAt: number;
  /** Latest epoch height whose weights this node read back from the finalized chain. */
  weightsConfirmedAt: number;
  doing: string;
  cohorts: number;
}

/** The last line of `--json`, and what the summary table shows. */
export interface Summary {
  readonly type: 'summary';
  readonly ok: boolean;
  readonly crowned: readonly string[];
  readonly failed: readonly { readonly reservation: string; readonly reason: string }[];
  readonly records: Readonly<Record<string, string | null>>;
  readonly heads: Readonly<Record<string, string | null>>;
  readonly stacks: Readonly<Record<string, string | null>>;
  readonly weightsConfirmed: Readonly<Record<string, boolean>>;
  readonly seconds: number;
}

/** Folds the events of all nodes into what a person wants to see. Facts every node tells are shown once. */
export class Board {
  readonly proposals = new Map<string, Proposal>();
  readonly nodes = new Map<string, NodeState>();
  readonly #miners: ReadonlyMap<string, string>;
  readonly #seen = new Set<string>();

  /**
   * @param nodeNames validators, in order
   * @param miners SS58 hotkey -> name
   */
  constructor(nodeNames: readonly string[], miners: ReadonlyMap<string, string>) {
    this.#miners = miners;
    for (const name of nodeNames) this.nodes.set(name, emptyNode());
  }

  /** Takes one event of one node. Returns whether it is news: a fact that no node had told before. */
  take(node: string, logged: LoggedEvent): boolean {
    const state = this.nodes.get(node);
    if (state === undefined) return false;
    state.height = Math.max(state.height, logged.height);
    this.#takeNode(state, logged);
    this.#takeProposal(logged.event);
    const key = sharedKey(logged.event);
    if (key === null) return true;
    const news = !this.#seen.has(key);
    this.#seen.add(key);
    return news;
  }

  /** Miner of a reservation, or a shortened id. */
  nameOf(reservation: string): string {
    return this.proposals.get(reservation)?.miner ?? reservation.slice(0, 8);
  }

  /** True when every expected proposal has ended on every node and the weights that follow are read back. */
  isComplete(expected: number): boolean {
    const ended = [...this.proposals.values()].filter((proposal) => proposal.outcome !== null);
    if (ended.length < expected) return false;
    const states = [...this.nodes.values()];
    const records = new Set(states.map((state) => `${state.record} ${state.cohorts}`));
    return records.size === 1 && states.every((state) => state.record !== null && weightsDone(state));
  }

  /** The result; `ok` if the faster kernel alone is crowned, the others failed, and all nodes agree. */
  summary(seconds: number): Summary {
    const proposals = [...this.proposals.values()];
    const crowned = proposals.filter((proposal) => proposal.outcome === 'crowned');
    const failed = proposals.filter((proposal) => proposal.outcome === 'failed' || proposal.outcome === 'held');
    const of = <T>(pick: (state: NodeState) => T): Record<string, T> =>
      Object.fromEntries([...this.nodes].map(([name, state]) => [name, pick(state)]));
    const agree = (pick: (state: NodeState) => string | null): boolean => {
      const values = new Set([...this.nodes.values()].map(pick));
      return values.size === 1 && !values.has(null);
    };
    const right =
      crowned.length === 1 &&
      crowned[0]?.miner === 'miner1' &&
      failed
        .map((proposal) => proposal.miner)
        .sort()
        .join() === 'miner2,miner3' &&
      failed.every((proposal) => proposal.outcome === 'failed');
    const equal = agree((s) => s.record) && agree((s) => s.head) && agree((s) => s.stack);
    return {
      type: 'summary',
      ok: right && equal && [...this.nodes.values()].every(weightsDone),
      crowned: crowned.map((proposal) => proposal.reservation),
      failed: failed.map(({ reservation, reason }) => ({ reservation, reason: reason ?? 'unknown' })),
      records: of((state) => state.record),
      heads: of((state) => state.head),
      stacks: of((state) => state.stack),
      weightsConfirmed: of(weightsDone),
      seconds: Math.round(seconds),
    };
  }

  #takeNode(state: NodeState, { event, height }: LoggedEvent): void {
    switch (event.type) {
      case 'closed':
        state.record = event.record;
        state.head = event.journalHead;
        state.stack = event.stack;
        state.closedAt = height;
        state.cohorts = event.index + 1;
        state.doing = 'settled';
        return;
      case 'weights':
        if (event.state === 'confirmed') state.weightsConfirmedAt = Math.max(state.weightsConfirmedAt, event.height);
        state.doing = `weights ${event.state}`;
        return;
      case 'measuring':
        state.doing = `${event.stage} ${this.nameOf(event.reservation)}`;
        return;
      case 'measured':
        state.doing = `measured ${this.nameOf(event.reservation)}: ${event.result}`;
        return;
      case 'state':
        state.doing = event.state;
    }
  }

  #takeProposal(event: NodeEvent): void {
    switch (event.type) {
      case 'reservation': {
        if (this.proposals.has(event.reservation)) return;
        const miner = this.#miners.get(event.hotkey) ?? event.hotkey.slice(0, 8);
        const { reservation } = event;
        this.proposals.set(reservation, {
          reservation,
          miner,
          stage: 'ordered',
          verdicts: new Map(),
          outcome: null,
          reason: null,
        });
        return;
      }
      case 'drawn':
        for (const member of event.members) this.#stage(member.reservation, 'drawn');
        return;
      case 'screened':
      case 'measured':
        this.#stage(event.reservation, event.type);
        return;
      case 'regraded': {
        const proposal = this.proposals.get(event.reservation);
        if (proposal === undefined) return;
        const { result, reason, speedup } = event;
        proposal.verdicts.set(event.place, { result, reason, speedup });
        this.#stage(event.reservation, 'regraded');
        return;
      }
      case 'expired':
        this.#end(event.reservation, 'expired', null);
        return;
      case 'closed':
        for (const { reservation, disposition, reason } of event.members) {
          if (disposition === 'crowned' || disposition === 'held' || disposition === 'failed') {
            this.#end(reservation, disposition, reason);
          } else this.#stage(reservation, disposition);
        }
    }
  }

  #stage(reservation: string, stage: string): void {
    const proposal = this.proposals.get(reservation);
    if (proposal !== undefined && proposal.outcome === null) proposal.stage = stage;
  }

  #end(reservation: string, outcome: Proposal['outcome'], reason: string | null): void {
    const proposal = this.proposals.get(reservation);
    if (proposal === undefined || outcome === null) return;
    const verdicts = [...proposal.verdicts].sort(([a], [b]) => a - b).map(([, verdict]) => verdict.reason);
    proposal.outcome = outcome;
    proposal.stage = outcome;
    proposal.reason = reason ?? verdicts.find((verdict) => verdict !== null) ?? null;
  }
}

function emptyNode(): NodeState {
  return {
    height: 0,
    record: null,
    head: null,
    stack: null,
    closedAt: 0,
    weightsConfirmedAt: -1,
    doing: 'starting',
    cohorts: 0,
  };
}

function weightsDone(state: NodeState): boolean {
  return state.record !== null && state.weightsConfirmedAt >= state.closedAt;
}

/** Facts of the chain are the same on every node: shown when the first node tells them. */
function sharedKey(event: NodeEvent): string | null {
  switch (event.type) {
    case 'reservation':
    case 'expired':
      return `${event.type} ${event.reservation}`;
    case 'screened':
    case 'fetched':
    case 'bundle_refused':
      return `${event.type} ${event.reservation}`;
    case 'drawn':
    case 'opened':
      return `${event.type} ${event.index}`;
    case 'cohort_opened':
      return null;
    default:
      return null;
  }
}
