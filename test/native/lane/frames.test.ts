import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createWasmLaneFactory, type Lane, LaneError, type LaneErrorCode } from '../../../native/lane/index.ts';
import { patience, testArena } from '../support/arena.ts';

const arena = await testArena();
const program = fileURLToPath(new URL('../support/fake-lane.ts', import.meta.url));
const SEQUENCES = [{ prompt: [1], decode: 2 }];

function factory(mode: string) {
  const args = ['--disable-warning=ExperimentalWarning', program, mode];
  return createWasmLaneFactory({}, { arena, command: { file: process.execPath, args } });
}

function open(mode: string, signal = patience()): Promise<Lane> {
  return factory(mode).open({ slotIndex: 0, modules: [] }, signal);
}

function fails(code: LaneErrorCode) {
  return (error: unknown) => {
    assert.ok(error instanceof LaneError, String(error));
    assert.equal(error.code, code, error.message);
    assert.equal(error.fault, 'infrastructure');
    return true;
  };
}

function isGone(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
}

test('a lane that behaves is answered as usual', async () => {
  const lane = await open('well');
  assert.deepEqual((await lane.generate(SEQUENCES, patience())).tokens, [[1, 2]]);
  await lane.close();
});

const REFUSED: readonly (readonly [mode: string, code: LaneErrorCode])[] = [
  ['short', 'FRAME'],
  ['oversized', 'FRAME'],
  ['other sequence', 'FRAME'],
  ['flood', 'FRAME'],
  ['half', 'CRASHED'],
  ['other kind', 'ANSWER'],
  ['no json', 'ANSWER'],
  ['more json', 'ANSWER'],
  ['few tokens', 'ANSWER'],
  ['many tokens', 'ANSWER'],
  ['no token', 'ANSWER'],
];

for (const [mode, code] of REFUSED) {
  test(`an answer that is wrong (${mode}) ends the lane and nothing else`, async () => {
    const lane = await open(mode);
    await assert.rejects(lane.generate(SEQUENCES, patience()), fails(code));
    assert.ok(isGone(Number(lane.facts.pid)));
    await assert.rejects(lane.generate(SEQUENCES, patience()), LaneError);
  });
}

test('frames that nothing asked for end the lane, early or late', async () => {
  await assert.rejects(open('early'), fails('FRAME'));
  const late = await open('late').catch((error: unknown) => error);
  if (!(late instanceof LaneError))
    await assert.rejects((late as Lane).generate(SEQUENCES, patience()), fails('FRAME'));
  const flooding = await open('frames');
  // The first frame is an answer; any after it is not.
  await flooding.generate(SEQUENCES, patience()).catch(() => null);
  await assert.rejects(flooding.generate(SEQUENCES, patience()), fails('FRAME'));
});

test('a process that dies or greets wrongly before it is loaded is an error of starting it', async () => {
  await assert.rejects(open('dies'), fails('CRASHED'));
  await assert.rejects(open('greets wrongly'), fails('ANSWER'));
  const command = { file: '/nonexistent/node', args: [] };
  const nowhere = createWasmLaneFactory({}, { arena, command });
  await assert.rejects(nowhere.open({ slotIndex: 0, modules: [] }, patience()), fails('SPAWN'));
});

test('silence and half an answer end at the deadline, or when the host wants it', async () => {
  await assert.rejects(open('mute', AbortSignal.timeout(300)), fails('DEADLINE'));
  const lane = await open('trickle');
  await assert.rejects(lane.generate(SEQUENCES, AbortSignal.timeout(300)), fails('DEADLINE'));
  await assert.rejects(open('well', AbortSignal.abort()), fails('ABORTED'));
});

test('one request at a time: a second one is refused and the lane closed with it', async () => {
  const lane = await open('trickle');
  const first = lane.generate(SEQUENCES, patience());
  const second = lane.generate(SEQUENCES, patience());
  const results = await Promise.allSettled([first, second]);
  assert.ok(results.every(({ status }) => status === 'rejected'));
  assert.ok(isGone(Number(lane.facts.pid)));
});
