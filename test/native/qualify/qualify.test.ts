import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Hex } from '../../../evaluator/identity/index.ts';
import { formCandidate, type Qualification } from '../../../evaluator/settle/index.ts';
import { LaneError } from '../../../native/lane/index.ts';
import type { Prebuild } from '../../../native/lane/types.ts';
import { type Behaviour, FAST, fakePrebuild, plainToken } from './support/fake.ts';
import { jsonOf, publish, regradeTrial, summary, tryBundle } from './support/result.ts';
import { bundle, makeWorld } from './support/world.ts';

const world = makeWorld();
const COPY: Behaviour = { nsPerPosition: { baseline: 8_000, candidate: 8_000, reference: 8_000 } };

async function verdictOf(behaviour: Behaviour, options: Parameters<typeof tryBundle>[3] = {}): Promise<string> {
  const trial = await tryBundle(world, bundle(), behaviour, options);
  assert.equal(trial.lanes.living, 0, 'every lane is closed');
  assert.equal(trial.clock.pending, 0, 'the deadline is cancelled');
  const { result, reason, speedup } = trial.qualified;
  const text = `${result} ${reason} ${speedup}`;
  assert.equal(summary(regradeTrial(trial)), text, 'regrade agrees');
  return text;
}

test('a kernel twice as fast passes with its ratio, and regrade makes a qualification of it', async () => {
  const trial = await tryBundle(world, bundle(), FAST);
  assert.equal(await verdictOf(FAST), 'PASS null 2');
  const outcome = regradeTrial(trial);
  assert.ok(outcome.status === 'graded' && outcome.qualification !== null);
  assert.equal(outcome.qualification.speedup, '2');
  assert.equal(outcome.qualification.qualification_attempt_digest, trial.attemptDigest);
  assert.equal(outcome.graded.target_id, 'linear.matmul');
});

test('a copy of stock is too slow, and T is never asked', async () => {
  assert.equal(await verdictOf(COPY), 'FAIL too_slow null');
  const trial = await tryBundle(world, bundle(), COPY);
  assert.ok(!trial.lanes.opened.some((row) => row.role === 'reference'));
});

test('sides exchange the lane slots', async () => {
  for (const [place, baseline, candidate] of [
    [0, 0, 1],
    [1, 1, 0],
  ] as const) {
    const { lanes, qualified } = await tryBundle(world, bundle(), FAST, { place });
    assert.equal(qualified.result, 'PASS');
    for (const { role, spec } of lanes.opened) {
      assert.equal(spec.slotIndex, role === 'candidate' ? candidate : baseline);
    }
  }
});

test('the two sides of one member form a settlement pair', async () => {
  const passes = await Promise.all(
    [0, 1].map(async (place) => {
      const trial = await tryBundle(world, bundle(), FAST, { place, secret: Buffer.alloc(32, place + 1) });
      const outcome = regradeTrial(trial);
      assert.ok(outcome.status === 'graded' && outcome.qualification !== null);
      return outcome.qualification;
    }),
  );
  const [primary, reproduction] = passes as [Qualification, Qualification];
  formCandidate(primary, reproduction);
  assert.throws(() => formCandidate(primary, primary), { code: 'PAIR_REUSED' });
});

test('every pair has fresh processes, and no process is given a prompt twice', async () => {
  const given = new Map<number, string[]>();
  const behaviour: Behaviour = {
    ...FAST,
    given: (lane, prompt) => given.set(lane, [...(given.get(lane) ?? []), prompt]),
  };
  const { lanes } = await tryBundle(world, bundle(), behaviour);
  assert.deepEqual(
    lanes.opened.map((row) => row.role),
    ['candidate', 'candidate', 'baseline', 'candidate', 'baseline', 'candidate', 'baseline', 'candidate', 'reference'],
  );
  assert.equal(given.size, 6);
  for (const prompts of given.values()) assert.equal(new Set(prompts).size, prompts.length);
});

test('a wrong kernel fails in the audit, before anything is timed', async () => {
  const wrong: Behaviour = {
    ...FAST,
    audit: (_call, honest, i) => {
      if (i === 4) honest.output[0] = (honest.output[0] as number) + 1;
      return honest;
    },
  };
  assert.equal(await verdictOf(wrong), 'FAIL audit_mismatch null');
  const trial = await tryBundle(world, bundle(), wrong);
  assert.ok(!trial.lanes.opened.some((row) => row.role === 'baseline'));
  assert.deepEqual(jsonOf(trial.qualified.files, 'audit.json')['mismatch'], { index: 4, kind: 'tolerance' });
});

