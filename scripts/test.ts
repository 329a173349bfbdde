import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { importProblems } from './check/imports.ts';

/**
 * The project's whole check: formatting and lint, types, import directions, then the tests. `*.test.ts` run two at a
 * time, `*.alone.ts` one after the other with the machine to themselves, because they time real code; with `--full`,
 * `*.full.ts` as well. Paths narrow the tests to those files.
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
/** Runs the test files that match, so many at a time. */
function runTests(title: string, files: readonly string[], atOnce: number): void {
  if (files.length === 0) return;
  run(title, ['--disable-warning=ExperimentalWarning', '--test', `--test-concurrency=${atOnce}`, ...files]);
}

const find = (pattern: string): string[] => globSync(pattern, { cwd: root, exclude: ['test/fixtures/**'] }).sort();
if (only.length > 0) runTests('tests', only, 1);
else {
  runTests('tests', find('test/**/*.test.ts'), 2);
  runTests('tests that need the machine alone', find('test/**/*.alone.ts'), 1);
  if (full) runTests('long tests', find('test/**/*.full.ts'), 1);
}
