import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { JsonValue } from '../../../evaluator/identity/index.ts';
import { type EventRow, type RecordRow, type StatusSource, startStatusServer } from '../../../node/rpc/index.ts';
import { cli } from '../cli/support.ts';
import { fixedSource } from '../rpc/source.ts';
import { temporaryFolder } from '../store/support.ts';

const HOTKEY = '5C4hrfjw9DjXZTzV3MwzrrAr9P1MJhSrvWGWqi1eSuyUpnhM';
const OTHER = 'cd'.repeat(32);
const RESERVATION = 'ab'.repeat(32);
const HASH = 'ef'.repeat(32);
const QUEUED = {
  reservation_id: RESERVATION,
  hotkey: HOTKEY,
  content_hash: HASH,
  committed: 5,
  block: 9,
  spent: 0,
  passes: 0,
};

const ORDERED = { type: 'reservation', reservation: RESERVATION, hotkey: HOTKEY, contentHash: HASH };
const FOREIGN = { type: 'fetched', reservation: OTHER, files: 1, bytes: 1 };
const REGRADED = {
  type: 'regraded',
  place: 1,
  reservation: RESERVATION,
  author: '5V',
  result: 'FAIL',
  reason: 'too_slow',
  speedup: null,
};

function closed(disposition: string, reason: string | null = null): JsonValue {
  return { type: 'closed', index: 3, members: [{ reservation: RESERVATION, disposition, reason, speedup: null }] };
}

/** A node on a socket and a port that tells these events. */
async function node(t: TestContext, events: readonly JsonValue[], source: Partial<StatusSource> = {}) {
  const rows: EventRow[] = events.map((event, i) => ({ sequence: i + 1, height: 100 + i, event }));
  const socket = join(temporaryFolder(t), 'status.sock');
  const server = await startStatusServer(
    { host: '127.0.0.1', port: 0, socket },
    fixedSource({
      queue: () => [QUEUED],
      events: (after, limit) => rows.filter((row) => row.sequence > after).slice(0, limit),
      ...source,
    }),
  );
  t.after(() => server.close());
  return { socket, port: server.port, rows };
}

test('the story of one proposal, by hotkey, over a socket; others are left out', async (t) => {
  const { socket } = await node(t, [FOREIGN, ORDERED, REGRADED, { type: 'weights', height: 1 }, closed('failed')]);
  const ran = await cli(['miner', 'follow', HOTKEY, '--status', socket]);
  assert.equal(ran.exit, 1);
  assert.match(
    ran.out,
    /^block 101 {2}ordered.*\nblock 102 {2}place 1 by 5V: FAIL too_slow\nblock 104 {2}cohort 3 closed: failed: /,
  );
  assert.ok(!ran.out.includes(OTHER));
});

test('crowned exits 0, undecided 75; a port is as good as a socket', async (t) => {
  const won = await node(t, [ORDERED, closed('crowned')], { queue: () => [] });
  const address = `http://127.0.0.1:${won.port}`;
  const ran = await cli(['miner', 'follow', HASH, '--json', '--status', address]);
  const { result } = JSON.parse(ran.out);
  assert.deepEqual([ran.exit, result.ended, result.proposals[0].disposition], [0, true, 'crowned']);

  const open = await node(t, [ORDERED, closed('conflict_lost')]);
  const once = await cli(['miner', 'follow', RESERVATION, '--json', '--once', '--status', open.socket]);
  const [proposal] = JSON.parse(once.out).result.proposals;
  assert.deepEqual([once.exit, proposal.ended, proposal.queue_position], [75, false, 1]);
});

test('it is followed until its end, over looks', async (t) => {
  let looks = 0;
  const rows: EventRow[] = [{ sequence: 1, height: 7, event: ORDERED }];
  const { socket } = await node(t, [], {
    events(after) {
      looks += 1;
      if (looks === 2) rows.push({ sequence: 2, height: 9, event: closed('held', 'duplicate_delta') });
      return rows.filter((row) => row.sequence > after);
    },
  });
  const ran = await cli(['miner', 'follow', RESERVATION, '--status', socket]);
  assert.equal(ran.exit, 1);
  assert.match(ran.out, /held \(an earlier proposal makes the same change\)/);
});

test('what the event log has forgotten is found in the records; the unknown is said to be unknown', async (t) => {
  const record: RecordRow = {
    index: 2,
    digest: OTHER,
    close_height: 88,
    no_quorum: false,
    members: [{ reservation_id: RESERVATION, disposition: 'crowned', reason: null }],
  };
  const { socket } = await node(t, [], { queue: () => [], records: () => [record] });
  const ran = await cli(['miner', 'follow', RESERVATION, '--status', socket]);
  assert.deepEqual([ran.exit, ran.out.split('\n')[0]?.slice(0, 33)], [0, 'block 88  cohort 2 closed: crowne']);
  const unknown = await cli(['miner', 'follow', OTHER, '--once', '--status', socket]);
  assert.equal(unknown.exit, 75);
  assert.match(unknown.out, /knows no such proposal/);
});

test('no node there, or an address that is none', async (t) => {
  for (const address of [join(temporaryFolder(t), 'none.sock'), 'https://127.0.0.1:1', 'http://127.0.0.1:1']) {
    const ran = await cli(['miner', 'follow', RESERVATION, '--status', address]);
    assert.deepEqual([ran.exit, ran.err.split(':')[0]], [75, 'STATUS_UNREACHABLE'], address);
  }
});
