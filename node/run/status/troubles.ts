import { type FoldState, type PeerTrouble, troublesOf } from '../../../evaluator/peer/index.ts';
import type { Trouble } from '../../rpc/index.ts';

/** Named states that are facts about this node rather than of the fold (`peer-protocol.md` section 12). */
export type NodeTroubleCode =
  | 'SYNCING'
  | 'CHAIN_STALLED'
  | 'WAITING_FOR_BYTES'
  | 'CONSENSUS_UNKNOWN'
  | 'NO_BURN_TARGET'
  | 'DIVERGED';

/** What to do about each named state, and whether the node is unready meanwhile; docs/OPERATIONS.md has them all. */
export const REMEDIES: Readonly<Record<NodeTroubleCode | PeerTrouble['code'], { remedy: string; blocking: boolean }>> =
  {
    SYNCING: { remedy: 'wait until every finalized block is taken', blocking: true },
    CHAIN_STALLED: {
      remedy: 'nothing is done on unfinalized blocks; wait, or configure another endpoint',
      blocking: true,
    },
    WAITING_FOR_BYTES: { remedy: 'wait; check that peers are connected', blocking: true },
    CONSENSUS_UNKNOWN: {
      remedy: 'put the announced consensus object into the consensus folder; it is read again',
      blocking: true,
    },
    NO_BURN_TARGET: {
      remedy: 'the subnet owner must register its hotkey; nothing is published until then',
      blocking: false,
    },
    FEW_ACTIVE_VALIDATORS: { remedy: 'wait for a second coldkey to be ready', blocking: false },
    LOW_ACTIVE_STAKE: { remedy: 'wait for more stake to be ready', blocking: false },
    NO_QUORUM: { remedy: 'ask other validators why their ballots are missing', blocking: false },
    DIVERGED: { remedy: 'stop; compare the record with a peer, then start over (docs/OPERATIONS.md)', blocking: true },
  };

/** Troubles by code with the height they were first seen at. */
export class Troubles {
  readonly #standing = new Map<NodeTroubleCode, { readonly since: number | null; readonly detail: string }>();

  raise(code: NodeTroubleCode, detail: string, height: number | null): void {
    const since = this.#standing.get(code)?.since ?? height;
    this.#standing.set(code, { since, detail });
  }

  clear(code: NodeTroubleCode): void {
    this.#standing.delete(code);
  }

  has(code: NodeTroubleCode): boolean {
    return this.#standing.has(code);
  }

  /** Everything that stands, those of the fold's state included. */
  list(state: FoldState): Trouble[] {
    const own = [...this.#standing].map(([code, { since, detail }]) => ({ code, since, detail, ...REMEDIES[code] }));
    const others = troublesOf(state).filter(({ code }) => code !== 'DIVERGED' || !this.has(code));
    const folded = others.map((trouble) => ({
      code: trouble.code,
      since: null,
      detail: detailOf(trouble),
      ...REMEDIES[trouble.code],
    }));
    return [...own, ...folded];
  }
}

/** What more than half of the stake names instead of our record, or null: then nothing may be voted or published. */
export function divergence(state: FoldState): string | null {
  const trouble = troublesOf(state).find(({ code }) => code === 'DIVERGED');
  return trouble === undefined ? null : detailOf(trouble);
}

function detailOf(trouble: PeerTrouble): string {
  switch (trouble.code) {
    case 'FEW_ACTIVE_VALIDATORS':
      return `${trouble.active_coldkeys} active coldkeys`;
    case 'LOW_ACTIVE_STAKE':
      return `${trouble.active_stake} of ${trouble.permitted_stake} active`;
    case 'NO_QUORUM':
      return `${trouble.closes} cohorts in a row closed without quorum`;
    case 'DIVERGED':
      return `record ${trouble.own} here, ${trouble.named} elsewhere`;
  }
}
