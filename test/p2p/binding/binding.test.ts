import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalDigest } from '../../../evaluator/identity/index.ts';
import { BindingEpochs } from '../../../p2p/binding/epochs.ts';
import { bindingMessage, parseSignedBinding } from '../../../p2p/index.ts';
import { hotkey, nodeKey, signBinding } from '../support/nodes.ts';

const signed = signBinding(await hotkey('owner'), await nodeKey('owner'));

test('the hotkey signs the wrapped digest and nothing else', () => {
  const digest = canonicalDigest('cacheon.peer.binding.v1', signed.binding);
  const message = Buffer.from(bindingMessage(signed.binding)).toString('utf8');
  assert.equal(message, `<Bytes>cacheon-binding-v1:${digest}</Bytes>`);
});

test('a binding is a closed object; each wrong field is named', () => {
  assert.deepEqual(parseSignedBinding(JSON.parse(JSON.stringify(signed))), signed);
  const inner = (changes: object): object => ({ ...signed, binding: { ...signed.binding, ...changes } });
  const cases: [object, string][] = [
    [{ ...signed, more: 1 }, 'binding.more'],
    [{ ...signed, scheme: 'ecdsa' }, 'binding.scheme'],
    [{ ...signed, signature: '' }, 'binding.signature'],
    [{ ...signed, signature: signed.signature.slice(2) }, 'binding.signature'],
    [{ ...signed, signature: signed.signature.toUpperCase() }, 'binding.signature'],
    [inner({ more: 1 }), 'binding.binding.more'],
    [inner({ schema_version: 2 }), 'binding.binding.schema_version'],
    [inner({ genesis_hash: '11'.repeat(32) }), 'binding.binding.genesis_hash'],
    [inner({ netuid: 65_536 }), 'binding.binding.netuid'],
    [inner({ epoch: -1 }), 'binding.binding.epoch'],
    [inner({ expires_height: 1.5 }), 'binding.binding.expires_height'],
    [inner({ node_public_key: 'zz' }), 'binding.binding.node_public_key'],
    [{ scheme: signed.scheme, signature: signed.signature }, 'binding.binding'],
  ];
  for (const [value, field] of cases) {
    assert.throws(
      () => parseSignedBinding(value),
      (error: Error & { field: string | null }) => error.field === field,
      field,
    );
  }
});

test('epochs only go up, and one epoch belongs to one node', () => {
  const epochs = new BindingEpochs();
  const at = (epoch: number, peerId = 'node a') => ({ ...signed.binding, epoch, peer_id: peerId });
  epochs.admit(at(3));
  epochs.admit(at(3));
  assert.throws(() => epochs.admit(at(3, 'node b')), { code: 'AUTH_EPOCH' });
  assert.throws(() => epochs.admit(at(2)), { code: 'AUTH_EPOCH' });
  epochs.admit(at(4, 'node b'));
  assert.throws(() => epochs.admit(at(3)), { code: 'AUTH_EPOCH' });
  epochs.admit({ ...at(1), hotkey: 'another' });
});
