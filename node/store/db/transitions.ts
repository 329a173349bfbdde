import { StoreError } from '../errors.ts';

/** Which states may follow a state. A state that is not a key of anything else is final. */
export type TransitionTable<S extends string> = Readonly<Record<S, readonly S[]>>;

/**
 * Refuses a step that the table does not have; staying in a state is a step like any other.
 * @throws StoreError TRANSITION_REFUSED
 */
export function checkTransition<S extends string>(table: TransitionTable<S>, from: S, to: S, field: string): void {
  if (!table[from].includes(to)) throw new StoreError('TRANSITION_REFUSED', `from ${from} to ${to}`, { field });
}
