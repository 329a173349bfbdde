/** "0x" and lowercase hex. */
export function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** The bytes of "0x" hex, or null if the text is something else. */
export function fromHex(text: unknown): Uint8Array | null {
  if (typeof text !== 'string' || text.length % 2 !== 0 || !/^0x[0-9a-fA-F]*$/.test(text)) return null;
  return Uint8Array.from(Buffer.from(text.slice(2), 'hex'));
}
