import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  afterSubmit,
  confirmed,
  held,
  intentFor,
  nextAction,
  pending,
  supersede,
  type WeightsRow,
  type WeightsTarget,
  type WeightsView,
} from '../../../chain/weights/journal.ts';

const target: WeightsTarget = {
  epoch_height: 40,
  uids: [2, 5],
  values: [65_535, 7],
  hotkeys: ['two', 'five'],
};
const none = { same: null, latest: null };
const intent = intentFor(target, none, 50);

const view = (change: Partial<WeightsView> = {}): WeightsView => ({
  height: 60,
  commitReveal: false,
  ownUid: 1,
  lastUpdate: 0,
  rateLimit: 10,
  stored: { uids: [], values: [] },
  hotkeys: ['two', 'five'],
  ...change,
});
const stored = { uids: target.uids, values: target.values };
const inFlight = pending(intent, 70);

test('an intent is the journaled one, or a new one from the block after the finalized head', () => {
  assert.equal(intent.intent_height, 51);
  assert.equal(intent.state, 'intent');
  assert.equal(intentFor(target, { same: inFlight, latest: inFlight }, 99), inFlight);
});

test('a second vector for one epoch height, or an epoch height that is over, is refused', () => {
  const others: readonly WeightsTarget[] = [
    { ...target, values: [65_535, 8] },
    { ...target, uids: [2, 6] },
    { ...target, uids: [2], values: [65_535], hotkeys: ['two'] },
    { ...target, hotkeys: ['two', 'six'] },
  ];
  for (const state of [intent, inFlight, confirmed(inFlight, 61), held(intent, 'x')]) {
    for (const other of others) {
      assert.throws(() => intentFor(other, { same: state, latest: state }, 60), { code: 'WEIGHTS_CONFLICT' });
    }
  }
  const later = { ...intent, epoch_height: 60 };
  assert.throws(() => intentFor(target, { same: null, latest: later }, 60), { code: 'WEIGHTS_STALE' });
  assert.throws(() => intentFor({ ...target, values: [1, 2] }, none, 60), { code: 'WEIGHTS_VECTOR' });
  assert.throws(() => intentFor({ ...target, hotkeys: ['two'] }, none, 60), { code: 'WEIGHTS_VECTOR' });
});

test('proof is the vector itself and an update at or after the intent, nothing less', () => {
  for (const row of [intent, inFlight]) {
    assert.deepEqual(nextAction(row, view({ stored, lastUpdate: 51 })), { kind: 'confirm' });
  }
  assert.notEqual(nextAction(intent, view({ stored, lastUpdate: 50 })).kind, 'confirm');
  assert.notEqual(nextAction(intent, view({ lastUpdate: 55 })).kind, 'confirm');
  const almost = { uids: target.uids, values: [65_535, 6] };
  assert.notEqual(nextAction(intent, view({ stored: almost, lastUpdate: 55 })).kind, 'confirm');
  assert.notEqual(nextAction(intent, view({ stored, lastUpdate: 55, ownUid: null })).kind, 'confirm');
});

test('a pending row waits until its extrinsic can no longer be included, whatever else is the case', () => {
  assert.deepEqual(nextAction(inFlight, view({ height: 68, commitReveal: true, ownUid: null })), {
    kind: 'wait',
    untilHeight: 69,
  });
  assert.deepEqual(nextAction(inFlight, view({ height: 69 })), { kind: 'sign' });
});

test('rate limit: the block after the head must be far enough from the last update', () => {
  assert.deepEqual(nextAction(intent, view({ height: 58, lastUpdate: 50 })), { kind: 'wait', untilHeight: 59 });
  assert.deepEqual(nextAction(intent, view({ height: 59, lastUpdate: 50 })), { kind: 'sign' });
  assert.deepEqual(nextAction(intent, view({ height: 1, lastUpdate: 0 })), { kind: 'sign' });
});

test('commit-reveal is refused by name, a stranger and a uid that changed hands are held', () => {
  assert.throws(() => nextAction(intent, view({ commitReveal: true })), { code: 'WEIGHTS_COMMIT_REVEAL' });
  assert.deepEqual(nextAction(intent, view({ ownUid: null })), { kind: 'hold', reason: 'hotkey_not_registered' });
  for (const hotkeys of [['two', 'other'], ['two', null], []]) {
    assert.deepEqual(nextAction(intent, view({ hotkeys })), { kind: 'hold', reason: 'uid_reassigned' });
  }
});

test('refusals are tried again later, a bounded number of times', () => {
  let row: WeightsRow = intent;
  let signed = 0;
  let height = 60;
  for (;;) {
    const action = nextAction(row, view({ height }));
    if (action.kind === 'hold') {
      assert.equal(action.reason, 'subtensorModule.SettingWeightsTooFast');
      break;
    }
    if (action.kind === 'wait') {
      assert.ok(action.untilHeight > height);
      height = action.untilHeight;
      continue;
    }
    assert.equal(action.kind, 'sign');
    signed += 1;
    row = pending(row, height + 16);
    const result = { kind: 'rejected', error: 'subtensorModule.SettingWeightsTooFast', detail: '' } as const;
    row = afterSubmit(row, result, height);
    assert.equal(row.state, 'intent');
  }
  assert.equal(signed, 6);
});

test('what the signer says', () => {
  assert.equal(afterSubmit(inFlight, { kind: 'finalized', height: 61, hash: '0x' }, 63).confirmed_height, 61);
  const unknown = (reason: 'pending' | 'expired' | 'no_effect') =>
    afterSubmit(inFlight, { kind: 'unknown', reason, deathHeight: 70 }, 62);
  assert.equal(unknown('pending'), inFlight);
  assert.equal(unknown('expired').state, 'intent');
  assert.equal(unknown('no_effect').state, 'intent');
});

test('rows that are done stay done', () => {
  for (const row of [confirmed(intent, 60), held(intent, 'x')]) {
    assert.deepEqual(nextAction(row, view({ stored, lastUpdate: 55 })), { kind: 'done' });
    assert.equal(supersede(row, view()), row);
  }
});

test('an older row ends before a newer one begins, but not while it could still be included', () => {
  assert.equal(supersede(intent, view())?.reason, 'superseded');
  assert.equal(supersede(inFlight, view({ height: 68 })), null);
  assert.equal(supersede(inFlight, view({ height: 69 }))?.reason, 'superseded');
  assert.equal(supersede(inFlight, view({ height: 68, stored, lastUpdate: 55 }))?.state, 'confirmed');
});
