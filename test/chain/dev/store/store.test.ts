import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthoredBlock } from '../../../../chain/dev/block/index.ts';
import type { StateChange } from '../../../../chain/dev/storage/index.ts';
import { ChainStore } from '../../../../chain/dev/store/index.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
const change = (key: string, value: string | null): StateChange => ({
  key: bytes(key),
  value: value === null ? null : bytes(value),
});

function block(number: number, ...changes: StateChange[]): AuthoredBlock {
  const filler = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
  const header = { number, parentHash: filler(number), stateRoot: filler(0), extrinsicsRoot: filler(0) };
  return { header, hash: filler(number + 1), extrinsics: [bytes('one'), bytes('two')], changes };
}

function filledStore(): ChainStore {
  const store = new ChainStore(':memory:');
  store.commit(block(0, change('a1', 'old'), change('a2', 'kept'), change('b', 'other')), 0);
  store.commit(block(1, change('a1', 'new')), 0);
  store.commit(block(2, change('a2', null), change('a3', 'late')), 1);
  return store;
}

const read = (store: ChainStore, height: number, key: string): string | null => {
  const value = store.stateAt(height).read(bytes(key));
  return value === null ? null : Buffer.from(value).toString();
};

test('each height has its own state, and a removed key is none from its removal on', () => {
  const store = filledStore();
  assert.deepEqual(
    [0, 1, 2].map((height) => read(store, height, 'a1')),
    ['old', 'new', 'new'],
  );
  assert.deepEqual(
    [0, 1, 2].map((height) => read(store, height, 'a2')),
    ['kept', 'kept', null],
  );
  assert.deepEqual(
    [0, 1, 2].map((height) => read(store, height, 'a3')),
    [null, null, 'late'],
  );
});

test('keys are listed by prefix, in order, from behind a key, as they were at a height', () => {
  const store = filledStore();
  const keys = (height: number, prefix: string, after = '', count = 10): string[] =>
    store.keysAt(height, bytes(prefix), bytes(after), count).map((key) => Buffer.from(key).toString());
  assert.deepEqual(keys(1, 'a'), ['a1', 'a2']);
  assert.deepEqual(keys(2, 'a'), ['a1', 'a3']);
  assert.deepEqual(keys(2, 'a', 'a1'), ['a3']);
  assert.deepEqual(keys(2, ''), ['a1', 'a3', 'b']);
  assert.deepEqual(keys(2, '', '', 2), ['a1', 'a3']);
  assert.deepEqual(keys(2, 'a1'), ['a1'], 'a key is a prefix of itself');
});

test('pruning removes what no kept height can see, and nothing else', () => {
  const store = filledStore();
  store.prune(1);
  assert.equal(read(store, 0, 'a1'), null);
  assert.deepEqual(
    [1, 2].map((height) => read(store, height, 'a1')),
    ['new', 'new'],
  );
  assert.deepEqual(
    [1, 2].map((height) => read(store, height, 'a2')),
    ['kept', null],
  );
});

test('a block comes back as it was stored; one that cannot be stored leaves nothing', () => {
  const store = filledStore();
  const { changes: _, ...stored } = block(1);
  assert.deepEqual(store.block(1), stored);
  assert.equal(store.heightOf(stored.hash), 1);
  assert.equal(store.finalizedHeight(), 1);
  const twice = change('a9', 'x');
  assert.throws(() => store.commit(block(3, twice, twice), 3));
  assert.equal(store.head()?.header.number, 2);
  assert.equal(read(store, 3, 'a9'), null);
  assert.equal(store.finalizedHeight(), 1);
});
