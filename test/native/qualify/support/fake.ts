import { slotReference } from '../../../../evaluator/audit/index.ts';
import { sha256Hex } from '../../../../evaluator/identity/index.ts';
import type {
  AuditCall,
  AuditOutput,
  Lane,
  LaneFactory,
  LaneSpec,
  Prebuild,
  Sequence,
} from '../../../../native/lane/types.ts';
import type { MonotonicClock } from '../../../../native/qualify/index.ts';

/** A clock that moves only when somebody works. */
export class FakeClock implements MonotonicClock {
  #now = 0n;
  #timers = new Set<{ at: bigint; run: () => void }>();

  now(): bigint {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + BigInt(milliseconds) * 1_000_000n, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  advance(ns: bigint): void {
    this.#now += ns;
    for (const timer of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(timer);
      timer.run();
    }
  }

  /** Timers nobody cancelled. */
  get pending(): number {
    return this.#timers.size;
  }
}

export type Request = 'open' | 'generate' | 'audit' | 'grade';
export type Role = 'baseline' | 'candidate' | 'reference';

/** What a fake lane does; every part may be replaced to cheat or to fail. */
export interface Behaviour {
  /** Nanoseconds of lane time for each position. */
  readonly nsPerPosition: Readonly<Record<Role, number>>;
  readonly token?: (role: Role, prompt: readonly number[], position: number) => number;
  readonly audit?: (call: AuditCall, output: AuditOutput, index: number, lane: number) => AuditOutput;
  /** Told every prompt a baseline or candidate lane is given. */
  readonly given?: (lane: number, prompt: string) => void;
  /** Called before each request; throws to fail it. */
  readonly before?: (role: Role, request: Request, lane: number, clock: FakeClock) => void;
  readonly decoded?: (role: Role, tokens: number[][]) => number[][];
}

export const FAST: Behaviour = { nsPerPosition: { baseline: 8_000, candidate: 4_000, reference: 8_000 } };

/** The stand-in of a model: a token from the last two and the position. */
export function plainToken(prompt: readonly number[], position: number): number {
  const at = (i: number) => prompt[i % prompt.length] as number;
  return (at(position) * 31 + at(position * 7 + 3) * 17 + position) % 256;
}

export class FakeLanes implements LaneFactory {
  readonly opened: { role: Role; spec: LaneSpec }[] = [];
  /** Lanes that are open now. */
  living = 0;
  readonly #behaviour: Behaviour;
  readonly #clock: FakeClock;
  readonly #pairs: number;

  /** @param pairs of the speed policy: the lane without modules after so many baselines is T */
  constructor(behaviour: Behaviour, clock: FakeClock, pairs: number) {
    this.#behaviour = behaviour;
    this.#clock = clock;
    this.#pairs = pairs;
  }

  async open(spec: LaneSpec, signal: AbortSignal): Promise<Lane> {
    const baselines = this.opened.filter((row) => row.role === 'baseline').length;
    const stock: Role = baselines === this.#pairs ? 'reference' : 'baseline';
    const role = spec.modules.length > 0 ? 'candidate' : stock;
    const lane = this.opened.length;
    this.opened.push({ role, spec });
    this.#behaviour.before?.(role, 'open', lane, this.#clock);
    signal.throwIfAborted();
    this.living++;
    return this.#lane(role, lane);
  }

  #lane(role: Role, number: number): Lane {
    const behaviour = this.#behaviour;
    const clock = this.#clock;
    let closed = false;
    const work = (signal: AbortSignal, positions: number): bigint => {
      const elapsed = BigInt(behaviour.nsPerPosition[role] * positions);
      clock.advance(elapsed);
      signal.throwIfAborted();
      return elapsed;
    };
    const token = (prompt: readonly number[], position: number) =>
      behaviour.token?.(role, prompt, position) ?? plainToken(prompt, position);
    return {
      facts: { sandbox: 'none', start_ms: 1.5, pid: number },
      generate: async (sequences: readonly Sequence[], signal) => {
        behaviour.before?.(role, 'generate', number, clock);
        for (const { prompt } of sequences) behaviour.given?.(number, prompt.join());
        const tokens = sequences.map(({ prompt, decode }) =>
          Array.from({ length: decode }, (_, i) => token(prompt, prompt.length + i)),
        );
        const positions = sequences.reduce((sum, { prompt, decode }) => sum + prompt.length + decode, 0);
        return { tokens: behaviour.decoded?.(role, tokens) ?? tokens, elapsedNs: work(signal, positions) };
      },
      audit: async (list, signal) => {
        behaviour.before?.(role, 'audit', number, clock);
        work(signal, list.length);
        return list.map((call, i) => {
          const args = Object.values(call.shape);
          const output = Float32Array.from(slotReference(call.slot, args, call.inputs, 0.00001));
          const honest: AuditOutput = { output, clean: true, usedCandidate: true };
          return behaviour.audit?.(call, honest, i, number) ?? honest;
        });
      },
      grade: async (list, signal) => {
        behaviour.before?.(role, 'grade', number, clock);
        work(signal, list.length * 320);
        return list.map(({ prompt, tokens }) =>
          tokens.map((given, i) => {
            const best = plainToken(prompt, prompt.length + i);
            return { best, bestLogit: 2.5, tokenLogit: given === best ? 2.5 : 1.25 };
          }),
        );
      },
      close: async () => {
        if (!closed) this.living--;
        closed = true;
      },
    };
  }
}

/** Compiles nothing: a module is its source. */
export const fakePrebuild: Prebuild = {
  build: async (row) => {
    const wasm = row.files[0]?.data ?? new Uint8Array();
    return { ok: true, wasm, sha256: sha256Hex(wasm), seconds: 0.25 };
  },
};
