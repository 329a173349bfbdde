import { scaleByPowerOfTwo } from '../speed/index.ts';

const LOG2_E = Math.LOG2E;
/** ln 2 in two parts: the first has 32 bits, so that small multiples of it are exact. */
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
/** Beyond these the result leaves the normal range. */
const MOST = 709;
const LEAST = -708;
/** Terms of the series; 0.35^18 / 18! is far below one unit of the last place. */
const TERMS = 18;

/**
 * e^x in doubles from + - x / alone, the same on every host: range reduction by ln 2, then the series. Relative error
 * below 1e-15. (`peer-protocol.md` section 9: no transcendental function decides a verdict.)
 */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x > MOST) return Number.POSITIVE_INFINITY;
  if (x < LEAST) return 0;
  const k = Math.floor(x * LOG2_E + 0.5);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 1;
  for (let n = TERMS; n >= 1; n--) sum = 1 + (r * sum) / n;
  return scaleByPowerOfTwo(sum, k);
}
