import { readdirSync } from 'node:fs';
import { EXIT } from '../../config/errors.ts';

/** `npm run bench -- NAME [arguments]` runs scripts/bench/NAME.ts, which prints ratios of one run and asserts nothing. */
const names = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.replace(/\.ts$/, ''));
const [name = ''] = process.argv.splice(2, 1);
if (names.includes(name)) await import(new URL(`${name}.ts`, import.meta.url).href);
else {
  console.error(`usage: npm run bench -- ${names.join('|')}`);
  process.exitCode = EXIT.usage;
}
