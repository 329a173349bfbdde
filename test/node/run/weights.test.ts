import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Metagraph } from '../../../chain/metagraph/index.ts';
import type { WeightsRow } from '../../../chain/weights/index.ts';
import { afterSubmit, confirmed, held, intentFor, pending, supersede } from '../../../chain/weights/journal.ts';
import { canonicalJson } from '../../../evaluator/identity/index.ts';
import { type Ledger, settleCohort } from '../../../evaluator/settle/index.ts';
import { epochWeights, storedTarget, targetJson, weightsEvent, weightsJournal } from '../../../node/run/weights.ts';
import { openStore } from '../../../node/store/index.ts';
import { key } from '../../evaluator/peer/world.ts';
import { MINER, ripe } from '../../evaluator/settle/fixtures.ts';
import { temporaryStore } from '../store/support.ts';
import { genesis } from './apply/chain.ts';

const OWNER = key(90);

/** Neurons by uid; the claims' miner is MINER. */
function metagraph(hotkeys: readonly string[], ownerHotkey: string | null = OWNER): Metagraph {
  const neurons = hotkeys.map((hotkey, uid) => ({ uid, hotkey, coldkey: key(uid + 200), permit: uid < 2, stake: '5' }));
  return { hash: `0x${'1'.repeat(64)}`, netuid: 7, neurons, ownerHotkey };
}

function crowned(): Ledger {
  const ledger = genesis();
  return settleCohort(ledger, [ripe(ledger, { target: 'linear.matmul', seed: 'one', block: 100 })], 0).ledger;
}

function targetOf(height: number, ledger: Ledger, graph: Metagraph) {
  const weights = epochWeights(height, ledger, graph);
  assert.ok(weights.kind === 'target');
  return weights.target;
}

test('without a claim everything goes to the owner, with one to the miner: the same for every validator', () => {
  const graph = metagraph([OWNER, key(1), MINER, key(2)]);
  const nothing = targetOf(120, genesis(), graph);
  assert.deepEqual(nothing, { epoch_height: 120, uids: [0], values: [65_535], hotkeys: [OWNER] });
  const one = targetOf(140, crowned(), graph);
  assert.deepEqual(one, { epoch_height: 140, uids: [2], values: [65_535], hotkeys: [MINER] });
  // Nothing of the node that computes it goes in: the same chain and ledger give the same bytes.
  assert.deepEqual(targetOf(140, crowned(), metagraph([OWNER, key(1), MINER, key(2)])), one);
});

test("a departed miner's share goes to the owner, and the vector is that of its own height", () => {
  const gone = targetOf(140, crowned(), metagraph([OWNER, key(1), key(3)]));
  assert.deepEqual(gone.uids, [0]);
  const later = targetOf(160, crowned(), metagraph([MINER, OWNER]));
  assert.deepEqual([later.epoch_height, later.uids, later.hotkeys], [160, [0], [MINER]]);
});

test('a share of an owner without uid is published by nobody', () => {
  for (const graph of [metagraph([key(1), MINER]), metagraph([key(1), MINER], null)]) {
    assert.equal(epochWeights(120, genesis(), graph).kind, 'NO_BURN_TARGET');
    assert.equal(epochWeights(140, crowned(), graph).kind, 'target', 'but a vector without the owner is');
  }
});

const TARGET = { epoch_height: 40, uids: [2, 5], values: [65_535, 7], hotkeys: [key(2), key(5)] };
const INTENT = intentFor(TARGET, { same: null, latest: null }, 50);

test('the journal gives back every row as it was saved, in every state and over a restart', (t) => {
  const { store, path } = temporaryStore(t);
  const journal = weightsJournal(store);
  assert.equal(journal.load(40), null);
  assert.equal(journal.latest(), null);
  const flying = pending(INTENT, 66);
  const rejected = afterSubmit(flying, { kind: 'rejected', error: 'pool.1010', detail: '' }, 70);
  const steps: WeightsRow[] = [INTENT, INTENT, flying, flying, rejected, pending(rejected, 90), rejected];
  for (const row of [...steps, pending(rejected, 120), confirmed(pending(rejected, 120), 110)]) {
    journal.save(row);
    assert.deepEqual(journal.load(40), row);
    assert.deepEqual(journal.latest(), row);
    const other = openStore(path);
    assert.deepEqual(weightsJournal(other).load(40), row);
    other.close();
  }
  assert.throws(() => journal.save(rejected), { code: 'TRANSITION_REFUSED' });
});

test('a row that a newer one replaces is held, in flight or not, and the newer one is the latest', (t) => {
  for (const before of [INTENT, pending(INTENT, 66)]) {
    const journal = weightsJournal(temporaryStore(t).store);
    journal.save(INTENT);
    if (before !== INTENT) journal.save(before);
    const view = {
      height: 80,
      commitReveal: false,
      ownUid: 1,
      lastUpdate: 0,
      rateLimit: 10,
      stored: { uids: [], values: [] },
      hotkeys: [],
    };
    const settled = supersede(before, view) as WeightsRow;
    journal.save(settled);
    assert.deepEqual(journal.load(40), held(before, 'superseded'));
    const newer = intentFor({ ...TARGET, epoch_height: 60 }, { same: null, latest: settled }, 80);
    journal.save(newer);
    assert.deepEqual(journal.latest(), newer);
  }
});

test('a second vector for one height is never journaled', (t) => {
  const journal = weightsJournal(temporaryStore(t).store);
  journal.save(INTENT);
  for (const other of [{ values: [65_535, 8] }, { uids: [2, 6] }, { hotkeys: [key(2), key(6)] }]) {
    assert.throws(() => journal.save({ ...INTENT, ...other }), { code: 'STORE_CONFLICT' });
  }
  assert.deepEqual(journal.load(40), INTENT);
});

test('the target of the newest epoch height survives a restart', (t) => {
  const { store, path } = temporaryStore(t);
  assert.equal(storedTarget(store), null);
  store.weights.putTarget(targetJson(TARGET));
  store.weights.putTarget(targetJson({ ...TARGET, epoch_height: 60 }));
  const other = openStore(path);
  assert.equal(canonicalJson(storedTarget(other)), canonicalJson({ ...TARGET, epoch_height: 60 }));
  other.close();
});

test('people are told when a row changes its state, and not otherwise', () => {
  const outcome = { row: held(INTENT, 'uid_reassigned'), againAtHeight: null };
  assert.deepEqual(weightsEvent(outcome, 'intent'), {
    type: 'weights',
    height: 40,
    state: 'held',
    detail: 'uid_reassigned',
  });
  assert.equal(weightsEvent(outcome, 'held'), null);
});
