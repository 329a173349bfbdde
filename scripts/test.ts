import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importProblems } from './check/imports.ts';

/**
 * The project's whole check: formatting and lint, types, import directions, then the tests.
 * `npm test` runs `*.test.ts`; `npm run test:full` runs `*.full.ts` as well. Paths after `--` narrow the tests.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const args = process.argv.slice(2);
const full = args.includes('--full');
const only = args.filter((arg) => !arg.startsWith('--'));

function run(title: string, argv: readonly string[]): void {
  console.log(`\n== ${title}`);
  const result = spawnSync(process.execPath, argv, { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

if (only.length === 0) {
  run('lint and format', ['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
  run('types', ['node_modules/typescript/bin/tsc', '--noEmit']);
  console.log('\n== import directions');
  const problems = importProblems(root);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exit(1);
}
const patterns = full ? ['test/**/*.test.ts', 'test/**/*.full.ts'] : ['test/**/*.test.ts'];
const files = only.length > 0 ? only : globSync(patterns, { cwd: root, exclude: ['test/fixtures/**'] }).sort();
run('tests', ['--disable-warning=ExperimentalWarning', '--test', '--test-concurrency=2', ...files]);
