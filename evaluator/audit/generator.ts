import { createHash } from 'node:crypto';

/**
 * Counter-based f32 inputs: element i is a function of the key and i alone. Values are multiples of 2^-23 in [-1, 1),
 * times a power of two, so that they are exact in f32 and the same everywhere.
 * @param scale a power of two
 */
export function randomFloats(seed: string, label: string, length: number, scale: number): Float32Array {
  const key = createHash('sha256').update(Buffer.from(seed, 'hex')).update(`\0${label}\0`).digest();
  const k0 = key.readUInt32BE(0);
  const k1 = key.readUInt32BE(4);
  const out = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    const bits = mix((mix((i + k0) | 0) ^ k1) | 0);
    out[i] = ((bits >>> 8) / 8_388_608 - 1) * scale;
  }
  return out;
}

/** A bijection of 32-bit integers with good avalanche (two multiply and shift rounds). */
function mix(value: number): number {
  let x = value;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}
