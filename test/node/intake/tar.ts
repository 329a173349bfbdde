import { gzipSync } from 'node:zlib';

/** One member of a hand-made tar file; every field can be wrong on purpose. */
export interface Member {
  readonly name: string | Buffer;
  readonly type?: string;
  readonly data?: string | Buffer;
  /** Text of the size field; the data's length if absent. */
  readonly size?: string | Buffer;
  readonly linkname?: string;
  readonly prefix?: string;
}

const BLOCK = 512;

export const END = Buffer.alloc(2 * BLOCK);

/** One header block with a right checksum, and the padded data. */
export function member({ name, type = '0', data = '', size, linkname = '', prefix = '' }: Member): Buffer {
  const content = Buffer.from(data);
  const header = Buffer.alloc(BLOCK);
  (typeof name === 'string' ? Buffer.from(name) : name).copy(header, 0, 0, 100);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  const sizeField = size ?? `${content.length.toString(8).padStart(11, '0')}\0`;
  Buffer.from(sizeField).copy(header, 124, 0, 12);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(type, 156, 'latin1');
  header.write(linkname, 157);
  header.write('ustar\u000000', 257, 'latin1');
  header.write(prefix, 345);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]);
}

/** A .tar.gz of these members with a proper end. */
export function archive(...members: readonly Member[]): Buffer {
  return gzipSync(Buffer.concat([...members.map(member), END]), { level: 1 });
}

/** A pax record "LENGTH KEY=VALUE\n". */
export function paxRecord(key: string, value: string): string {
  const body = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(body) + 1;
  while (String(length).length + Buffer.byteLength(body) !== length) length++;
  return `${length}${body}`;
}
