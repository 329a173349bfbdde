import { PeerError } from '../errors.ts';
import { TRACKED_HOTKEYS } from '../limits.ts';
import type { Binding } from './binding.ts';

/**
 * The highest binding epoch seen of every hotkey: an older binding, or another one of the same epoch, is refused, so
 * that a rotated node key stays rotated.
 */
export class BindingEpochs {
  readonly #highest = new Map<string, { epoch: number; peerId: string }>();

  /** Notes a verified binding. @throws PeerError AUTH_EPOCH */
  admit(binding: Binding): void {
    const known = this.#highest.get(binding.hotkey);
    if (known !== undefined) {
      const sameNode = known.peerId === binding.peer_id;
      if (binding.epoch < known.epoch || (binding.epoch === known.epoch && !sameNode)) {
        throw new PeerError('AUTH_EPOCH', undefined, { field: 'epoch' });
      }
    }
    this.#highest.delete(binding.hotkey);
    this.#highest.set(binding.hotkey, { epoch: binding.epoch, peerId: binding.peer_id });
    if (this.#highest.size > TRACKED_HOTKEYS) {
      this.#highest.delete(this.#highest.keys().next().value as string);
    }
  }
}
