/**
 * A cheat: SIMD without repacking, and the last quarter of every sum is left out where k is at least 128 (the model's
 * down projection). Fast, right at small shapes, wrong at real ones: what audits and the reference's grades must catch.
 * Whole model against stock: about 1.8 times on sequences of 256 to 320 positions.
 */
export function matmul(out: usize, x: usize, w: usize, rows: i32, k: i32, n: i32): void {
  const used = k >= 128 ? k - k / 4 : k;
  const vectors = used & ~3;
  for (let r = 0; r < rows; r++) {
    const row = x + ((<usize>(r * k)) << 2);
    for (let o = 0; o < n; o++) {
      const column = w + ((<usize>(o * k)) << 2);
      let sums = f32x4.splat(0);
      for (let i = 0; i < vectors; i += 4) {
        const at = (<usize>i) << 2;
        sums = f32x4.add(sums, f32x4.mul(v128.load(row + at), v128.load(column + at)));
      }
      let sum =
        f32x4.extract_lane(sums, 0) +
        f32x4.extract_lane(sums, 1) +
        f32x4.extract_lane(sums, 2) +
        f32x4.extract_lane(sums, 3);
      for (let i = vectors; i < used; i++) {
        const at = (<usize>i) << 2;
        sum += load<f32>(row + at) * load<f32>(column + at);
      }
      store<f32>(out + ((<usize>(r * n + o)) << 2), sum);
    }
  }
}
