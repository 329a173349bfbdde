import assert from 'node:assert/strict';
import { sha256Hex } from '../../../evaluator/identity/index.ts';
import {
  type Anchor,
  type BlockAnchor,
  type Cohort,
  type Consensus,
  type ConsensusSource,
  encodeAddress,
  encodeAnchor,
  encodePayload,
  type FoldAuthority,
  type FoldBlock,
  type FoldEvent,
  type FoldState,
  type Graded,
  initialState,
  type LedgerHead,
  type StepResult,
  type SubnetState,
  stepBlock,
} from '../../../evaluator/peer/index.ts';
import { sampleConsensus } from './sample.ts';

/** A made-up address; different numbers give different ones. */
export function key(n: number): string {
  return encodeAddress(Buffer.from(sha256Hex(`key ${n}`), 'hex'));
}

export function digest(name: string): string {
  return sha256Hex(name);
}

export function anchorOf(hotkey: string, anchor: Anchor): BlockAnchor {
  return { hotkey, payload: Buffer.from(encodeAnchor(anchor)).toString('hex') };
}

/** Makes a value and everything in it immutable, so that a step that writes to its input throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}

export interface StepInput {
  readonly anchors?: readonly BlockAnchor[];
  /** Miners' hotkeys and the URLs they propose; the content hash is that of the URL. */
  readonly proposals?: readonly { readonly hotkey: string; readonly url: string }[];
  readonly owner?: string | null;
}

/** A small network for tests: validators 1..n with coldkeys 101.., miners 51.. with coldkeys 151... */
export class World {
  readonly consensus: Consensus;
  readonly subnet: SubnetState;
  readonly grades = new Map<string, Graded>();
  readonly objects = new Map<string, Consensus>();
  readonly records = new Set<string>();
  readonly events: FoldEvent[] = [];
  readonly authority: FoldAuthority;
  readonly source: ConsensusSource;
  ledger: LedgerHead;
  state: FoldState;

  constructor(change: Partial<Consensus> = {}, stakes: readonly number[] = [100, 100, 100]) {
    this.consensus = sampleConsensus(change);
    this.ledger = { stack_digest: this.consensus.genesis_stack_digest, journal_head: '', claims_digest: digest('c') };
    this.subnet = {
      validators: stakes.map((stake, i) => ({
        hotkey: key(i + 1),
        coldkey: key(i + 101),
        stake: String(stake),
        permit: true,
      })),
      others: Object.fromEntries([51, 52, 53].map((n) => [key(n), key(n + 100)])),
    };
    this.state = initialState(this.consensus, this.ledger, { policyNoticeBlocks: 10 });
    this.source = { object: (d) => this.objects.get(d) ?? null, isRecord: (d) => this.records.has(d) };
    this.authority = {
      graded: (receipt) => this.grades.get(receipt) ?? null,
      acceptsPair: () => true,
      settle: (ripe, winner) => {
        const stack_digest = ripe[winner]?.primary.candidate_stack_digest as string;
        this.ledger = { ...this.ledger, stack_digest, journal_head: digest(`journal ${stack_digest}`) };
        return this.ledger;
      },
      ledger: () => this.ledger,
      adoptGenesis: (stack_digest) => {
        this.ledger = { ...this.ledger, stack_digest };
        return this.ledger;
      },
    };
  }

  block(input: StepInput = {}): FoldBlock {
    const height = this.state.height + 1;
    return {
      height,
      hash: `0x${digest(`block ${height}`)}`,
      anchors: input.anchors ?? [],
      proposals: (input.proposals ?? []).map(({ hotkey, url }, i) => ({
        event_index: i,
        event_subindex: 0,
        hotkey,
        committed: null,
        payload: encodePayload({ content_hash: digest(url), url, payment: null }),
      })),
      state: this.subnet,
      owner_hotkey: input.owner ?? null,
    };
  }

  /** Steps one block and takes the new state over if it was applied. */
  step(input: StepInput = {}): StepResult {
    const result = stepBlock(deepFreeze(this.state), this.block(input), this.authority, this.source);
    if (result.kind !== 'applied') return result;
    this.state = result.state;
    this.events.push(...result.events);
    if (result.record_digest !== null) this.records.add(result.record_digest);
    return result;
  }

  /** Steps empty blocks up to and including a height. */
  stepTo(height: number): void {
    while (this.state.height < height) assert.equal(this.step().kind, 'applied');
  }

  /** All validators anchor readiness with a capacity, in one block. */
  allReady(capacity = 4): void {
    const arena_digest = this.state.consensus.arena_digest;
    const anchors = this.subnet.validators.map(({ hotkey }) =>
      anchorOf(hotkey, { kind: 'ready', arena_digest, capacity }),
    );
    this.step({ anchors });
  }

  /** Everybody ready, one proposal by miner 51, stepped to the end of E. */
  openCohort(url = 'https://ex.com/1'): Cohort {
    this.allReady();
    this.step({ proposals: [{ hotkey: key(51), url }] });
    while (this.state.phase.kind !== 'measuring') this.step();
    return this.cohort();
  }

  cohort(): Cohort {
    const { phase } = this.state;
    if (phase.kind !== 'measuring' && phase.kind !== 'ballots') throw new Error(`no cohort while ${phase.kind}`);
    return phase.cohort;
  }

  /** The drawn validators anchor attempts or receipts for every place, in one block. */
  anchorAll(kind: 'attempt' | 'receipt'): void {
    const { index, members } = this.cohort();
    const places = members.flatMap((member) => member.sides);
    const anchors = places.map(({ hotkey }, place) =>
      anchorOf(hotkey, { kind, cohort_index: index, place, digest: digest(`${kind} ${index} ${place}`) }),
    );
    this.step({ anchors });
  }

  /** Ballots of the given validators for every place. */
  ballots(hotkeys: readonly string[], bitmap = 3n, previous = this.state.record_digest || '0'.repeat(64)): void {
    const { index } = this.cohort();
    this.step({ anchors: hotkeys.map((h) => anchorOf(h, { kind: 'ballot', cohort_index: index, bitmap, previous })) });
  }

  hotkeys(): string[] {
    return this.subnet.validators.map((validator) => validator.hotkey);
  }

  /** Grades the receipts of {@link anchorAll} for member 0. */
  gradeAll(result: Graded['result'], speedup: string | null, index = this.cohort().index): void {
    for (const place of [0, 1]) this.grades.set(digest(`receipt ${index} ${place}`), grade(result, speedup));
  }
}

export function grade(result: Graded['result'], speedup: string | null = null): Graded {
  return {
    result,
    speedup,
    target_id: 'linear.matmul',
    members: ['linear.matmul'],
    selected_delta_digest: digest('delta'),
    candidate_stack_digest: digest('candidate stack'),
  };
}
