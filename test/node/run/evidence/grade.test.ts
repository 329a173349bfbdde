import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalBytes, canonicalJson, sha256Hex } from '../../../../evaluator/identity/index.ts';
import { type GradeDependencies, gradeReceipt } from '../../../../node/run/evidence/grade.ts';
import { FAST } from '../../../native/qualify/support/fake.ts';
import { publish, tryBundle } from '../../../native/qualify/support/result.ts';
import { bundle, makeWorld } from '../../../native/qualify/support/world.ts';
import { bundlesOf, counted, type Disk, disk, grading, heldBlobs, ledgerOf, never, packOf } from '../support.ts';

const world = makeWorld();
const trial = await tryBundle(world, bundle(), FAST);
const ledger = ledgerOf(world);
const FILES = trial.qualified.files;

function noGrading({ store }: Disk): void {
  assert.deepEqual(store.gradings.ofCohort(trial.context.cohortIndex), []);
}

test("another author's result is fetched, regraded with T run again, and stored with its qualification", async (t) => {
  const d = await disk(t);
  const { receipt, served } = counted(trial);
  const grade = await gradeReceipt(receipt, ledger, grading(d, trial, served), never);
  assert.equal(grade.graded.result, 'PASS');
  assert.equal(grade.reason, null);
  assert.equal(
    canonicalJson(d.store.gradings.get(receipt.cohort_index, receipt.place, receipt.receipt_digest)),
    canonicalJson(grade),
  );
  const proof = grade.qualification as { attempt: unknown; qualification: { qualification_report_digest: string } };
  assert.deepEqual(canonicalBytes(proof.attempt), FILES.find((file) => file.name === 'attempt.json')?.bytes);
  assert.equal(proof.qualification.qualification_report_digest, receipt.receipt_digest);
  for (const digest of served.keys()) assert.equal(await d.blobs.has(digest), true, 'every byte is durable here');
  assert.equal(await d.bundles.has(receipt.reservation.content_hash), true);
});

test('any missing byte leaves no grading, and the same result is graded once it is there', async (t) => {
  const d = await disk(t);
  const { receipt, served } = counted(trial);
  const all = [...served];
  const there = new Map<string, Uint8Array>();
  const dependencies = grading(d, trial, there);
  for (const [digest, bytes] of all) {
    await assert.rejects(gradeReceipt(receipt, ledger, dependencies, never));
    noGrading(d);
    there.set(digest, bytes);
  }
  assert.equal((await gradeReceipt(receipt, ledger, dependencies, never)).graded.result, 'PASS');
});

test('a bundle that nobody delivers leaves no grading', async (t) => {
  const d = await disk(t);
  const { receipt, served } = counted(trial);
  await assert.rejects(gradeReceipt(receipt, ledger, grading(d, trial, served, { bundles: bundlesOf(d) }), never));
  noGrading(d);
});

test('a lane that fails while T is run again leaves no grading: a wait, never a verdict', async (t) => {
  const d = await disk(t);
  const { receipt, served } = counted(trial);
  await assert.rejects(gradeReceipt(receipt, ledger, grading(d, trial, served, { own: 'fails' }), never), /no lane/);
  noGrading(d);
});

test('T is not run again for an own result, whose grades come from this host', async (t) => {
  const d = await disk(t);
  const { receipt, served } = counted(trial, { own: true });
  const grade = await gradeReceipt(receipt, ledger, grading(d, trial, served, { own: 'fails' }), never);
  assert.equal(grade.graded.result, 'PASS');
});

test('T that says otherwise about the tokens makes the result INVALID, with the reason', async (t) => {
  const d = await disk(t);
  const { receipt, served } = counted(trial);
  const dependencies: GradeDependencies = {
    ...grading(d, trial, served),
    gradeTrajectory: async (sequences) =>
      sequences.map(({ tokens }) => tokens.map((token) => ({ best: (token + 1) % 256, bestLogit: 9, tokenLogit: 1 }))),
  };
  const grade = await gradeReceipt(receipt, ledger, dependencies, never);
  assert.equal(grade.graded.result, 'INVALID');
  assert.match(grade.reason ?? '', /^REFERENCE: /);
  assert.equal(grade.qualification, null);
});

