import { grades, logits, maxRows, tokens, vocab } from "./layout";
import { forward } from "./forward";

/** The token with the largest logit of a row, the lowest one of equals; 0 if no logit compares. */
function greedy(row: i32): i32 {
  const at = logits + ((<usize>(row * vocab)) << 2);
  let best = 0;
  let most = load<f32>(at);
  for (let token = 1; token < vocab; token++) {
    const value = load<f32>(at + ((<usize>token) << 2));
    // Written so that a NaN, which compares with nothing, never stays the best.
    if (value > most || most != most) {
      most = value;
      best = token;
    }
  }
  return best;
}

/** Feeds the prompt in `tokens` and appends `count` greedy tokens to it. */
export function decode(promptLength: i32, count: i32): void {
  for (let start = 0; start < promptLength; start += maxRows) forward(start, min(maxRows, promptLength - start), false);
  for (let i = 0; i < count; i++) {
    const position = promptLength + i;
    store<i32>(tokens + ((<usize>position) << 2), greedy(0));
    if (i + 1 < count) forward(position, 1, false);
  }
}

/**
 * Teacher-forced: feeds the prompt and the continuation in `tokens`, `total` together, and writes for each
 * continuation token {best token, its logit, the given token's logit} to `grades`.
 */
export function gradeAll(promptLength: i32, total: i32): void {
  // The last token predicts nothing that is asked for.
  const fed = total - 1;
  for (let start = 0; start < fed; start += maxRows) {
    const rows = min(maxRows, fed - start);
    forward(start, rows, true);
    for (let r = 0; r < rows; r++) {
      const index = start + r + 1 - promptLength;
      if (index < 0) continue;
      const row = logits + ((<usize>(r * vocab)) << 2);
      const token = load<i32>(tokens + ((<usize>(start + r + 1)) << 2));
      const best = greedy(r);
      const at = grades + <usize>index * 12;
      store<i32>(at, best);
      store<f32>(at, load<f32>(row + ((<usize>best) << 2)), 4);
      store<f32>(at, load<f32>(row + ((<usize>token) << 2)), 8);
    }
  }
}
