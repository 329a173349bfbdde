import { canonicalDigest } from '../identity/index.ts';
import type { FoldState } from './state.ts';

/** CD("cacheon.peer.state.v1", ...) of what goes on after a close (section 8). */
export function stateDigest(state: FoldState): string {
  return canonicalDigest('cacheon.peer.state.v1', {
    queue: state.queue.map(({ reservation_id, committed, spent, passes, delta, drawn }) => {
      return { reservation_id, committed, spent, passes, delta, drawn };
    }),
    ready: state.ready,
    penalties: state.penalties,
    samples: state.samples,
    policy: state.policy.map((row) => ({ ...row, activation_height: BigInt(row.activation_height) })),
  });
}