test('NaN, changed surroundings and results that differ in a fresh lane are audit mismatches', async () => {
  const nan: Behaviour = {
    ...FAST,
    audit: (_call, honest, i) => {
      if (i === 2) honest.output[0] = Number.NaN;
      return honest;
    },
  };
  assert.equal(await verdictOf(nan), 'FAIL audit_mismatch null');
  const unclean: Behaviour = { ...FAST, audit: (_c, honest, i) => ({ ...honest, clean: i !== 3 }) };
  assert.equal(await verdictOf(unclean), 'FAIL audit_mismatch null');
  const stateful: Behaviour = {
    ...FAST,
    audit: (_call, honest, _i, lane) => {
      if (lane === 1) honest.output[0] = Math.fround((honest.output[0] as number) * 1.000001);
      return honest;
    },
  };
  assert.equal(await verdictOf(stateful), 'FAIL audit_mismatch null');
});

test('a kernel that is right in the audit and wrong in the timed blocks fails by its tokens', async () => {
  const late: Behaviour = {
    ...FAST,
    token: (role, prompt, position) => (plainToken(prompt, position) + (role === 'candidate' ? 1 : 0)) % 256,
  };
  assert.equal(await verdictOf(late), 'FAIL reference_mismatch null');
});

test('a single wrong token of a prompt that nobody selected is found: all sequences are compared with B', async () => {
  const { qualified } = await tryBundle(world, bundle(), FAST);
  const selected = new Set(jsonOf(qualified.files, 'selection.json')['selected_prompt_digests'] as string[]);
  const once: Behaviour = {
    ...FAST,
    token: (role, prompt, position) => {
      const wrong = role === 'candidate' && position === 250 && !selected.has(sha256Hex(Uint8Array.from(prompt)));
      return (plainToken(prompt, position) + (wrong ? 1 : 0)) % 256;
    },
  };
  assert.equal(await verdictOf(once), 'FAIL reference_mismatch null');
});

test('a kernel whose answers depend on how often it was called refutes itself, and T is not needed', async () => {
  let generated = 0;
  const counting: Behaviour = {
    ...FAST,
    before: (role, request) => {
      if (role === 'candidate' && request === 'open') generated = 0;
      if (role === 'candidate' && request === 'generate') generated++;
    },
    token: (role, prompt, position) =>
      (plainToken(prompt, position) + (role === 'candidate' && generated > 40 ? 1 : 0)) % 256,
  };
  assert.equal(await verdictOf(counting), 'FAIL reference_mismatch null');
  const { lanes } = await tryBundle(world, bundle(), counting);
  assert.ok(!lanes.opened.some((row) => row.role === 'reference'));
});

test('tokens of another count or range are the fault of whose lane it was', async () => {
  const short = (who: string): Behaviour => ({
    ...FAST,
    decoded: (role, tokens) => (role === who ? tokens.map((row) => row.slice(1)) : tokens),
  });
  assert.equal(await verdictOf(short('candidate')), 'FAIL crashed null');
  assert.equal(await verdictOf(short('baseline')), 'NO_DECISION infrastructure null');
  const range: Behaviour = { ...FAST, decoded: (r, rows) => (r === 'candidate' ? rows.map((x) => x.fill(256)) : rows) };
  assert.equal(await verdictOf(range), 'FAIL crashed null');
});

test("a lane's end is FAIL only if it was the candidate's lane and its fault", async () => {
  for (const request of ['open', 'audit', 'generate', 'grade'] as const) {
    for (const who of ['candidate', 'baseline', 'reference'] as const) {
      for (const fault of ['candidate', 'infrastructure'] as const) {
        let thrown = false;
        const behaviour: Behaviour = {
          ...FAST,
          before: (role, what) => {
            if (role !== who || what !== request) return;
            thrown = true;
            throw new LaneError('CRASHED', 'gone', { fault });
          },
        };
        const verdict = await verdictOf(behaviour);
        const expected =
          who === 'candidate' && fault === 'candidate' ? 'FAIL crashed null' : 'NO_DECISION infrastructure null';
        assert.equal(verdict, thrown ? expected : 'PASS null 2', `${request} ${who} ${fault}`);
      }
    }
  }
});

test('a local error in the middle of a run is never FAIL', async () => {
  const broken: Behaviour = {
    ...FAST,
    before: (role, what) => {
      if (role === 'candidate' && what === 'generate') throw new TypeError('a bug');
    },
  };
  assert.equal(await verdictOf(broken), 'NO_DECISION infrastructure null');
});

