import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorsDocument } from '../../scripts/docs/errors.ts';

test('docs/ERRORS.md is what the error tables say', async () => {
  const written = readFileSync(new URL('../../docs/ERRORS.md', import.meta.url), 'utf8');
  assert.equal(written, await errorsDocument(), 'run npm run docs:errors');
});
