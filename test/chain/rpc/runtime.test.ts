import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commitmentOf, singleRaw } from '../../../chain/anchors/index.ts';
import { ChainError } from '../../../chain/errors.ts';
import { buildRuntime } from '../../../chain/rpc/index.ts';
import { bytesOf, itemsOf, safeIntegerOf } from '../../../chain/rpc/values.ts';
import { sharedChainFile } from '../shared.ts';

/** The real runtime's metadata and data made from it; both lie beside the repository. */
const metadataFile = sharedChainFile('subtensor-spec393-metadata-v16.scale');
const vectorsFile = sharedChainFile('timelock-vectors.json');
const options = { skip: metadataFile === null || vectorsFile === null };
const VERSION = { specName: 'node-subtensor', specVersion: 393, transactionVersion: 1 };

interface Vectors {
  readonly deterministic: readonly { readonly ciphertextHex: string }[];
  readonly storagePrefixes: Readonly<Record<string, string>>;
  readonly revealedCommitmentsValue: { readonly scaleHex: string };
  readonly callEncodingsSpec393: {
    readonly setCommitment: { readonly netuid: number; readonly revealRound: number; readonly callHex: string };
    readonly commitTimelockedWeights: {
      readonly netuid: number;
      readonly revealRound: number;
      readonly version: number;
      readonly callHex: string;
    };
  };
}

const spec393 = () => buildRuntime(`0x${readFileSync(metadataFile as string).toString('hex')}`, VERSION);
const vectors = () => JSON.parse(readFileSync(vectorsFile as string, 'utf8')) as Vectors;
const code = (expected: string, field?: string) => (error: unknown) =>
  error instanceof ChainError && error.code === expected && (field === undefined || error.field === field);
const HOTKEY = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';

test('the real runtime: storage keys, calls and values', options, () => {
  const runtime = spec393();
  const { deterministic, storagePrefixes, revealedCommitmentsValue, callEncodingsSpec393 } = vectors();
  const keys: readonly [string, string, readonly unknown[]][] = [
    ['Commitments', 'CommitmentOf', [7, HOTKEY]],
    ['Commitments', 'RevealedCommitments', [7, HOTKEY]],
    ['Commitments', 'TimelockedIndex', []],
    ['Drand', 'Pulses', [1000]],
    ['Drand', 'LastStoredRound', []],
    ['SubtensorModule', 'CommitRevealWeightsEnabled', [7]],
  ];
  for (const [pallet, item, args] of keys) {
    const prefix = storagePrefixes[`${pallet}.${item}`] as string;
    const key = runtime.storage(pallet, item).key(args);
    assert.ok(key.startsWith(prefix) && (args.length > 0 || key === prefix), `${pallet}.${item}`);
  }
  const blob = (index: number) => `0x${deterministic[index]?.ciphertextHex}`;
  const commitment = callEncodingsSpec393.setCommitment;
  const fields = [{ TimelockEncrypted: { encrypted: blob(2), revealRound: commitment.revealRound } }];
  const call = runtime.call('Commitments', 'set_commitment', [commitment.netuid, { fields }]);
  assert.equal(call.toHex(), `0x${commitment.callHex}`);
  const weights = callEncodingsSpec393.commitTimelockedWeights;
  const args = [weights.netuid, blob(5), weights.revealRound, weights.version];
  assert.equal(runtime.call('SubtensorModule', 'commit_timelocked_weights', args).toHex(), `0x${weights.callHex}`);
  const revealed = runtime
    .storage('Commitments', 'RevealedCommitments')
    .decode(`0x${revealedCommitmentsValue.scaleHex}`);
  const [payload, block] = itemsOf(itemsOf(revealed, 'value')[0], 'entry');
  assert.equal(Buffer.from(bytesOf(payload, 'payload')).toString(), '\x14hello');
  assert.equal(safeIntegerOf(block, 'block'), 4242);
});

test('the real runtime: commitments of each kind', options, () => {
  const runtime = spec393();
  // deposit u64, block u32, fields.
  const value = (fields: string) => `0x${'00'.repeat(8)}${'2a000000'}${fields}`;
  const read = (fields: string) => commitmentOf(runtime.storage('Commitments', 'CommitmentOf').decode(value(fields)));
  assert.equal(commitmentOf(runtime.storage('Commitments', 'CommitmentOf').decode(null)), null);
  const raw = read(`04${(1 + 3).toString(16).padStart(2, '0')}aabbcc`);
  assert.equal(raw?.block, 42);
  assert.deepEqual(singleRaw(raw), Uint8Array.of(0xaa, 0xbb, 0xcc));
  assert.deepEqual(singleRaw(read('0401')), new Uint8Array());
  assert.equal(singleRaw(read(`04${(1 + 128).toString(16)}${'cc'.repeat(128)}`))?.length, 128);
  assert.equal(singleRaw(read('00')), null);
  assert.equal(singleRaw(read('0802aa02bb')), null);
  assert.equal(singleRaw(read('0400')), null);
  assert.equal(singleRaw(read('048808aabb')), null);
  assert.equal(singleRaw(read('0487')), null);
  const locked = read('048608aabb0700000000000000');
  assert.deepEqual(locked?.fields, [{ kind: 'timelock', encrypted: Uint8Array.of(0xaa, 0xbb), revealRound: 7n }]);
  assert.equal(singleRaw(locked), null);
});

test('the real runtime can be signed for, and nothing is printed about its extensions', options, (t) => {
  const printed = t.mock.method(console, 'warn', () => {});
  assert.deepEqual(spec393().unsignable, []);
  assert.equal(printed.mock.callCount(), 0);
});

test('what does not decode is RUNTIME_UNKNOWN, never empty', options, () => {
  const runtime = spec393();
  assert.throws(() => runtime.storage('Commitments', 'Nothing'), code('RUNTIME_UNKNOWN', 'Commitments.Nothing'));
  assert.throws(() => runtime.call('Commitments', 'nothing', []), code('RUNTIME_UNKNOWN', 'Commitments.nothing'));
  assert.throws(() => runtime.events('0x04ffff'), code('RUNTIME_UNKNOWN', 'System.Events'));
  assert.deepEqual(runtime.events('0x00'), []);
  const tempo = runtime.storage('SubtensorModule', 'Tempo');
  assert.equal(safeIntegerOf(tempo.decode('0x6801'), 'tempo'), 360);
  assert.equal(safeIntegerOf(tempo.decode(null), 'tempo'), 360);
  assert.throws(() => tempo.decode('0x680100'), code('RUNTIME_UNKNOWN', 'SubtensorModule.Tempo'));
  assert.throws(() => tempo.decode('0x68'), code('RUNTIME_UNKNOWN', 'SubtensorModule.Tempo'));
  assert.throws(() => tempo.key([]), code('RUNTIME_UNKNOWN', 'SubtensorModule.Tempo'));
});

test('bytes that are no metadata are RUNTIME_UNKNOWN', () => {
  for (const bytes of ['0x', '0x6d657461', '0x6d65746163ffff', '0x00112233445566']) {
    assert.throws(() => buildRuntime(bytes as `0x${string}`, VERSION), code('RUNTIME_UNKNOWN', 'metadata'), bytes);
  }
});
