import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standing } from '../../../node/run/head.ts';

test('before a finalized head is known a stored state is of unknown age: nothing is due', () => {
  assert.equal(standing(null, 500), 'unknown');
});

test('before the activation height nothing is due either', () => {
  assert.equal(standing(90, 99), 'ahead');
});

test('duties are done at the head, one block below it too, and never further behind', () => {
  assert.equal(standing(100, 100), 'at_head');
  assert.equal(standing(101, 100), 'at_head');
  assert.equal(standing(102, 100), 'behind');
});
