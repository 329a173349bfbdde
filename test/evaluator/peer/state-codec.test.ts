import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CacheonError } from '../../../config/errors.ts';
import { PeerError, parseFoldState, serializeFoldState } from '../../../evaluator/peer/index.ts';
import { anchorOf, digest, key, World } from './world.ts';

/** A state with something in every list. */
function fullState(): World {
  const world = new World({ stake_samples: 2, epoch_blocks: 2, max_strikes: 1 });
  const policy = { kind: 'policy', consensus_digest: digest('x'), activation_height: 2n ** 64n - 1n } as const;
  world.step({ anchors: [anchorOf(key(9), policy)], owner: key(9) });
  world.openCohort();
  world.anchorAll('attempt');
  while (world.state.phase.kind !== 'ballots') world.step();
  world.ballots([key(1), key(2)], 0n);
  while (world.state.penalties.length === 0) world.step();
  world.step({ proposals: [{ hotkey: key(52), url: 'https://ex.com/2' }] });
  while (world.state.phase.kind !== 'ballots') world.step();
  world.ballots([key(1)], 1n);
  world.ballots([key(2)], 1n, digest('another'));
  return world;
}

const { state } = fullState();
const text = serializeFoldState(state);

function refusal(change: (json: Record<string, unknown>) => void): string | null {
  const json = JSON.parse(text) as Record<string, unknown>;
  change(json);
  try {
    parseFoldState(serializeFoldState(json as unknown as typeof state));
  } catch (error) {
    assert.ok(error instanceof PeerError, String(error));
    return error.field ?? error.message;
  }
  return null;
}

test('every list is in the sample, and the state survives its text', () => {
  assert.ok(state.phase.kind === 'ballots' && state.phase.cohort.ballots.length > 0);
  for (const list of [
    state.queue,
    state.ready,
    state.penalties,
    state.samples,
    state.policy,
    state.phase.cohort.strangers,
  ]) {
    assert.ok(list.length > 0);
  }
  assert.deepEqual(parseFoldState(text), state);
  assert.deepEqual(JSON.parse(JSON.stringify(state)), JSON.parse(text), 'plain JSON');
});

test('unknown, missing, stale and contradictory fields are refused by name', () => {
  assert.equal(
    refusal(() => {}),
    null,
  );
  assert.equal(
    refusal((json) => (json['extra'] = 1)),
    '',
  );
  assert.equal(
    refusal((json) => delete json['queue']),
    'queue',
  );
  assert.equal(
    refusal((json) => (json['schema_version'] = 2)),
    'schema_version',
  );
  assert.equal(
    refusal((json) => (json['height'] = '5')),
    'height',
  );
  assert.equal(
    refusal((json) => (json['consensus'] = {})),
    'consensus',
  );
  assert.equal(
    refusal((json) => (json['consensus_digest'] = digest('x'))),
    'consensus_digest',
  );
  assert.equal(
    refusal((json) => (json['queue'] = [])),
    'phase.cohort.members',
  );
  assert.equal(
    refusal((json) => ((json['ready'] as { hotkey: string }[])[0]!.hotkey = 'x')),
    'ready.0.hotkey',
  );
  assert.throws(() => parseFoldState(` ${text}`), { code: 'FOLD_STATE_MALFORMED' });
});

test('no untyped exception leaves the parser, whatever was written over', () => {
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.string({ maxLength: 3 }), fc.nat(4), (at, insert, cut) => {
      const changed = text.slice(0, at) + insert + text.slice(at + cut);
      try {
        assert.equal(serializeFoldState(parseFoldState(changed)), changed);
      } catch (error) {
        assert.ok(error instanceof CacheonError, String(error));
      }
    }),
    { numRuns: 200 },
  );
  fc.assert(
    fc.property(fc.json(), (json) => {
      assert.throws(() => parseFoldState(json), PeerError);
    }),
  );
});
