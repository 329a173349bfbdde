/**
 * Takes one exact SCALE compact length prefix off: a shortest-form length that equals the number of bytes after it.
 * Bytes without one are returned as they are. (`peer-protocol.md` section 4.)
 */
export function stripCompactPrefix(bytes: Uint8Array): Uint8Array {
  const first = bytes[0];
  if (first === undefined) return bytes;
  const mode = first & 3;
  // A length of 2^30 or more (mode 3) cannot be exact: payloads are far shorter.
  if (mode === 3) return bytes;
  const width = 1 << mode;
  if (bytes.length < width) return bytes;
  let value = 0;
  for (let i = width - 1; i >= 0; i--) value = value * 256 + (bytes[i] as number);
  const length = Math.floor(value / 4);
  const shortest = mode === 0 || length >= (mode === 1 ? 1 << 6 : 1 << 14);
  return shortest && length === bytes.length - width ? bytes.subarray(width) : bytes;
}
