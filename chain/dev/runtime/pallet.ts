import type { ConstantShape } from '../metadata/index.ts';
import { type Codec, encoded, type FieldShape, type Fields, type ScaleReader } from '../scale/index.ts';
import type { StateWriter, StorageItem } from '../storage/index.ts';
import type { DispatchError, DispatchInfo } from './types/dispatch.ts';

/** What a pallet sees while a block is executed. */
export interface BlockContext {
  readonly state: StateWriter;
  /** The block being executed. */
  readonly number: number;
  deposit<T>(event: PalletEvent<T>, value: T): void;
}

export interface PalletEvent<T> {
  readonly pallet: number;
  readonly index: number;
  readonly fields: Fields<T>;
}

/** What the metadata needs of an event or a variant. */
export interface FieldsShape {
  readonly index: number;
  readonly fields: { readonly fields: readonly FieldShape[] };
}

/** A dispatch that fails: its writes and events are undone and the block has System.ExtrinsicFailed. */
export class DispatchFailure extends Error {
  readonly error: DispatchError;

  constructor(name: string, error: DispatchError) {
    super(name);
    this.error = error;
  }
}

/** A call's arguments bound to its code; `who` is the signer, null for an unsigned call. */
export type BoundCall = (context: BlockContext, who: Uint8Array | null) => void;

export interface PalletCall {
  readonly index: number;
  readonly fields: readonly FieldShape[];
  readonly class: DispatchInfo['class'];
  readonly paysFee: DispatchInfo['paysFee'];
  decode(input: ScaleReader): BoundCall;
}

export interface TypedCall<A> extends PalletCall {
  encodeArguments(value: A): Uint8Array;
}

interface CallOptions<A> {
  readonly index: number;
  readonly class: DispatchInfo['class'];
  readonly paysFee: DispatchInfo['paysFee'];
  readonly fields: Fields<A>;
}

/** A call that a signer makes. */
export function signedCall<A>(
  options: CallOptions<A>,
  dispatch: (context: BlockContext, who: Uint8Array, value: A) => void,
): TypedCall<A> {
  return call(options, (context, who, value) => {
    if (who === null) throw badOrigin();
    dispatch(context, who, value);
  });
}

/** A call that the block author puts into the block itself. */
export function authorCall<A>(
  options: CallOptions<A>,
  dispatch: (context: BlockContext, value: A) => void,
): TypedCall<A> {
  return call(options, (context, who, value) => {
    if (who !== null) throw badOrigin();
    dispatch(context, value);
  });
}

const badOrigin = (): DispatchFailure => new DispatchFailure('BadOrigin', { kind: 'BadOrigin', value: null });

function call<A>(
  { index, class: dispatchClass, paysFee, fields }: CallOptions<A>,
  dispatch: (context: BlockContext, who: Uint8Array | null, value: A) => void,
): TypedCall<A> {
  return {
    index,
    fields: fields.fields,
    class: dispatchClass,
    paysFee,
    decode: (input) => {
      const value = fields.decode(input);
      return (context, who) => dispatch(context, who, value);
    },
    encodeArguments: (value) => encoded(fields, value),
  };
}

export interface Pallet {
  readonly name: string;
  readonly index: number;
  /** The Rust path of its module, for the metadata's type names. */
  readonly path: string;
  readonly storage: readonly Pick<StorageItem<never, never, unknown>, 'shape'>[];
  readonly calls: Readonly<Record<string, PalletCall>>;
  readonly events: Readonly<Record<string, FieldsShape>>;
  /** Error names with their index; only those that this chain can give. */
  readonly errors: Readonly<Record<string, number>>;
  readonly constants: readonly ConstantShape[];
  readonly onInitialize?: (context: BlockContext) => void;
}

/** Throws the pallet's error of that name. */
export type Fail<E> = (name: keyof E & string) => never;

export function failWith<const E extends Readonly<Record<string, number>>>(pallet: number, errors: E): Fail<E> {
  return (name) => {
    const error = Uint8Array.of(errors[name]!, 0, 0, 0);
    throw new DispatchFailure(name, { kind: 'Module', value: { index: pallet, error } });
  };
}

export function constant<T>(name: string, codec: Codec<T>, value: T): ConstantShape {
  return { name, type: codec.shape, value: encoded(codec, value) };
}
