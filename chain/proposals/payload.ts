import { compactToU8a } from '@polkadot/util';

/**
 * The text of revealed bytes: what follows one SCALE compact length that counts exactly the rest, else all of them
 * (`peer-protocol.md` section 4: SDKs differ in whether they encode the string). Null if that is not UTF-8. A payload
 * without prefix starts with "{", which as a compact length would need more bytes than a payload may have.
 */
export function payloadText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(withoutLength(bytes));
  } catch {
    return null;
  }
}

function withoutLength(bytes: Uint8Array): Uint8Array {
  for (const size of [1, 2, 4]) {
    if (bytes.length < size) break;
    const prefix = compactToU8a(bytes.length - size);
    if (prefix.length === size && prefix.every((byte, i) => byte === bytes[i])) return bytes.subarray(size);
  }
  return bytes;
}
