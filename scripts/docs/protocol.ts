import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { protocolExamples } from './examples.ts';
import { keepDocument } from './keep.ts';

const BLOCK = /^(```[a-z]+ example:([a-z0-9-]+)\n)[\s\S]*?(```)$/gm;

/** docs/PROTOCOL.md as it is, with every block marked `example:NAME` filled by the code. */
export async function protocolDocument(text: string): Promise<string> {
  const examples = await protocolExamples();
  return text.replace(BLOCK, (block, head: string, name: string, end: string) => {
    const example = examples.get(name);
    return example === undefined ? block : `${head}${example}\n${end}`;
  });
}

/** The document as it is written. */
export function writtenProtocol(): string {
  return readFileSync(new URL('../../docs/PROTOCOL.md', import.meta.url), 'utf8');
}

/** Names of the examples it shows. */
export function shownExamples(text: string): readonly string[] {
  return [...text.matchAll(BLOCK)].map((match) => match[2] as string);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  keepDocument('PROTOCOL.md', await protocolDocument(writtenProtocol()), process.argv.includes('--check'));
}
