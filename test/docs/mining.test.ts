import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BUNDLE_ERRORS } from '../../evaluator/bundle/index.ts';
import { checkBundle } from '../../node/miner/index.ts';
import { DISPOSITIONS } from '../../node/miner/story.ts';
import { cli } from '../node/cli/support.ts';

const text = readFileSync(new URL('../../docs/MINING.md', import.meta.url), 'utf8');

function block(language: string): string {
  const body = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(text)?.[1];
  assert.ok(body !== undefined, language);
  return body;
}

test('the manifest and the metadata that docs/MINING.md shows are admitted', () => {
  const source = Buffer.from('export function matmul(): void {}');
  const checked = checkBundle([
    { path: 'manifest.toml', data: Buffer.from(block('toml')) },
    { path: 'kernels/matmul.ts', data: source },
    { path: 'kernels/tile.ts', data: source },
    { path: 'metadata/matmul.json', data: Buffer.from(block('json')) },
  ]);
  assert.equal(checked.targetId, 'linear.matmul');
  assert.deepEqual(
    { ...checked.rows[0]?.domain },
    {
      num_tokens: { min: 2 },
      last_dim: { min: 64, max: 4096 },
      dtype: { oneOf: ['float32'] },
    },
  );
});

test('the commands it shows parse: what is missing is a file or a chain, not an option', async () => {
  const lines = text.replaceAll('\\\n', ' ').match(/^ {4}npm run -s cli -- .*$/gm) ?? [];
  assert.ok(lines.length >= 4, 'commands are shown');
  const values: Readonly<Record<string, string>> = {
    DIR: '/nonexistent',
    FILE: '/nonexistent',
    N: '14',
    SUBJECT: 'ab'.repeat(32),
    'https://HOST/bundle.tar.gz': 'https://host.example/bundle.tar.gz',
    'http://127.0.0.1:9750': 'http://127.0.0.1:1',
    'bundle.tar.gz': '/nonexistent/bundle.tar.gz',
  };
  for (const line of lines) {
    const words = line.trim().split(/\s+/).slice(5);
    const { exit, err } = await cli(words.map((word) => values[word] ?? word));
    assert.ok(exit === 1 || exit === 75, `${line}: exit ${exit}, ${err}`);
  }
});

test('it explains every disposition, and the sections that remedies send miners to are there', () => {
  for (const disposition of Object.keys(DISPOSITIONS)) assert.ok(text.includes(disposition), disposition);
  for (const { remedy } of Object.values(BUNDLE_ERRORS)) {
    const section = /docs\/MINING\.md, ([a-z. ]+)/.exec(remedy)?.[1];
    if (section !== undefined)
      assert.match(text, new RegExp(section.replace('ops rows', '\\[\\[ops\\]\\]'), 'i'), section);
  }
});
