import { EXIT } from '../config/errors.ts';
import { runVectorFile } from './vectors/run.ts';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: npm run vectors -- FILE...');
  process.exit(EXIT.usage);
}
let failed = false;
for (const file of files) {
  const result = await runVectorFile(file);
  console.log(`${result.family}: ${result.passed} passed, ${result.failures.length} failed`);
  for (const failure of result.failures) console.log(`  ${failure.name}: ${failure.why}`);
  failed ||= result.failures.length > 0;
}
process.exitCode = failed ? EXIT.failed : EXIT.done;