test("a lie is INVALID with its reason, and holding it is what the author's ballot asks for", async (t) => {
  const d = await disk(t);
  const { receipt, served } = counted(trial, {}, publish(trial, FILES, { speedup: '9' }));
  const grade = await gradeReceipt(receipt, ledger, grading(d, trial, served), never);
  assert.deepEqual([grade.graded.result, grade.graded.speedup, grade.qualification], ['INVALID', null, null]);
  assert.match(grade.reason ?? '', /^VERDICT: /);
});

test('the same bytes counted at another place are not what was committed there', async (t) => {
  const d = await disk(t);
  const { receipt, served } = counted(trial, { place: 3 });
  const grade = await gradeReceipt(receipt, ledger, grading(d, trial, served), never);
  assert.equal(grade.graded.result, 'INVALID');
  assert.equal(d.store.gradings.get(receipt.cohort_index, trial.context.place, receipt.receipt_digest), null);
});

test('a file larger than the root says is never taken: no author can make others hold more than a result', async (t) => {
  const d = await disk(t);
  const big = Buffer.alloc(5_000, 7);
  const published = publish(trial);
  const name = 'log.json';
  // A root that declares one byte of a blob that has many.
  const rows = FILES.map((file) => ({
    media_type: file.mediaType,
    name: file.name,
    sha256: file.name === name ? sha256Hex(big) : sha256Hex(file.bytes),
    size: file.name === name ? 1 : file.bytes.length,
  })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const root = canonicalBytes(rows);
  const honest = JSON.parse(Buffer.from(published.statement).toString()) as {
    subject: { digest: { sha256: string } }[];
  };
  (honest.subject[0] as { digest: { sha256: string } }).digest.sha256 = sha256Hex(root);
  const statement = canonicalBytes(honest);
  const blobs = new Map(published.blobs).set(sha256Hex(root), root).set(sha256Hex(big), big);
  const { receipt, served } = counted(trial, {}, { statement, blobs });
  const asked = new Map<string, number>();
  const held = heldBlobs(d, {
    fetchBlob: async (digest, maxBytes) => {
      asked.set(digest, maxBytes);
      const bytes = served.get(digest);
      if (bytes === undefined || bytes.length > maxBytes) throw new Error('too large');
      return bytes;
    },
  });
  await assert.rejects(gradeReceipt(receipt, ledger, grading(d, trial, served, { blobs: held }), never), /too large/);
  noGrading(d);
  assert.equal(asked.get(sha256Hex(big)), 1);
  assert.ok((asked.get(sha256Hex(root)) ?? Number.POSITIVE_INFINITY) <= 1024 * 1024);
  for (const row of rows) {
    const bound = asked.get(row.sha256);
    if (bound !== undefined) assert.equal(bound, row.size, row.name);
  }
});

test('the author is asked first, and peers before the miner: a host that drips costs no ballot', async (t) => {
  const d = await disk(t);
  const { receipt, served } = counted(trial);
  const asked: string[] = [];
  const bundles = bundlesOf(d, {
    fromPeers: async (_hash, prefer) => {
      asked.push(`peers ${prefer.join()}`);
      return packOf(trial.files);
    },
    fromMiner: async () => {
      asked.push('miner');
      return [...trial.files];
    },
  });
  await gradeReceipt(receipt, ledger, grading(d, trial, served, { bundles }), never);
  assert.deepEqual(asked, [`peers ${receipt.hotkey}`]);
});

test('a stored grading is returned as it is, without any bytes', async (t) => {
  const d = await disk(t);
  const { receipt, served } = counted(trial);
  const first = await gradeReceipt(receipt, ledger, grading(d, trial, served), never);
  const again = await gradeReceipt(receipt, ledger, grading(d, trial, new Map()), never);
  assert.equal(canonicalJson(again), canonicalJson(first));
});

test('two nodes that got their bytes in another order and from elsewhere store the same grading', async (t) => {
  const { receipt, served } = counted(trial);
  const a = await disk(t);
  const b = await disk(t);
  await a.bundles.put(trial.files);
  for (const bytes of served.values()) await a.blobs.put(bytes);
  const one = await gradeReceipt(receipt, ledger, grading(a, trial, new Map()), never);
  const bundles = bundlesOf(b, { fromMiner: async () => [...trial.files].reverse() });
  const two = await gradeReceipt(receipt, ledger, grading(b, trial, served, { bundles }), never);
  assert.equal(canonicalJson(two), canonicalJson(one));
});
