import type { KeyringPair } from '@polkadot/keyring/types';
import type { Call } from '@polkadot/types/interfaces';
import { ChainError } from '../errors.ts';
import { createFollower } from '../follower/index.ts';
import {
  type Chain,
  type Clock,
  type FinalizedHead,
  orAbort,
  RemoteRefusal,
  type Runtime,
  type StateReader,
  safeIntegerOf,
  systemClock,
} from '../rpc/index.ts';
import { type SignedExtrinsic, signExtrinsic } from './extrinsic.ts';
import { ERA_BLOCKS, SUBMIT_DEADLINE_MS } from './limits.ts';
import { inclusionIn } from './outcome.ts';

export type SubmitResult =
  /** The predicate held in the state of this finalized block. */
  | { readonly kind: 'finalized'; readonly height: number; readonly hash: string }
  /** It is final that it had no effect: `pallet.ErrorName`, or `pool.CODE` if it never got into the pool. */
  | { readonly kind: 'rejected'; readonly error: string; readonly detail: string }
  /**
   * Nothing is known yet: ask again with the same predicate, which reads back first. `expired`: it can no longer be
   * included; `no_effect`: it was included and the predicate does not hold; `pending`: it may still be included.
   */
  | {
      readonly kind: 'unknown';
      readonly reason: 'pending' | 'expired' | 'no_effect';
      readonly deathHeight: number | null;
    };

export interface Submission {
  readonly call: (runtime: Runtime) => Call;
  /** Decides success from finalized state alone. Asked before signing, then at every finalized block. */
  readonly confirmed: (state: StateReader, block: FinalizedHead) => Promise<boolean>;
  /** Told before anything is sent, so that a journal can say first that something may be under way. */
  readonly beforeSend?: (signed: { readonly deathHeight: number; readonly nonce: number }) => void | Promise<void>;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/** The only holder of a hotkey's secret: one extrinsic at a time. */
export interface Signer {
  /** SS58 with prefix 42. */
  readonly hotkey: string;
  /** Raw sr25519 signature, for bindings. */
  sign(message: Uint8Array): Uint8Array;
  submit(submission: Submission): Promise<SubmitResult>;
}

export interface SignerOptions {
  readonly eraBlocks?: number;
  readonly clock?: Clock;
  /** Passed to the followers that wait for finality. */
  readonly pollMs?: number;
}

export function createSigner(chain: Chain, pair: KeyringPair, options: SignerOptions = {}): Signer {
  return new SerialSigner(chain, pair, options);
}

interface Watched {
  readonly signed: SignedExtrinsic;
  /** The last finalized block that was looked at. */
  cursor: FinalizedHead;
}

class SerialSigner implements Signer {
  readonly #chain: Chain;
  readonly #pair: KeyringPair;
  readonly #eraBlocks: number;
  readonly #clock: Clock;
  readonly #follow: { readonly pollMs?: number };
  #tail: Promise<unknown> = Promise.resolve();
  /** An extrinsic whose fate was not known when its caller's deadline passed. */
  #open: Watched | null = null;

  constructor(chain: Chain, pair: KeyringPair, { eraBlocks, clock, pollMs }: SignerOptions) {
    this.#chain = chain;
    this.#pair = pair;
    this.#eraBlocks = eraBlocks ?? ERA_BLOCKS;
    this.#clock = clock ?? systemClock;
    this.#follow = pollMs === undefined ? {} : { pollMs };
  }

  get hotkey(): string {
    return this.#pair.address;
  }

  sign(message: Uint8Array): Uint8Array {
    return this.#pair.sign(message);
  }

