import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepDocument } from './keep.ts';
import { type Constant, readConstants } from './source.ts';

/** Writes docs/LIMITS.md from the constants in every `limits.ts` and `constants.ts`. A test runs the comparison. */
const root = fileURLToPath(new URL('../..', import.meta.url));

const HEAD = `# Limits

Generated from the constants beside the code (\`npm run docs\`). What a limit refuses is named in
[ERRORS.md](ERRORS.md). What a subnet may choose for itself is no limit: the consensus object has it
([PROTOCOL.md](PROTOCOL.md)). Where one comment speaks of several constants, the later ones say "as above".
`;

/** Ends of constants' names, and the unit each stands for. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/BytesPerSecond$/, 'bytes per second'],
  [/(_|^)BYTES(_|$)|Bytes/, 'bytes'],
  [/_MODE$/, 'file mode'],
  [/_KIB$/, 'KiB'],
  [/_MIB$/, 'MiB'],
  [/_MS$|Ms$/, 'ms'],
  [/_NS$/, 'ns'],
  [/_SECONDS$/, 's'],
  [/_PPM$/, 'ppm'],
  [/_PERCENT$/, '%'],
  [/_BLOCKS$/, 'blocks'],
  [/_TOKENS$/, 'tokens'],
  [/_POSITIONS$/, 'positions'],
  [/_(MAX_)?CHARS$|_LENGTH$|(_|^)TEXT(_|$)/, 'characters'],
  [/_PER_MINUTE$|PerMinute$/, 'per minute'],
  [/PerSecond$/, 'per second'],
];

const AS_ABOVE = 'as above';

/** The text of docs/LIMITS.md. */
export async function limitsDocument(): Promise<string> {
  const parts = [HEAD];
  const files = globSync('{config,evaluator,chain,p2p,native,node}/**/{limits,constants}.ts', { cwd: root }).sort();
  for (const file of files) {
    const module = (await import(new URL(`../../${file}`, import.meta.url).href)) as Record<string, unknown>;
    const { intro, constants } = readConstants(readFileSync(`${root}/${file}`, 'utf8'));
    const rows = constants.flatMap((constant) => rowsOf(constant, module[constant.name]));
    if (rows.length === 0) continue;
    parts.push(`## ${dirname(file)}\n`);
    if (intro !== null) parts.push(`${intro}\n`);
    parts.push('| constant | value | unit | why |', '|---|---|---|---|', ...rows, '');
  }
  return parts.join('\n');
}

/** A number is one row; an object of numbers, such as default deadlines, one for each member. */
function rowsOf({ name, why, isGrouped, members }: Constant, value: unknown): string[] {
  if (typeof value === 'number' || typeof value === 'bigint') return [row(name, value, isGrouped ? AS_ABOVE : why)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, number]) =>
    typeof number === 'number' ? [row(`${name}.${member}`, number, members.get(member) ?? AS_ABOVE)] : [],
  );
}

function row(name: string, value: number | bigint, why: string): string {
  const member = name.split('.').at(-1) as string;
  const unit = UNITS.find(([pattern]) => pattern.test(member))?.[1] ?? 'count';
  return `| \`${name}\` | ${shown(value, unit)} | ${unit} | ${why.replaceAll('|', '\\|')} |`;
}

function shown(value: number | bigint, unit: string): string {
  if (unit.startsWith('bytes')) return inBytes(Number(value));
  return unit === 'file mode' ? `0${Number(value).toString(8)}` : grouped(value);
}

const KIB = 1024;

/** Bytes, with the round number in KiB or MiB beside them if there is one. */
function inBytes(value: number): string {
  if (value >= KIB ** 2 && value % KIB ** 2 === 0) return `${grouped(value)} (${value / KIB ** 2} MiB)`;
  if (value >= KIB && value < KIB ** 2 && value % KIB === 0) return `${grouped(value)} (${value / KIB} KiB)`;
  return grouped(value);
}

function grouped(value: number | bigint): string {
  const text = value.toString();
  return /^\d+$/.test(text) ? text.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, ',') : text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  keepDocument('LIMITS.md', await limitsDocument(), process.argv.includes('--check'));
}
