/** linear.matmul, the plain way: out[r][o] = sum over i of x[r][i] * w[o][i]. */
export function matmul(out: usize, x: usize, w: usize, rows: i32, k: i32, n: i32): void {
  for (let r = 0; r < rows; r++) {
    const row = x + ((<usize>(r * k)) << 2);
    for (let o = 0; o < n; o++) {
      const column = w + ((<usize>(o * k)) << 2);
      let sum: f32 = 0;
      for (let i = 0; i < k; i++) {
        const at = (<usize>i) << 2;
        sum += load<f32>(row + at) * load<f32>(column + at);
      }
      store<f32>(out + ((<usize>(r * n + o)) << 2), sum);
    }
  }
}
