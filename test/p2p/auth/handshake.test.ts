import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { canonicalDigest } from '../../../evaluator/identity/index.ts';
import { AUTH_PROTOCOL } from '../../../p2p/auth/messages.ts';
import { type PeerErrorCode, type SignedBinding, verifyNodeSignature } from '../../../p2p/index.ts';
import { attacker, authenticate, connect, ended, open } from '../support/attacker.ts';
import {
  CONSENSUS,
  hotkey,
  nodeKey,
  signBinding,
  type TestNode,
  type TestNodeOptions,
  testNode,
  until,
} from '../support/nodes.ts';

const running: { stop(): Promise<void> | void }[] = [];
after(async () => {
  await Promise.all(running.splice(0).map((node) => node.stop()));
});

async function started(name: string, options: TestNodeOptions = {}): Promise<TestNode> {
  const node = await testNode(name, options);
  await node.network.start();
  running.push(node.network);
  return node;
}

const MEMBERS = await Promise.all(['honest', 'other'].map(async (name) => (await hotkey(name)).address));

test('two members authenticate each other, whoever dials', async () => {
  const a = await started('honest', { members: MEMBERS });
  const b = await started('other', { members: MEMBERS });
  const info = await a.network.dial(b.address());
  assert.equal(info.hotkey, b.hotkey.address);
  assert.equal(info.peerId, b.key.peerId);
  assert.equal(info.authenticated, true);
  assert.equal(info.score, 0);
  await until('b knows a', () => b.network.peers().length === 1);
  assert.equal(b.network.peers()[0]?.hotkey, a.hotkey.address);
  assert.equal(b.network.peers()[0]?.peerId, a.key.peerId);
});

const own = await hotkey('other');
const key = await nodeKey('other');
const stranger = await nodeKey('stranger');
const good = signBinding(own, key);
const forged: SignedBinding = { ...good, signature: `00${good.signature.slice(2)}` };
const byAnother: SignedBinding = { ...good, signature: signBinding(await hotkey('thief'), key).signature };

const TABLE: readonly { name: string; code: PeerErrorCode; options: TestNodeOptions; members?: string[] }[] = [
  {
    name: 'another genesis',
    code: 'AUTH_GENESIS',
    options: { bindingChanges: { genesis_hash: `0x${'22'.repeat(32)}` } },
  },
  { name: 'another netuid', code: 'AUTH_NETUID', options: { bindingChanges: { netuid: 8 } } },
  { name: 'another peer id', code: 'AUTH_PEER_ID', options: { bindingChanges: { peer_id: stranger.peerId } } },
  {
    name: 'another node key',
    code: 'AUTH_NODE_KEY',
    options: { bindingChanges: { node_public_key: stranger.publicKey } },
  },
  { name: 'an expired binding', code: 'AUTH_EXPIRED', options: { bindingChanges: { expires_height: 100 } } },
  { name: 'no member', code: 'AUTH_NOT_MEMBER', options: {}, members: [MEMBERS[0] as string] },
  { name: 'a forged hotkey signature', code: 'AUTH_HOTKEY_SIGNATURE', options: { binding: forged } },
  { name: 'the signature of another hotkey', code: 'AUTH_HOTKEY_SIGNATURE', options: { binding: byAnother } },
  {
    name: 'another consensus object',
    code: 'AUTH_CONSENSUS',
    options: { network: { consensusDigest: 'd0'.repeat(32) } },
  },
];

test('every other claim is refused by its rule, in both directions', { concurrency: 4 }, async (t) => {
  await Promise.all(TABLE.map((row) => t.test(`${row.name}: ${row.code}`, () => refused(row))));
});

async function refused(row: (typeof TABLE)[number]): Promise<void> {
  const a = await started('honest', { members: row.members ?? MEMBERS });
  const b = await started('other', { members: MEMBERS, ...row.options });
  // As listener b is judged by a; as dialer it hears why it was refused. Another consensus object both may see.
  const mutual = row.code === 'AUTH_CONSENSUS';
  await assert.rejects(a.network.dial(b.address()), (error: Error & { code: string }) => {
    return error.code === row.code || (mutual && error.message.includes(row.code));
  });
  await assert.rejects(b.network.dial(a.address()), (error: Error & { code: string }) => {
    return (error.code === 'AUTH_REFUSED' && error.message.includes(row.code)) || (mutual && error.code === row.code);
  });
  assert.deepEqual(a.network.peers(), []);
  assert.deepEqual(b.network.peers(), []);
}

