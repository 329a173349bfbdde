import { ScaleReader } from './reader.ts';
import type { Codec } from './shape.ts';
import { ScaleWriter } from './writer.ts';

/** The SCALE bytes of one value. */
export function encoded<T>(codec: Pick<Codec<T>, 'encode'>, value: T): Uint8Array {
  const out = new ScaleWriter();
  codec.encode(value, out);
  return out.finish();
}

/** One value that uses up all of `bytes`; SCALE_MALFORMED otherwise. */
export function decodeAll<T>(codec: Pick<Codec<T>, 'decode'>, bytes: Uint8Array): T {
  const input = new ScaleReader(bytes);
  const value = codec.decode(input);
  input.end();
  return value;
}
