import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runVectorFile } from '../../scripts/vectors/run.ts';

const folder = new URL('../vectors/', import.meta.url);

for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  test(`vectors of ${name}`, async () => {
    const result = await runVectorFile(fileURLToPath(new URL(name, folder)));
    assert.deepEqual(result.failures, []);
    assert.ok(result.passed > 0);
  });
}
