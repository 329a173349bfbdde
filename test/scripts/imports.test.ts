import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { importProblems } from '../../scripts/check/imports.ts';

function problemsOf(files: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'imports-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return importProblems(root);
  } finally {
    rmSync(root, { recursive: true });
  }
}

test('imports point one way', () => {
  assert.deepEqual(problemsOf({ 'node/a.ts': `import { b } from '../chain/b.ts';` }), []);
  assert.deepEqual(problemsOf({ 'chain/a.ts': `import { b } from '../p2p/b.ts';` }), [
    'chain/a.ts: chain/ may not import p2p/',
  ]);
  assert.deepEqual(problemsOf({ 'evaluator/x/a.ts': `export { b } from '../../node/b.ts';` }), [
    'evaluator/x/a.ts: evaluator/ may not import node/',
  ]);
});

test('the rules stay pure', () => {
  assert.equal(problemsOf({ 'evaluator/a.ts': `import { readFileSync } from 'node:fs';` }).length, 1);
  assert.equal(problemsOf({ 'evaluator/a.ts': `const now = Date.now();` }).length, 1);
  assert.equal(problemsOf({ 'evaluator/a.ts': `import { createHash } from 'node:crypto';` }).length, 0);
});
