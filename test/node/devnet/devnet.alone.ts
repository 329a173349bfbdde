import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callStatus } from '../../../node/rpc/index.ts';
import { assertRight, startDevnet } from './support.ts';

test('a devnet crowns the really faster kernel and nothing else', { timeout: 600_000 }, async (t) => {
  const devnet = startDevnet();
  t.after(() => devnet.remove());
  const { code, stderr } = await devnet.ended;
  const summary = assertRight(devnet, code, 3);
  assert.equal(stderr, '');
  t.diagnostic(`ended after ${summary.seconds} s`);
  const reasons = summary.failed.map((row) => row.reason).sort();
  assert.deepEqual(reasons, ['audit_mismatch', 'too_slow']);
  assert.deepEqual(devnet.survivors(), []);
  const types = new Set(devnet.lines.map((line) => (line.type === 'event' ? line.event.type : line.type)));
  const shown =
    'reservation drawn fetched screened attempt_anchored measuring measured receipt_anchored opened announced regraded ballot_anchored closed weights pages summary';
  for (const type of shown.split(' ')) assert.ok(types.has(type as never), `never shown: ${type}`);
});

test('Ctrl-C leaves no process behind, and the status answers before it', { timeout: 180_000 }, async (t) => {
  const devnet = startDevnet();
  t.after(() => devnet.remove());
  await devnet.waitFor((line) => line.type === 'event' && line.event.type === 'state' && line.event.state === 'READY');
  const status = (await callStatus(`${devnet.root}/validator0/status.sock`, 'status', {})) as { schema?: string };
  assert.equal(status.schema, 'cacheon.status.v1');
  devnet.child.kill('SIGINT');
  const { code } = await devnet.ended;
  assert.equal(code, 130);
  assert.deepEqual(devnet.survivors(), []);
});