test('the deadline is FAIL while the candidate works and NO_DECISION while the host does', async () => {
  const slow = (role: 'candidate' | 'baseline' | 'reference'): Behaviour => ({
    nsPerPosition: { ...FAST.nsPerPosition, [role]: 60_000_000_000 },
  });
  assert.equal(await verdictOf(slow('candidate')), 'FAIL deadline null');
  assert.equal(await verdictOf(slow('baseline')), 'NO_DECISION infrastructure null');
  assert.equal(await verdictOf(slow('reference')), 'NO_DECISION infrastructure null');
});

test('a deadline in the middle of the timed blocks keeps the record so far', async () => {
  let blocks = 0;
  const creeping: Behaviour = {
    ...FAST,
    before: (role, request, lane, clock) => {
      if (role === 'candidate' && request === 'generate' && lane === 5) blocks++;
      if (blocks === 39) clock.advance(60_000_000_000n);
    },
  };
  const trial = await tryBundle(world, bundle(), creeping);
  assert.equal(`${trial.qualified.result} ${trial.qualified.reason}`, 'FAIL deadline');
  assert.equal(summary(regradeTrial(trial)), 'FAIL deadline null');
  const blocksFile = jsonOf(trial.qualified.files, 'blocks.json') as unknown as { pairs: number[][][] };
  assert.equal(blocksFile.pairs.length, 2);
  assert.ok((jsonOf(trial.qualified.files, 'log.json')['elapsed_ms'] as number) >= 45_000);
});

test('a build that fails is the candidate’s fault only for the candidate’s rows', async () => {
  const failing =
    (fault: 'candidate' | 'infrastructure'): Prebuild['build'] =>
    async () => ({ ok: false, fault, detail: 'no' });
  assert.equal(
    await verdictOf(FAST, { dependencies: { prebuild: { build: failing('candidate') } } }),
    'FAIL build_failed null',
  );
  assert.equal(
    await verdictOf(FAST, { dependencies: { prebuild: { build: failing('infrastructure') } } }),
    'NO_DECISION infrastructure null',
  );
  assert.equal(
    await verdictOf(FAST, { dependencies: { prebuild: { build: () => Promise.reject(new Error('disk')) } } }),
    'NO_DECISION infrastructure null',
  );
});

test('a caller that gives up gets no result', async () => {
  const controller = new AbortController();
  const behaviour: Behaviour = {
    ...FAST,
    before: (role, what) => {
      if (role === 'candidate' && what === 'generate') controller.abort(new Error('shutting down'));
    },
  };
  await assert.rejects(tryBundle(world, bundle(), behaviour, { signal: controller.signal }), /shutting down/);
});

test('everything runs inside the timing lock, and the wait for it is not counted', async () => {
  let held = false;
  const behaviour: Behaviour = { ...FAST, before: () => assert.ok(held) };
  const prebuild: Prebuild = {
    build: (row, signal) => {
      assert.ok(held);
      return fakePrebuild.build(row, signal);
    },
  };
  const trial = await tryBundle(world, bundle(), behaviour, {
    dependencies: {
      prebuild,
      withTimingLock: async (work) => {
        held = true;
        try {
          return await work();
        } finally {
          held = false;
        }
      },
    },
  });
  assert.equal(trial.qualified.result, 'PASS');
});

test('a host with another runtime refuses to measure', async () => {
  const runtime = { node: '25.0.0', v8: '1', platform: 'linux', arch: 'x64', compiler: 'as@1' };
  await assert.rejects(tryBundle(world, bundle(), FAST, { dependencies: { runtime } }), { code: 'RUNTIME_DIFFERS' });
});

test('a refused or unavailable bundle makes small evidence that regrades', async () => {
  const refused = bundle('x', 'linear.matmul', 'setup="boot"\n');
  const trial = await tryBundle(world, refused, FAST, { state: { state: 'refused', detail: 'FEATURE' } });
  assert.equal(trial.qualified.files.length, 3);
  assert.equal(summary(regradeTrial(trial)), 'FAIL bundle_refused null');
  assert.equal(summary(regradeTrial(trial, publish(trial), { bundle: null })), 'missing 0 true');

  const gone = await tryBundle(world, bundle(), FAST, { state: { state: 'unavailable', detail: 'no peer has it' } });
  assert.equal(summary(regradeTrial(gone, publish(gone), { bundle: null })), 'NO_DECISION bytes_unavailable null');
});

test('progress tells the stages and the speedup so far', async () => {
  const { progress } = await tryBundle(world, bundle(), FAST);
  assert.deepEqual(
    progress.map((row) => `${row.stage} ${row.pairs} ${row.speedup}`),
    ['build 0 null', 'audit 0 null', 'timed 1 2', 'timed 2 2', 'timed 3 2', 'reference 3 2'],
  );
});
