/**
 * attention.decode, the plain way: one query over `length` cached positions, per head a softmax of scaled products.
 * One pass with a running maximum, so that no scratch for the scores is needed: out is rescaled when the maximum grows.
 */
export function attention(
  out: usize,
  q: usize,
  kCache: usize,
  vCache: usize,
  heads: i32,
  headDim: i32,
  length: i32,
): void {
  const stride = (<usize>(heads * headDim)) << 2;
  const bytes = (<usize>headDim) << 2;
  const scale = <f32>1 / sqrt<f32>(<f32>headDim);
  for (let head = 0; head < heads; head++) {
    const offset = (<usize>head) * bytes;
    for (let at: usize = 0; at < bytes; at += 4) store<f32>(out + offset + at, 0);
    let most: f32 = -f32.MAX_VALUE;
    let total: f32 = 0;
    for (let position = 0; position < length; position++) {
      const key = kCache + <usize>position * stride + offset;
      const value = vCache + <usize>position * stride + offset;
      let score: f32 = 0;
      for (let at: usize = 0; at < bytes; at += 4) score += load<f32>(q + offset + at) * load<f32>(key + at);
      score *= scale;
      if (score > most) {
        const shrink = Mathf.exp(most - score);
        total *= shrink;
        for (let at: usize = 0; at < bytes; at += 4) {
          store<f32>(out + offset + at, load<f32>(out + offset + at) * shrink);
        }
        most = score;
      }
      const weight = Mathf.exp(score - most);
      total += weight;
      for (let at: usize = 0; at < bytes; at += 4) {
        store<f32>(out + offset + at, load<f32>(out + offset + at) + weight * load<f32>(value + at));
      }
    }
    for (let at: usize = 0; at < bytes; at += 4) store<f32>(out + offset + at, load<f32>(out + offset + at) / total);
  }
}
