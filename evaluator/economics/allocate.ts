import { compareCodePoints } from '../identity/index.ts';
import { EconomicsError } from './errors.ts';

/** Integers by hotkey. */
export type ByHotkey = ReadonlyMap<string, bigint>;

/**
 * Shares a pool by credit: floor(credit x pool / total), what is left one each by largest remainder, then by hotkey.
 * For SS58 of one prefix the code-point order of the text is the order of the 32 bytes: the text has a fixed length
 * and its alphabet ascends.
 * @param pool parts per million to share out, all of them
 * @throws EconomicsError NO_CREDIT
 */
export function allocate(credits: ByHotkey, pool: bigint): Map<string, bigint> {
  const total = [...credits.values()].reduce((sum, credit) => sum + credit, 0n);
  if (total === 0n) throw new EconomicsError('NO_CREDIT', undefined, { field: 'credit' });
  const rows = [...credits].map(([hotkey, credit]) => ({
    hotkey,
    share: (credit * pool) / total,
    remainder: (credit * pool) % total,
  }));
  const left = pool - rows.reduce((sum, row) => sum + row.share, 0n);
  rows.sort((a, b) => compareDescending(a.remainder, b.remainder) || compareCodePoints(a.hotkey, b.hotkey));
  return new Map(rows.map((row, i) => [row.hotkey, BigInt(i) < left ? row.share + 1n : row.share]));
}

/** Adds up amounts per hotkey. */
export function sumByHotkey(rows: Iterable<readonly [string, bigint]>): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [hotkey, amount] of rows) sums.set(hotkey, (sums.get(hotkey) ?? 0n) + amount);
  return sums;
}

function compareDescending(a: bigint, b: bigint): number {
  return a > b ? -1 : a < b ? 1 : 0;
}