  async submit(submission: Submission): Promise<SubmitResult> {
    const before = this.#tail;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    this.#tail = before.then(() => done);
    const late = new AbortController();
    const finished = new AbortController();
    const signal = AbortSignal.any([late.signal, ...(submission.signal === undefined ? [] : [submission.signal])]);
    this.#clock.sleep(submission.deadlineMs ?? SUBMIT_DEADLINE_MS, finished.signal).then(
      () => late.abort(new ChainError('CALL_DEADLINE', undefined, { field: 'submit' })),
      () => {},
    );
    try {
      await orAbort(before, signal);
      return await this.#submit(submission, signal);
    } catch (error) {
      const outage = error instanceof ChainError && error.fault === 'infrastructure' && this.#open !== null;
      if (submission.signal?.aborted || !(late.signal.aborted || outage)) throw error;
      return { kind: 'unknown', reason: 'pending', deathHeight: this.#open?.signed.deathHeight ?? null };
    } finally {
      finished.abort();
      resolve();
    }
  }

  async #submit(submission: Submission, signal: AbortSignal): Promise<SubmitResult> {
    if (this.#open !== null) await this.#settle(this.#open, submission, signal);
    const head = await this.#chain.finalizedHead(signal);
    const state = await this.#chain.stateAt(head.hash, signal);
    if (await submission.confirmed(state, head)) return finalized(head);
    const index = await this.#chain.rpc.call('system_accountNextIndex', [this.hotkey], { signal });
    const signed = signExtrinsic(submission.call(state.runtime), this.#pair, {
      runtime: state.runtime,
      genesisHash: this.#chain.rpc.genesisHash,
      head,
      nonce: safeIntegerOf(index, 'system_accountNextIndex'),
      eraBlocks: this.#eraBlocks,
    });
    await submission.beforeSend?.({ deathHeight: signed.deathHeight, nonce: signed.nonce });
    signal.throwIfAborted();
    this.#open = { signed, cursor: head };
    const refusal = await this.#send(signed, signal);
    if (refusal !== null) {
      this.#open = null;
      return refusal;
    }
    return this.#settle(this.#open, submission, signal);
  }

  /** Null if it may be in the pool now: also if the socket broke and nobody can say. */
  async #send({ hex }: SignedExtrinsic, signal: AbortSignal): Promise<SubmitResult | null> {
    try {
      await this.#chain.rpc.callOnce('author_submitExtrinsic', [hex], { signal });
      return null;
    } catch (error) {
      if (error instanceof RemoteRefusal) {
        const { code, message, data } = error.remote;
        if (code === ALREADY_IMPORTED) return null;
        return { kind: 'rejected', error: `pool.${code}`, detail: data === '' ? message : data };
      }
      if (signal.aborted || !(error instanceof ChainError) || error.fault !== 'infrastructure') throw error;
      return null;
    }
  }

  /** Watches finalized blocks until the predicate holds or the extrinsic's fate is final. */
  async #settle(watched: Watched, submission: Submission, signal: AbortSignal): Promise<SubmitResult> {
    const { hex, deathHeight } = watched.signed;
    const cursor = { height: watched.cursor.height, hash: watched.cursor.hash };
    const follower = createFollower(this.#chain, { cursor, ...this.#follow }, { clock: this.#clock });
    for await (const block of follower.heads(signal)) {
      const result = await this.#judge(block, hex, deathHeight, submission, signal);
      watched.cursor = block;
      if (result === null) continue;
      this.#open = null;
      return result;
    }
    throw signal.reason;
  }

  async #judge(
    block: FinalizedHead,
    hex: string,
    deathHeight: number,
    { confirmed }: Submission,
    signal: AbortSignal,
  ): Promise<SubmitResult | null> {
    if (await confirmed(await this.#chain.stateAt(block.hash, signal), block)) return finalized(block);
    const inclusion = await inclusionIn(this.#chain, block, hex, signal);
    if (inclusion.kind === 'failed') return { kind: 'rejected', error: inclusion.error, detail: '' };
    if (inclusion.kind === 'succeeded') return { kind: 'unknown', reason: 'no_effect', deathHeight };
    return block.height >= deathHeight - 1 ? { kind: 'unknown', reason: 'expired', deathHeight } : null;
  }
}

/** Substrate's code for an extrinsic that is in the pool already. */
const ALREADY_IMPORTED = 1013;

function finalized({ height, hash }: FinalizedHead): SubmitResult {
  return { kind: 'finalized', height, hash };
}
