import { DIAL_BACKOFF_MAX_MS, DIAL_BACKOFF_MS, DIAL_TARGETS } from '../limits.ts';

/** Where an address came from: the operator's stay for ever, the chain's as long as the chain says so. */
export type TargetSource = 'operator' | 'chain' | 'peer';

/** Somebody to be connected to: up to four addresses, and the hotkey expected or met there. */
export interface DialTarget {
  readonly source: TargetSource;
  readonly addresses: readonly string[];
  /** Null until someone has authenticated at these addresses. */
  readonly hotkey: string | null;
  readonly failures: number;
  readonly lastError: string | null;
}

interface Row extends DialTarget {
  addresses: readonly string[];
  hotkey: string | null;
  failures: number;
  lastError: string | null;
  notBefore: number;
  dialing: boolean;
}

/**
 * When to dial whom: exponential backoff with jitter per target, so that a node that comes back is not met by all
 * others at once. Pure: time and chance come from outside.
 */
export class DialSchedule {
  readonly #rows = new Map<string, Row>();
  readonly #now: () => number;
  readonly #random: () => number;

  constructor(dependencies: { readonly now: () => number; readonly random: () => number }) {
    this.#now = dependencies.now;
    this.#random = dependencies.random;
  }

  /** Adds a target, or gives the one known under this hotkey or first address these addresses. @returns its key */
  add(source: TargetSource, addresses: readonly string[], hotkey: string | null): string | null {
    const first = addresses[0];
    if (first === undefined) return null;
    const key = hotkey === null ? `address:${first}` : `${source}:${hotkey}`;
    const row = this.#rows.get(key);
    if (row !== undefined) {
      if (row.addresses.join() !== addresses.join()) {
        row.addresses = addresses;
        this.retry(key);
      }
      return key;
    }
    if (this.#rows.size >= DIAL_TARGETS && !this.#dropOne()) return null;
    this.#rows.set(key, {
      source,
      addresses,
      hotkey,
      failures: 0,
      lastError: null,
      notBefore: this.#now(),
      dialing: false,
    });
    return key;
  }

  /** Replaces all targets of a source by hotkey; unchanged ones keep their backoff. */
  replace(source: TargetSource, targets: ReadonlyMap<string, readonly string[]>): void {
    for (const [key, row] of this.#rows) {
      if (row.source === source && row.hotkey !== null && !targets.has(row.hotkey)) this.#rows.delete(key);
    }
    for (const [hotkey, addresses] of targets) this.add(source, addresses, hotkey);
  }

  /**
   * Keys of the targets to dial now, at most `count`: due, not under way, not connected, and one per hotkey (several
   * sources may know the same one).
   */
  due(count: number, isConnected: (hotkey: string) => boolean): string[] {
    const now = this.#now();
    const underWay = new Set<string>();
    for (const row of this.#rows.values()) if (row.dialing && row.hotkey !== null) underWay.add(row.hotkey);
    const keys: string[] = [];
    for (const [key, row] of this.#rows) {
      if (keys.length >= count) break;
      if (row.dialing || row.notBefore > now) continue;
      if (row.hotkey !== null) {
        if (underWay.has(row.hotkey) || isConnected(row.hotkey)) continue;
        underWay.add(row.hotkey);
      }
      keys.push(key);
    }
    return keys;
  }

  /** Forgets what peers said of hotkeys that are not among these. */
  retainPeers(hotkeys: ReadonlySet<string>): void {
    for (const [key, row] of this.#rows) {
      if (row.source === 'peer' && row.hotkey !== null && !hotkeys.has(row.hotkey)) this.#rows.delete(key);
    }
  }

  get(key: string): DialTarget | null {
    return this.#rows.get(key) ?? null;
  }

  begin(key: string): void {
    const row = this.#rows.get(key);
    if (row !== undefined) row.dialing = true;
  }

  succeeded(key: string, hotkey: string): void {
    const row = this.#rows.get(key);
    if (row === undefined) return;
    Object.assign(row, { dialing: false, hotkey, failures: 0, lastError: null, notBefore: this.#now() });
  }

  failed(key: string, code: string): void {
    const row = this.#rows.get(key);
    if (row === undefined) return;
    row.dialing = false;
    row.failures += 1;
    row.lastError = code;
    row.notBefore = this.#now() + backoff(row.failures, this.#random());
  }

  /** Forgets the backoff: the target is due at once. */
  retry(key: string): void {
    const row = this.#rows.get(key);
    if (row !== undefined) Object.assign(row, { failures: 0, notBefore: this.#now() });
  }

  /** Makes every target at this hotkey due at once. */
  retryHotkey(hotkey: string): void {
    for (const [key, row] of this.#rows) if (row.hotkey === hotkey) this.retry(key);
  }

  remove(key: string): void {
    this.#rows.delete(key);
  }

  /** No dial is under way any more: the network has stopped. */
  reset(): void {
    for (const [key, row] of this.#rows) {
      row.dialing = false;
      this.retry(key);
    }
  }

  targets(): DialTarget[] {
    return [...this.#rows.values()];
  }

  /** Room for one more: what peers said goes first. The operator's stay. */
  #dropOne(): boolean {
    for (const source of ['peer', 'chain'] as const) {
      for (const [key, row] of this.#rows) if (row.source === source) return this.#rows.delete(key);
    }
    return false;
  }
}

/** Pause after the n-th failure in a row, in ms: doubled each time, then between half and the whole of that. */
export function backoff(failures: number, random: number): number {
  const whole = Math.min(DIAL_BACKOFF_MAX_MS, DIAL_BACKOFF_MS * 2 ** Math.min(failures - 1, 30));
  return Math.round(whole / 2 + (whole / 2) * random);
}
