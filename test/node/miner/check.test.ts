import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli } from '../cli/support.ts';
import { temporaryFolder } from '../store/support.ts';
import { bundleFolder, editManifest } from './support.ts';

test('bundle check says the same of a folder and of its archive', async (t) => {
  const folder = bundleFolder(t);
  const archive = join(temporaryFolder(t), 'bundle.tar.gz');
  const packed = JSON.parse((await cli(['bundle', 'pack', folder, '--json', '-o', archive])).out);
  const checked = await cli(['bundle', 'check', folder, '--json']);
  const { result } = JSON.parse(checked.out);
  assert.deepEqual(
    [checked.exit, result.target, result.features, result.content_hash],
    [0, 'linear.matmul', ['entry', 'prepare'], packed.result.content_hash],
  );
  assert.match(result.selected_payload_digest, /^[0-9a-f]{64}$/);
  assert.deepEqual(JSON.parse((await cli(['bundle', 'check', archive, '--json'])).out).result, result);

  // A label is outside what competes: another bundle, the same delta.
  editManifest(folder, (text) => text.replace('devnet-faster', 'other'));
  const renamed = JSON.parse((await cli(['bundle', 'check', folder, '--json'])).out).result;
  assert.notEqual(renamed.content_hash, result.content_hash);
  assert.equal(renamed.selected_delta_digest, result.selected_delta_digest);
});

test('a refusal exits 1 and says what, where, and what would be accepted', async (t) => {
  const folder = bundleFolder(t);
  writeFileSync(join(folder, 'setup.py'), 'import os');
  const refused = await cli(['bundle', 'check', folder]);
  assert.equal(refused.exit, 1);
  assert.match(refused.err, /^BUNDLE_FILE_REFUSED: setup\.py: .*\nWhat to do: declared sources/);
  const json = JSON.parse((await cli(['bundle', 'check', folder, '--json'])).out);
  assert.deepEqual([json.ok, json.error.code, json.error.field], [false, 'BUNDLE_FILE_REFUSED', 'setup.py']);
  const missing = await cli(['bundle', 'check', join(folder, 'none')]);
  assert.deepEqual([missing.exit, missing.err.split(':')[0]], [1, 'BUNDLE_UNREADABLE']);
});

test('bundle check --build compiles every row, and names the row that does not', async (t) => {
  const folder = bundleFolder(t);
  const built = JSON.parse((await cli(['bundle', 'check', folder, '--json', '--build'])).out).result;
  assert.deepEqual(
    built.modules.map((row: { slot: string; variant: string }) => [row.slot, row.variant]),
    [['linear.matmul', 'default']],
  );
  writeFileSync(join(folder, 'kernels', 'matmul.ts'), 'export function matmul(): i32 { return 1; }');
  const refused = await cli(['bundle', 'check', folder, '--build']);
  assert.equal(refused.exit, 1);
  assert.match(refused.err, /BUILD_REFUSED: ops\[0\]\.source: .*\nWhat to do: /);
});