test('a proof signed with another key, or replayed from an earlier handshake, is refused', async () => {
  const a = await started('honest', { members: MEMBERS });
  const host = await attacker(key);
  running.push(host);
  const signatures: Uint8Array[] = [];
  const recording = {
    ...key,
    sign: (message: Uint8Array) => signatures[signatures.push(key.sign(message)) - 1] as Uint8Array,
  };
  const first = await connect(host, a.address());
  await authenticate(first, recording, good);
  await first.close();
  await until('a has seen the end of it', () => a.network.peers().length === 0);

  const replaying = { ...key, sign: () => signatures[0] as Uint8Array };
  const second = await connect(host, a.address());
  await assert.rejects(authenticate(second, replaying, good), /AUTH_NODE_SIGNATURE/);
  await ended(second);
  const wrongKey = { ...key, sign: (message: Uint8Array) => stranger.sign(message) };
  const third = await connect(host, a.address());
  await assert.rejects(authenticate(third, wrongKey, good), /AUTH_NODE_SIGNATURE/);
  await ended(third);
  assert.deepEqual(a.network.peers(), []);

  // The same binding with a fresh proof is as good as ever.
  await authenticate(await connect(host, a.address()), key, good);
  assert.equal(a.network.peers().length, 1);
});

test('the handshake by hand: frames, digest and signatures as written down', async () => {
  const a = await started('honest', { members: MEMBERS, network: { limits: { muteAfterMs: 60_000 } } });
  const host = await attacker(key);
  running.push(host);
  const signal = AbortSignal.timeout(5_000);
  const wire = await open(await connect(host, a.address()), '/cacheon/auth/1.0.0');
  const nonce = '0a'.repeat(32);
  wire.writeFrame({ addresses: [], binding: good, consensus_digest: CONSENSUS, nonce });
  const welcome = (await wire.readFrame(signal)) as Record<string, string>;
  assert.deepEqual(Object.keys(welcome).sort(), ['addresses', 'binding', 'consensus_digest', 'nonce', 'signature']);
  const digest = canonicalDigest('cacheon.peer.auth.v1', {
    consensus_digest: CONSENSUS,
    nonce_a: nonce,
    nonce_b: welcome['nonce'],
    peer_a: key.peerId,
    peer_b: a.key.peerId,
  });
  const message = Buffer.from(digest, 'hex');
  const signature = Buffer.from(welcome['signature'] as string, 'hex');
  assert.ok(verifyNodeSignature(a.key.publicKey, message, signature));
  wire.writeFrame({ signature: Buffer.from(key.sign(message)).toString('hex') });
  assert.equal(JSON.stringify(await wire.readFrame(signal)), '{"accepted":true}');
  assert.equal(a.network.peers()[0]?.hotkey, own.address);
});

test('a lower epoch, or another node under the same epoch, does not replace the known binding', async () => {
  const a = await started('honest', { members: MEMBERS, network: { limits: { muteAfterMs: 60_000 } } });
  const host = await attacker(key);
  running.push(host);
  const rotated = await attacker(stranger);
  running.push(rotated);
  const first = await connect(host, a.address());
  await authenticate(first, key, signBinding(own, key, { epoch: 5 }));
  assert.equal(a.network.peers()[0]?.peerId, key.peerId);
  for (const epoch of [4, 5]) {
    const connection = await connect(rotated, a.address());
    await assert.rejects(authenticate(connection, stranger, signBinding(own, stranger, { epoch })), /AUTH_EPOCH/);
    await ended(connection);
  }
  assert.equal(a.network.peers()[0]?.peerId, key.peerId);
  // A rotation to a new key takes over, and the old key is out.
  await authenticate(await connect(rotated, a.address()), stranger, signBinding(own, stranger, { epoch: 6 }));
  assert.deepEqual(
    a.network.peers().map((peer) => peer.peerId),
    [stranger.peerId],
  );
  await ended(first);
  const late = await connect(host, a.address());
  await assert.rejects(authenticate(late, key, signBinding(own, key, { epoch: 5 })), /AUTH_EPOCH/);
});

test('who does not authenticate in time is cut off, and nobody may try twice on one connection', async () => {
  const a = await started('honest', { members: MEMBERS, network: { limits: { authTimeoutMs: 300 } } });
  const host = await attacker(key);
  running.push(host);
  const silent = await connect(host, a.address());
  await ended(silent);

  const slow = await connect(host, a.address());
  const wire = await open(slow, AUTH_PROTOCOL);
  const again = await open(slow, AUTH_PROTOCOL);
  await assert.rejects(again.read(1, AbortSignal.timeout(5_000)));
  wire.writeFrame({
    addresses: [],
    binding: good,
    consensus_digest: CONSENSUS,
    nonce: '01'.repeat(32),
  });
  await wire.readFrame(AbortSignal.timeout(5_000));
  await ended(slow);
  assert.deepEqual(a.network.peers(), []);
});

test('a frame that is malformed, not canonical or too large ends the connection', async () => {
  const a = await started('honest', { members: MEMBERS });
  const host = await attacker(key);
  running.push(host);
  const head = (length: number): Buffer => {
    const buffer = Buffer.alloc(4);
    buffer.writeUInt32BE(length);
    return buffer;
  };
  const spaced = Buffer.from(`{ "addresses":[]}`);
  for (const bytes of [
    Buffer.concat([head(spaced.length), spaced]),
    head(16_385),
    Buffer.concat([head(2), Buffer.from('[]')]),
  ]) {
    const connection = await connect(host, a.address());
    const wire = await open(connection, AUTH_PROTOCOL);
    wire.write(bytes);
    await ended(connection);
  }
  assert.deepEqual(a.network.peers(), []);
});
