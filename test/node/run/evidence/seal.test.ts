import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Hex } from '../../../../evaluator/identity/index.ts';
import type { FoldState } from '../../../../evaluator/peer/index.ts';
import { Seals } from '../../../../node/run/evidence/seal.ts';
import type { BlobKind } from '../../../../node/store/index.ts';
import { temporaryStore } from '../../store/support.ts';

type Seen = Pick<FoldState, 'phase' | 'next_index'>;

/** What seals read of a state in which cohort 4, drawn at height 100, is open, has opened, or is over. */
function state(kind: 'measuring' | 'ballots' | 'idle' | 'drawing', index = 4): Seen {
  const cohort = { index, assignment_block: 100 };
  const phase = kind === 'measuring' || kind === 'ballots' ? { kind, cohort, opening_height: 130 } : { kind };
  return { phase, next_index: index + 1 } as unknown as Seen;
}

const [a, b, c] = ['a', 'b', 'c'].map((name) => sha256Hex(name)) as [string, string, string];

test('what is sealed is not shown before its cohort has opened, and everything else is', () => {
  const seals = new Seals();
  seals.seal(4, a);
  seals.follow(state('measuring'));
  assert.equal(seals.mayServe(a), false);
  assert.equal(seals.mayServe(b), true);
  seals.follow(state('ballots'));
  assert.equal(seals.mayServe(a), true);
});

test('a cohort opens even if its ballots were over before anybody looked', () => {
  for (const kind of ['idle', 'drawing'] as const) {
    const seals = new Seals();
    seals.seal(4, a);
    seals.follow(state(kind));
    assert.equal(seals.mayServe(a), true, kind);
  }
  const seals = new Seals();
  seals.seal(4, a);
  seals.seal(5, b);
  seals.follow(state('measuring', 5));
  assert.equal(seals.mayServe(a), true);
  assert.equal(seals.mayServe(b), false);
});

test('a digest of an open and of a closed cohort stays sealed', () => {
  const seals = new Seals();
  seals.seal(4, a);
  seals.seal(5, a);
  seals.follow(state('measuring', 5));
  assert.equal(seals.mayServe(a), false);
});

test('after a crash everything stored since the draw is sealed again, of an unfinished result too', (t) => {
  const { store } = temporaryStore(t);
  const add = (sha256: string, kind: BlobKind, created_height: number): void =>
    store.blobs.add({ sha256, size: 1, kind, created_height });
  // No attempt names them: the process died before it could record the receipt.
  add(a, 'evidence-file', 107);
  add(b, 'evidence-file', 99);
  add(c, 'binding', 107);
  const seals = new Seals();
  seals.reseal(state('measuring'), store);
  assert.equal(seals.mayServe(a), false);
  assert.equal(seals.mayServe(b), true, 'of the cohort before');
  assert.equal(seals.mayServe(c), true, 'a binding is no result');
  seals.follow(state('ballots'));
  assert.equal(seals.mayServe(a), true);
});

test('after a restart in any other phase nothing is sealed', (t) => {
  const { store } = temporaryStore(t);
  store.blobs.add({ sha256: a, size: 1, kind: 'statement', created_height: 107 });
  for (const kind of ['ballots', 'idle', 'drawing'] as const) {
    const seals = new Seals();
    seals.reseal(state(kind), store);
    assert.equal(seals.mayServe(a), true, kind);
  }
});
