/** norm.rmsnorm, the plain way: x / sqrt(mean(x^2) + eps) * weight. */
export function rmsnorm(out: usize, x: usize, weight: usize, rows: i32, n: i32, eps: f32): void {
  for (let r = 0; r < rows; r++) {
    const row = (<usize>(r * n)) << 2;
    let sum: f32 = 0;
    for (let i = 0; i < n; i++) {
      const value = load<f32>(x + row + ((<usize>i) << 2));
      sum += value * value;
    }
    const factor = <f32>1 / sqrt<f32>(sum / <f32>n + eps);
    for (let i = 0; i < n; i++) {
      const at = (<usize>i) << 2;
      store<f32>(out + row + at, load<f32>(x + row + at) * factor * load<f32>(weight + at));
    }
  }
}
