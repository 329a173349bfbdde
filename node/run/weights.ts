import type { Metagraph } from '../../chain/metagraph/index.ts';
import type { PublishOutcome, WeightsJournalStore, WeightsRow, WeightsTarget } from '../../chain/weights/index.ts';
import { EMISSIONS } from '../../config/economics.ts';
import { parseEmissionsPolicy, projectPeerWeights, weightVector } from '../../evaluator/economics/index.ts';
import type { JsonObject, JsonValue } from '../../evaluator/identity/index.ts';
import type { Ledger } from '../../evaluator/settle/index.ts';
import type { Store, StoredWeights } from '../store/index.ts';
import type { NodeEvent } from './events.ts';

/** What is to be published for an epoch height, or why nothing is. */
export type EpochWeights =
  | { readonly kind: 'target'; readonly target: WeightsTarget }
  | { readonly kind: 'NO_BURN_TARGET'; readonly ownerHotkey: string };

/**
 * The vector of an epoch height: the projection of the claims after the last cohort that closed at or before it, with
 * the membership at it; the same for every honest validator. (`peer-protocol.md` section 11)
 */
export function epochWeights(height: number, ledger: Ledger, metagraph: Metagraph): EpochWeights {
  const { ownerHotkey, neurons } = metagraph;
  const members = neurons.map(({ uid, hotkey }) => ({ uid, hotkey }));
  const owner = ownerHotkey ?? '';
  const policy = parseEmissionsPolicy(EMISSIONS);
  const shares = projectPeerWeights({ policy, claims: ledger.claims, members, ownerHotkey: owner, height });
  const vector = weightVector(shares, members, owner);
  if (vector.kind === 'NO_BURN_TARGET') return vector;
  const hotkeys = vector.uids.map((uid) => members.find((member) => member.uid === uid)?.hotkey ?? '');
  return { kind: 'target', target: { epoch_height: height, uids: vector.uids, values: vector.values, hotkeys } };
}

/** The publisher's journal in the node's database. */
export function weightsJournal(store: Store): WeightsJournalStore {
  const read = (row: StoredWeights | null): WeightsRow | null => (row === null ? null : fromStored(row));
  return {
    load: (height) => read(store.weights.get(height)),
    latest: () => read(store.weights.last()),
    save: (row) => {
      const { epoch_height: height, uids, values, hotkeys, state, ...progress } = row;
      store.transaction(() => {
        store.weights.intend(height, { uids, values, hotkeys });
        store.weights.advance(height, state, progress as unknown as JsonValue);
      });
    },
  };
}

function fromStored({ epoch_height, state, vector, submission }: StoredWeights): WeightsRow {
  const { uids, values, hotkeys } = vector as unknown as Pick<WeightsRow, 'uids' | 'values' | 'hotkeys'>;
  const progress = submission as unknown as Omit<WeightsRow, 'epoch_height' | 'state' | 'uids' | 'values' | 'hotkeys'>;
  return { epoch_height, uids, values, hotkeys, state, ...progress };
}

/** The stored target, or null before the first. */
export function storedTarget(store: Store): WeightsTarget | null {
  return store.weights.target() as unknown as WeightsTarget | null;
}

/** What one advance of the publisher tells people; null where nothing changed. */
export function weightsEvent({ row }: PublishOutcome, before: string | null): NodeEvent | null {
  if (row.state === before) return null;
  return { type: 'weights', height: row.epoch_height, state: row.state, detail: row.reason ?? '' };
}

/** Plain data as it is stored. */
export function targetJson(target: WeightsTarget): JsonObject {
  return target as unknown as JsonObject;
}
