import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createNodeKey,
  parseNodeKey,
  peerIdOfPublicKey,
  serializeNodeKey,
  verifyNodeSignature,
} from '../../../p2p/index.ts';

test('a node key survives being stored, and is the key of its peer id', async () => {
  const key = await createNodeKey();
  const again = await parseNodeKey(serializeNodeKey(key));
  assert.equal(again.peerId, key.peerId);
  assert.equal(again.publicKey, key.publicKey);
  assert.equal(peerIdOfPublicKey(key.publicKey), key.peerId);
  assert.match(key.peerId, /^12D3KooW/);
  assert.notEqual((await createNodeKey()).peerId, key.peerId);
});

test('its signatures are plain Ed25519, of node:crypto and of libp2p alike', async () => {
  const key = await createNodeKey();
  const message = Buffer.from('message');
  const signature = key.sign(message);
  assert.equal(signature.length, 64);
  assert.ok(verifyNodeSignature(key.publicKey, message, signature));
  assert.ok(await key.libp2p.publicKey.verify(message, signature));
  assert.ok(!verifyNodeSignature(key.publicKey, Buffer.from('massage'), signature));
  assert.ok(!verifyNodeSignature(key.publicKey, message, signature.subarray(1)));
  assert.ok(!verifyNodeSignature('zz', message, signature));
});

test('a damaged key file is refused without telling what was in it', async () => {
  for (const text of ['', 'abc', 'AB'.repeat(32), 'ab'.repeat(33), ` ${'ab'.repeat(32)}`]) {
    await assert.rejects(parseNodeKey(text), (error: Error & { code: string }) => {
      return error.code === 'NODE_KEY_INVALID' && (text === '' || !error.message.includes(text));
    });
  }
  assert.equal(peerIdOfPublicKey('ab'), null);
});
