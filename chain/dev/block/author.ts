import { blake2AsU8a } from '@polkadot/util-crypto';
import {
  type BlockContext,
  bareExtrinsic,
  DRAND_INDEX,
  type Extrinsic,
  noteParent,
  type Pulse,
  type Runtime,
  setTimestamp,
  TIMESTAMP_INDEX,
  writePulse,
} from '../runtime/index.ts';
import { ScaleWriter } from '../scale/index.ts';
import { Overlay, type StateChange, type StateReader } from '../storage/index.ts';
import { Execution } from './execution.ts';
import { type Block, extrinsicsRootOf, type Header, headerHash } from './header.ts';

/** A change of state that no extrinsic makes: the admin methods' edits. */
export type StateEdit = (context: BlockContext) => void;

export interface BlockInputs {
  readonly parent: Block;
  readonly parentState: StateReader;
  /** Unix milliseconds. */
  readonly timestamp: number;
  readonly pulses: readonly Pulse[];
  readonly edits: readonly StateEdit[];
  /** With their signers, already checked against this block. */
  readonly transactions: readonly { readonly extrinsic: Extrinsic; readonly who: Uint8Array }[];
}

export interface AuthoredBlock extends Block {
  readonly changes: readonly StateChange[];
}

const TIMESTAMP_SET = Uint8Array.of(TIMESTAMP_INDEX, setTimestamp.index);
const DRAND_WRITE_PULSE = Uint8Array.of(DRAND_INDEX, writePulse.index);
/** Whoever submits pulses on subtensor signs with a key of its own; here it is the author. */
const NO_KEY = new Uint8Array(32);

/** Makes the block after `parent`: hooks, the author's own extrinsics, then the transactions in order. */
export function authorBlock(runtime: Runtime, inputs: BlockInputs): AuthoredBlock {
  const { parent, transactions } = inputs;
  const number = parent.header.number + 1;
  const state = new Overlay(inputs.parentState);
  noteParent(state, parent.header.number, parent.hash);
  const execution = new Execution(runtime, state, number);
  for (const edit of inputs.edits) edit(execution);
  execution.initialize();
  const own = ownExtrinsics(inputs, number).map((bytes) => runtime.decodeExtrinsic(bytes));
  for (const extrinsic of own) execution.apply(extrinsic, null);
  for (const { extrinsic, who } of transactions) execution.apply(extrinsic, who);
  execution.finalize();

  const changes = state.changes();
  const extrinsics = [...own, ...transactions.map(({ extrinsic }) => extrinsic)].map(({ bytes }) => bytes);
  const header: Header = {
    number,
    parentHash: parent.hash,
    stateRoot: stateRootAfter(parent.header.stateRoot, changes),
    extrinsicsRoot: extrinsicsRootOf(extrinsics),
  };
  return { header, hash: headerHash(header), extrinsics, changes };
}

/** A hash chain over all changes of storage; it commits to the state like a root, but offers no proofs. */
export function stateRootAfter(parentRoot: Uint8Array, changes: readonly StateChange[]): Uint8Array {
  const out = new ScaleWriter();
  out.bytes(parentRoot);
  for (const { key, value } of changes) {
    out.compact(key.length);
    out.bytes(key);
    out.u8(value === null ? 0 : 1);
    out.compact(value?.length ?? 0);
    out.bytes(value ?? new Uint8Array());
  }
  return blake2AsU8a(out.finish(), 256);
}

function ownExtrinsics({ timestamp, pulses }: BlockInputs, number: number): Uint8Array[] {
  const timestampCall = Buffer.concat([TIMESTAMP_SET, setTimestamp.encodeArguments({ now: BigInt(timestamp) })]);
  if (pulses.length === 0) return [bareExtrinsic(timestampCall)];
  const pulsesPayload = { blockNumber: number, pulses, public: { kind: 'Sr25519', value: NO_KEY } } as const;
  const pulseArguments = writePulse.encodeArguments({ pulsesPayload, signature: null });
  return [bareExtrinsic(timestampCall), bareExtrinsic(Buffer.concat([DRAND_WRITE_PULSE, pulseArguments]))];
}
