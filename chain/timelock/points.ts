import { createHash } from 'node:crypto';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { roundBytes } from './beacon.ts';
import { TimelockError } from './errors.ts';
import { G1_BYTES, G2_BYTES } from './limits.ts';

const DST = 'BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_';
const FP_BYTES = 48;

const { G1, G2, fields } = bls12_381;

export type G1Point = InstanceType<typeof G1.Point>;
export type G2Point = InstanceType<typeof G2.Point>;
export type GtElement = ReturnType<typeof bls12_381.pairing>;

export const G2_GENERATOR: G2Point = G2.Point.BASE;
export const SCALAR_ORDER: bigint = fields.Fr.ORDER;

/** The identity of a round: sha256 of its 8 big-endian bytes, hashed to G1. */
export function roundPoint(round: number | bigint): G1Point {
  const message = createHash('sha256').update(roundBytes(round)).digest();
  return G1.hashToCurve(message, { DST }) as G1Point;
}

/** A G1 point of the prime-order subgroup, never zero; POINT_INVALID otherwise. */
export function parseG1(bytes: Uint8Array, field: string): G1Point {
  return checked(bytes, G1_BYTES, field, () => G1.Point.fromBytes(bytes));
}

/** A G2 point of the prime-order subgroup, never zero; POINT_INVALID otherwise. */
export function parseG2(bytes: Uint8Array, field: string): G2Point {
  return checked(bytes, G2_BYTES, field, () => G2.Point.fromBytes(bytes));
}

function checked<P extends { is0(): boolean; isTorsionFree(): boolean }>(
  bytes: Uint8Array,
  size: number,
  field: string,
  parse: () => P,
): P {
  if (bytes.length !== size) throw new TimelockError('POINT_INVALID', undefined, { field });
  let point: P;
  try {
    point = parse();
  } catch (cause) {
    throw new TimelockError('POINT_INVALID', undefined, { field, cause });
  }
  if (point.is0() || !point.isTorsionFree()) throw new TimelockError('POINT_INVALID', undefined, { field });
  return point;
}

export function pairing(g1: G1Point, g2: G2Point): GtElement {
  return bls12_381.pairing(g1, g2);
}

/** True if e(a, b) == e(c, d). */
export function pairingsEqual(a: G1Point, b: G2Point, c: G1Point, d: G2Point): boolean {
  const { Fp12 } = fields;
  const product = bls12_381.pairingBatch([
    { g1: a, g2: b },
    { g1: c.negate(), g2: d },
  ]);
  return Fp12.eql(product, Fp12.ONE);
}

/**
 * sha256 of a target-group element in arkworks' order: 12 little-endian Fp elements, c0.c0.c0 first, c1.c2.c1 last.
 * The library's own Fp12 bytes are big-endian, so they cannot be used here.
 */
export function hashGt(element: GtElement): Uint8Array {
  const hash = createHash('sha256');
  for (const fp6 of [element.c0, element.c1]) {
    for (const fp2 of [fp6.c0, fp6.c1, fp6.c2]) {
      for (const fp of [fp2.c0, fp2.c1]) hash.update(littleEndian(fp));
    }
  }
  return hash.digest();
}

function littleEndian(value: bigint): Uint8Array {
  return Buffer.from(value.toString(16).padStart(FP_BYTES * 2, '0'), 'hex').reverse();
}
