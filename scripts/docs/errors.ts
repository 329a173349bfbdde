import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ErrorRow } from '../../config/errors.ts';
import { keepDocument } from './keep.ts';

/** Writes docs/ERRORS.md from the tables in every `errors.ts`; `--check` only compares. A test runs the comparison. */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The text of docs/ERRORS.md, from every exported `*_ERRORS` table of the tree. */
export async function errorsDocument(): Promise<string> {
  const parts = [
    '# Errors\n',
    "Generated from the tables beside the code (`npm run docs`). The fault says what happens next: a candidate's",
    "error is a verdict on those bytes, a peer's costs it score, an operator's ends the process with exit code 78, and an",
    'infrastructure error is NO_DECISION or a retry. A caller may narrow the fault where one check serves several origins.\n',
  ];
  const files = globSync('{config,evaluator,chain,p2p,native,node}/**/*errors.ts', { cwd: root }).sort();
  for (const file of files) {
    const module = (await import(new URL(`../../${file}`, import.meta.url).href)) as Record<string, unknown>;
    for (const [name, table] of Object.entries(module)) {
      if (!name.endsWith('_ERRORS')) continue;
      parts.push(
        `## ${dirname(file)}\n`,
        '| code | fault | what | what would be accepted, or what to do |',
        '|---|---|---|---|',
      );
      for (const [code, row] of Object.entries(table as Record<string, ErrorRow>)) {
        parts.push(`| \`${code}\` | ${row.fault} | ${cell(row.what)} | ${cell(row.remedy)} |`);
      }
      parts.push('');
    }
  }
  return parts.join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  keepDocument('ERRORS.md', await errorsDocument(), process.argv.includes('--check'));
}
