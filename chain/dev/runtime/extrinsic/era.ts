import { DevChainError } from '../../errors.ts';
import {
  type Codec,
  noFields,
  type ScaleReader,
  type ScaleWriter,
  u8,
  variantShape,
  wrapped,
} from '../../scale/index.ts';

/** Null: immortal. Else the transaction lives `period` blocks from the block of its phase. */
export type Era = { readonly period: number; readonly phase: number } | null;

const MORTAL_VARIANTS = 255;
const PERIOD_MIN = 4;
/** Phases of longer periods are kept in steps of period / 4096. */
const quantum = (period: number): number => Math.max(period >> 12, 1);

export const era: Codec<Era> = {
  shape: variantShape('sp_runtime::generic::era::Era', [
    ['Immortal', { index: 0, fields: noFields }],
    ...Array.from(
      { length: MORTAL_VARIANTS },
      (_, i) => [`Mortal${i + 1}`, { index: i + 1, fields: wrapped(u8) }] as const,
    ),
  ]),
  encode,
  decode,
};

/** The block whose hash the signer signed: the last one with the era's phase, seen from `block`. */
export function birthOf({ period, phase }: NonNullable<Era>, block: number): number {
  return Math.floor((Math.max(block, phase) - phase) / period) * period + phase;
}

function encode(value: Era, out: ScaleWriter): void {
  if (value === null) {
    out.u8(0);
    return;
  }
  const low = Math.min(15, Math.max(1, Math.log2(value.period) - 1));
  out.u16(low + (value.phase / quantum(value.period)) * 16);
}

function decode(input: ScaleReader): Era {
  const first = input.u8();
  if (first === 0) return null;
  const word = first + input.u8() * 256;
  const period = 2 << (word % 16);
  const phase = (word >> 4) * quantum(period);
  if (period < PERIOD_MIN || phase >= period) throw new DevChainError('SCALE_MALFORMED', 'impossible era');
  return { period, phase };
}
