import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createNodeKey, loadHotkey, loadNodeKey, nodeKeyFromSeed } from '../../../node/keys/index.ts';
import { temporaryFolder } from '../store/support.ts';

const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';

function keyFolder(t: TestContext): string {
  return join(temporaryFolder(t), 'keys');
}

test('a node key is made once, read back, and kept from others', (t) => {
  const folder = keyFolder(t);
  assert.throws(() => loadNodeKey(folder), { code: 'NODE_KEY_MISSING', fault: 'operator' });
  const made = createNodeKey(folder, (n) => Buffer.alloc(n, 7));
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(statSync(join(folder, 'node.key')).mode & 0o777, 0o600);
  const loaded = loadNodeKey(folder);
  assert.deepEqual(loaded.publicKey, made.publicKey);
  assert.throws(() => createNodeKey(folder, (n) => Buffer.alloc(n, 8)), { code: 'KEY_EXISTS' });

  const message = Buffer.from('message');
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(loaded.publicKey).toString('base64url') },
    format: 'jwk',
  });
  assert.ok(verify(null, message, key, loaded.sign(message)));
});

test('the key of a seed is that of RFC 8032, test 1', () => {
  const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex');
  const publicKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
  assert.equal(Buffer.from(nodeKeyFromSeed(seed).publicKey).toString('hex'), publicKey);
});

test('looser modes, other file types and malformed keys are operator errors', (t) => {
  const folder = keyFolder(t);
  createNodeKey(folder, (n) => Buffer.alloc(n, 7));
  const path = join(folder, 'node.key');
  for (const mode of [0o640, 0o604, 0o620]) {
    chmodSync(path, mode);
    assert.throws(() => loadNodeKey(folder), { code: 'KEY_MODE', fault: 'operator' });
  }
  chmodSync(path, 0o400);
  loadNodeKey(folder);
  chmodSync(folder, 0o750);
  assert.throws(() => loadNodeKey(folder), { code: 'KEY_MODE', field: folder });
  chmodSync(folder, 0o700);
  chmodSync(path, 0o600);
  writeFileSync(path, 'zz');
  assert.throws(() => loadNodeKey(folder), { code: 'KEY_MALFORMED' });
});

test('the hotkey is that of the configuration; none, or a loose file, is an operator error', async (t) => {
  const none = { hotkey_file: null, hotkey_uri: null };
  assert.equal((await loadHotkey({ ...none, hotkey_uri: '//Alice' })).address, ALICE);
  await assert.rejects(loadHotkey(none), { code: 'HOTKEY_MISSING', fault: 'operator' });
  const path = join(temporaryFolder(t), 'hotkey');
  writeFileSync(path, `0x${'5a'.repeat(32)}\n`, { mode: 0o600 });
  const loaded = await loadHotkey({ ...none, hotkey_file: path });
  assert.equal(loaded.type, 'sr25519');
  chmodSync(path, 0o644);
  await assert.rejects(loadHotkey({ ...none, hotkey_file: path }), { fault: 'operator' });
});
