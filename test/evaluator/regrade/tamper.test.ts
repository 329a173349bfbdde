import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { EvidenceFile } from '../../../evaluator/evidence/index.ts';
import { canonicalBytes } from '../../../evaluator/identity/index.ts';
import type { RegradeOutcome } from '../../../evaluator/regrade/index.ts';
import { type Behaviour, FAST } from '../../native/qualify/support/fake.ts';
import { publish, regradeTrial, type Trial, tryBundle } from '../../native/qualify/support/result.ts';
import { bundle, makeWorld } from '../../native/qualify/support/world.ts';

const world = makeWorld();
const WRONG: Behaviour = { ...FAST, audit: (_c, honest, i) => ({ ...honest, clean: i !== 5 }) };
const TOKENS: Behaviour = {
  ...FAST,
  token: (role, prompt, at) => ((prompt[0] as number) + (role === 'candidate' ? 1 : 0) + at) % 256,
};
const COPY: Behaviour = { nsPerPosition: { baseline: 8_000, candidate: 8_000, reference: 8_000 } };

/** One trial of every kind of ending. */
const trials = await Promise.all([FAST, WRONG, TOKENS, COPY].map((behaviour) => tryBundle(world, bundle(), behaviour)));

const honest = new Map(trials.map((trial): [Trial, RegradeOutcome] => [trial, regradeTrial(trial)]));

/** A tampered result is INVALID, or the tampering changed nothing of what counts. */
function checkTampered(trial: Trial, files: readonly EvidenceFile[], what: string): void {
  const before = honest.get(trial) as RegradeOutcome;
  const after: RegradeOutcome = regradeTrial(trial, publish(trial, files));
  if (after.status === 'invalid') return;
  assert.equal(after.status, 'graded', what);
  assert.ok(before.status === 'graded' && after.status === 'graded');
  assert.deepEqual(after.graded, before.graded, what);
  assert.equal(after.reason, before.reason, what);
}

function replaced(trial: Trial, index: number, bytes: Uint8Array): EvidenceFile[] {
  return trial.qualified.files.map((file, i) => (i === index ? { ...file, bytes } : file));
}

test('a changed byte of any evidence file makes a result INVALID or changes nothing', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...trials),
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (trial, file, position, flip) => {
        const index = file % trial.qualified.files.length;
        const original = trial.qualified.files[index] as EvidenceFile;
        const bytes = Uint8Array.from(original.bytes);
        const at = position % bytes.length;
        bytes[at] = (bytes[at] as number) ^ flip;
        checkTampered(trial, replaced(trial, index, bytes), `${original.name} byte ${at}`);
      },
    ),
    { numRuns: 60 },
  );
});

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Paths of every leaf of a JSON value. */
function leaves(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const rows: [string | number, Json][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return rows.flatMap(([key, member]) => leaves(member, [...path, key]));
}

function changedLeaf(leaf: Json, delta: number): Json {
  if (typeof leaf === 'number') return Math.max(0, leaf + delta);
  if (typeof leaf === 'boolean') return !leaf;
  if (leaf === null) return 'f'.repeat(64);
  if (typeof leaf !== 'string') return leaf;
  const last = leaf.at(-1);
  return leaf.slice(0, -1) + (last === '7' ? '8' : '7');
}

test('a changed value of any evidence file, still canonical, makes a result INVALID or changes nothing', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...trials),
      fc.nat(),
      fc.nat(),
      fc.constantFrom(-1, 1, 1_000_000, -3_000_000),
      (trial, file, which, delta) => {
        const json = trial.qualified.files.flatMap((row, i) => (row.name.endsWith('.json') ? [i] : []));
        const index = json[file % json.length] as number;
        const original = trial.qualified.files[index] as EvidenceFile;
        const value = JSON.parse(Buffer.from(original.bytes).toString('utf8')) as Json;
        const paths = leaves(value);
        const path = paths[which % paths.length] as (string | number)[];
        let at = value as Record<string | number, Json>;
        for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, Json>;
        const key = path.at(-1) as string | number;
        at[key] = changedLeaf(at[key] as Json, delta);
        checkTampered(trial, replaced(trial, index, canonicalBytes(value)), `${original.name} ${path.join('.')}`);
      },
    ),
    { numRuns: 100 },
  );
});

test('a file left out, added or renamed makes a result INVALID', () => {
  for (const trial of trials) {
    const { files } = trial.qualified;
    for (const [i, file] of files.entries()) {
      const outcome = regradeTrial(trial, publish(trial, files.toSpliced(i, 1)));
      assert.equal(outcome.status, 'invalid', `${trial.qualified.reason} without ${file.name}`);
    }
    const extra: EvidenceFile = {
      name: 'outputs/9999.bin',
      bytes: new Uint8Array(4),
      mediaType: 'application/octet-stream',
    };
    assert.equal(regradeTrial(trial, publish(trial, [...files, extra])).status, 'invalid');
  }
});

test('no claim but the true one is accepted for the evidence of any ending', () => {
  const reasons = ['bundle_refused', 'build_failed', 'audit_mismatch', 'reference_mismatch', 'too_slow', 'deadline'];
  const claims = [
    ...['1.5', '2', '2.0000000000000004', '16'].map((speedup) => ({ result: 'PASS', reason: null, speedup })),
    ...[...reasons, 'crashed'].map((reason) => ({ result: 'FAIL', reason, speedup: null })),
    ...['bytes_unavailable', 'infrastructure', 'inconclusive'].map((reason) => ({
      result: 'NO_DECISION',
      reason,
      speedup: null,
    })),
  ];
  for (const trial of trials) {
    const { result, reason, speedup } = trial.qualified;
    for (const claim of claims) {
      const outcome = regradeTrial(trial, publish(trial, trial.qualified.files, claim));
      const isTrue = claim.result === result && claim.reason === reason && claim.speedup === speedup;
      assert.equal(outcome.status, isTrue ? 'graded' : 'invalid', `${reason} claimed as ${JSON.stringify(claim)}`);
    }
  }
});
