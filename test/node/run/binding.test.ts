import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { sha256Hex } from '../../../evaluator/identity/index.ts';
import { type BindingSubject, ensureBinding, OwnBindings } from '../../../node/run/binding.ts';
import { bindingMessage, type NodeKey } from '../../../p2p/index.ts';
import { GENESIS, type Hotkey, hotkey, NETUID, nodeKey, verifySr25519 } from '../../p2p/support/nodes.ts';
import { temporaryFolder } from '../store/support.ts';

let owner: Hotkey;
let key: NodeKey;

before(async () => {
  owner = await hotkey('binding owner');
  key = await nodeKey('binding');
});

function subject(height: number, change: Partial<BindingSubject> = {}): BindingSubject {
  const sign = (message: Uint8Array): Uint8Array => owner.sign(message);
  return { genesisHash: GENESIS, netuid: NETUID, hotkey: owner.address, nodeKey: key, height, sign, ...change };
}

test('a binding that holds is used again, after a restart too, and is what the hotkey signed', (t) => {
  const path = join(temporaryFolder(t), 'binding.json');
  const first = ensureBinding(path, subject(100));
  const { binding, scheme, signature } = first.signed;
  assert.equal(verifySr25519(scheme, owner.address, bindingMessage(binding), Buffer.from(signature, 'hex')), true);
  assert.equal(first.digest, sha256Hex(first.envelope), 'peers fetch the envelope by the digest');
  const again = ensureBinding(path, subject(100 + 40_000));
  assert.deepEqual(again, first);
});

test('near its end it is renewed with a later epoch', (t) => {
  const path = join(temporaryFolder(t), 'binding.json');
  const first = ensureBinding(path, subject(100)).signed.binding;
  const second = ensureBinding(path, subject(first.expires_height - 7_200)).signed.binding;
  assert.ok(second.epoch > first.epoch);
  assert.ok(second.expires_height > first.expires_height);
});

test('another node key, hotkey, subnet or chain gets a binding of its own', async (t) => {
  const path = join(temporaryFolder(t), 'binding.json');
  const other = await hotkey('another owner');
  const changes: Partial<BindingSubject>[] = [
    { nodeKey: await nodeKey('another') },
    { hotkey: other.address, sign: (message) => other.sign(message) },
    { netuid: NETUID + 1 },
    { genesisHash: `0x${'22'.repeat(32)}` },
  ];
  let epoch = ensureBinding(path, subject(100)).signed.binding.epoch;
  for (const change of changes) {
    const { binding } = ensureBinding(path, subject(100, change)).signed;
    assert.ok(binding.epoch > epoch);
    epoch = binding.epoch;
  }
});

test('a lost or damaged file is no reason to stop, and its node is not taken for an older one', (t) => {
  const folder = temporaryFolder(t);
  const path = join(folder, 'binding.json');
  const first = ensureBinding(path, subject(100)).signed.binding;
  for (const damage of ['', '{', '{"binding":null}', readFileSync(path, 'utf8').slice(0, 100)]) {
    writeFileSync(path, damage);
    const { binding } = ensureBinding(path, subject(5_000)).signed;
    assert.ok(binding.epoch > first.epoch, 'peers refuse a binding of a lower epoch');
  }
});

test('a node that runs on renews its binding before peers refuse it, once', (t) => {
  const bindings = new OwnBindings(join(temporaryFolder(t), 'binding.json'), subject(100));
  const first = bindings.current;
  assert.equal(bindings.renew(100), false);
  assert.equal(bindings.renew(40_000), false);
  const end = first.signed.binding.expires_height;
  assert.equal(bindings.renew(end - 1_000), true);
  assert.notEqual(bindings.current.digest, first.digest);
  assert.ok(bindings.current.signed.binding.expires_height > end);
  assert.equal(bindings.renew(end - 999), false);
});
