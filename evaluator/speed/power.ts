/** value x 2^exponent by exact doublings or halvings, for results of the normal range. */
export function scaleByPowerOfTwo(value: number, exponent: number): number {
  let scaled = value;
  for (let i = 0; i < exponent; i++) scaled *= 2;
  for (let i = 0; i > exponent; i--) scaled *= 0.5;
  return scaled;
}
