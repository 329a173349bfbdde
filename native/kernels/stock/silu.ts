/** activation.silu_and_mul, the plain way: silu(gate) * up, where silu(g) = g / (1 + exp(-g)). */
export function silu_and_mul(out: usize, gateUp: usize, rows: i32, n: i32): void {
  for (let r = 0; r < rows; r++) {
    const gate = gateUp + ((<usize>(r * 2 * n)) << 2);
    const up = gate + ((<usize>n) << 2);
    for (let i = 0; i < n; i++) {
      const at = (<usize>i) << 2;
      const g = load<f32>(gate + at);
      store<f32>(out + ((<usize>(r * n + i)) << 2), (g / (<f32>1 + Mathf.exp(-g))) * load<f32>(up + at));
    }
  }
}
