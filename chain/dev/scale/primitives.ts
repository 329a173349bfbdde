import { DevChainError } from '../errors.ts';
import { type Codec, type PrimitiveName, shapeOf } from './shape.ts';

function primitive<T>(name: PrimitiveName, encode: Codec<T>['encode'], decode: Codec<T>['decode']): Codec<T> {
  return { shape: shapeOf({ kind: 'primitive', primitive: name }), encode, decode };
}

export const u8 = primitive<number>(
  'u8',
  (value, out) => out.u8(value),
  (input) => input.u8(),
);
export const u16 = primitive<number>(
  'u16',
  (value, out) => out.u16(value),
  (input) => input.u16(),
);
export const u32 = primitive<number>(
  'u32',
  (value, out) => out.u32(value),
  (input) => input.u32(),
);
export const u64 = primitive<bigint>(
  'u64',
  (value, out) => out.u64(value),
  (input) => input.u64(),
);
export const u128 = primitive<bigint>(
  'u128',
  (value, out) => out.u128(value),
  (input) => input.u128(),
);

export const bool = primitive<boolean>(
  'bool',
  (value, out) => out.u8(value ? 1 : 0),
  (input) => {
    const byte = input.u8();
    if (byte > 1) throw new DevChainError('SCALE_MALFORMED', 'a bool is 0 or 1');
    return byte === 1;
  },
);

export const str = primitive<string>(
  'str',
  (value, out) => out.text(value),
  (input) => Buffer.from(input.bytes(input.length())).toString('utf8'),
);

/** `Compact<u32>`. */
export const compactU32: Codec<number> = {
  shape: shapeOf({ kind: 'compact', item: u32.shape }),
  encode: (value, out) => out.compact(value),
  decode: (input) => {
    const value = input.compact();
    if (value > 0xffff_ffffn) throw new DevChainError('SCALE_MALFORMED', 'compact integer wider than u32');
    return Number(value);
  },
};

/** `Compact<u64>`. */
export const compactU64: Codec<bigint> = {
  shape: shapeOf({ kind: 'compact', item: u64.shape }),
  encode: (value, out) => out.compact(value),
  decode: (input) => {
    const value = input.compact();
    if (value >> 64n !== 0n) throw new DevChainError('SCALE_MALFORMED', 'compact integer wider than u64');
    return value;
  },
};
