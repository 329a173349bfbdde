import { readFileSync, writeFileSync } from 'node:fs';

/** Writes a generated document below docs/, or only compares: exit code 1 if it is out of date. */
export function keepDocument(name: string, text: string, checkOnly: boolean): void {
  const target = new URL(`../../docs/${name}`, import.meta.url);
  if (!checkOnly) writeFileSync(target, text);
  else if (readFileSync(target, 'utf8') !== text) process.exitCode = 1;
}
