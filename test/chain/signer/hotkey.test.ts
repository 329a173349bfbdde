import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ChainError } from '../../../chain/errors.ts';
import { loadHotkey } from '../../../chain/signer/index.ts';

const SEED = 'e5be9a5092b81bca64be81d212e7f2f9eba183bb7a90954f7b76361f6edb5c0a';
/** The well-known account of this seed. */
const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';

async function fileOf(t: TestContext, text: string, mode = 0o600): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cacheon-hotkey-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'hotkey');
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

const refused = (error: unknown) => {
  assert.ok(error instanceof ChainError);
  assert.equal(error.code, 'KEY_FILE');
  assert.equal(error.fault, 'operator');
  for (const secret of [SEED.slice(0, 12), 'abandon', 'hunter2'])
    assert.ok(!`${error.stack}${error.cause}`.includes(secret));
  return true;
};

test('a file holds a seed, a development URI or JSON with secretSeed', async (t) => {
  for (const text of [SEED, `0x${SEED}\n`, '//Alice', JSON.stringify({ secretSeed: `0x${SEED}` })]) {
    assert.equal((await loadHotkey({ file: await fileOf(t, text) })).address, ALICE);
  }
  assert.equal((await loadHotkey({ developmentUri: '//Alice' })).address, ALICE);
});

test('a mnemonic is one whose checksum fits', async (t) => {
  const phrase = `${'abandon '.repeat(11)}about`;
  const pair = await loadHotkey({ file: await fileOf(t, `${phrase}\n`) });
  assert.equal(pair.type, 'sr25519');
  assert.notEqual(pair.address, ALICE);
});

test('a file that others can read, a link, a folder and a file that is absent are refused', async (t) => {
  for (const mode of [0o640, 0o604, 0o644]) {
    await assert.rejects(loadHotkey({ file: await fileOf(t, SEED, mode) }), refused);
  }
  const good = await fileOf(t, SEED);
  await symlink(good, `${good}-link`);
  await assert.rejects(loadHotkey({ file: `${good}-link` }), refused);
  await assert.rejects(loadHotkey({ file: tmpdir() }), refused);
  await assert.rejects(loadHotkey({ file: `${good}-absent` }), refused);
});

test('other contents are refused without a word of them', async (t) => {
  const phrase = `${'abandon '.repeat(11)}abandon`;
  for (const text of [
    '',
    'hunter2',
    phrase,
    SEED.slice(1),
    `{"secretSeed":"${SEED.slice(1)}"}`,
    '{',
    'x'.repeat(5000),
  ]) {
    await assert.rejects(loadHotkey({ file: await fileOf(t, text) }), refused, text.slice(0, 20));
  }
  await assert.rejects(loadHotkey({ developmentUri: SEED }), refused);
});
