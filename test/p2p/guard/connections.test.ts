import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Connection } from '@libp2p/interface';
import { Connections } from '../../../p2p/guard/connections.ts';
import { hotkey, nodeKey, signBinding } from '../support/nodes.ts';

const binding = signBinding(await hotkey('remote'), await nodeKey('remote')).binding;
const verified = { binding, addresses: [] };

function fakeConnection(id: string, direction: 'inbound' | 'outbound', remote = binding.peer_id): Connection {
  const connection = Object.assign(new EventTarget(), {
    id,
    direction,
    status: 'open',
    remotePeer: { toString: () => remote },
    abort: () => {
      connection.status = 'aborted';
    },
    close: async () => {},
  });
  return connection as unknown as Connection;
}

/** Authenticates the two in turn. @returns the id of the connection that stays */
function survivor(ownPeerId: string, first: Connection, second: Connection): string | undefined {
  const connections = new Connections(ownPeerId, () => 0);
  connections.opened(first);
  connections.opened(second);
  connections.authenticate(first, verified);
  try {
    connections.authenticate(second, verified);
  } catch (error) {
    assert.equal((error as { code: string }).code, 'AUTH_DUPLICATE');
  }
  const kept = connections.authenticated();
  assert.equal(kept.length, 1);
  return kept[0]?.connection.id;
}

test('of two simultaneous dials the one of the lower peer id stays, in whatever order they authenticate', () => {
  const inbound = (): Connection => fakeConnection('theirs', 'inbound');
  const outbound = (): Connection => fakeConnection('ours', 'outbound');
  for (const [own, expected] of [
    ['0 is lower', 'ours'],
    ['z is higher', 'theirs'],
  ] as const) {
    assert.equal(survivor(own, inbound(), outbound()), expected);
    assert.equal(survivor(own, outbound(), inbound()), expected);
  }
});

test('a peer that dials again is believed that its older connection is dead', () => {
  const older = fakeConnection('older', 'inbound');
  assert.equal(survivor('0', older, fakeConnection('newer', 'inbound')), 'newer');
  assert.equal(older.status, 'aborted');
});

test('one handshake per connection, and waiting ends with its reason', async () => {
  const connections = new Connections('0', () => 7);
  const connection = fakeConnection('one', 'inbound');
  connections.opened(connection);
  assert.equal(connections.pending().length, 1);
  assert.equal(connections.beginHandshake(connection), true);
  assert.equal(connections.beginHandshake(connection), false);
  const waiting = connections.whenAuthenticated(connection, new AbortController().signal);
  connections.fail(connection, new Error('why'));
  await assert.rejects(waiting, /why/);
  assert.equal(connections.pending().length, 0);
  assert.throws(() => connections.authenticate(connection, verified), { code: 'STREAM_ENDED' });
});
