import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveBundle } from '../../../evaluator/bundle/index.ts';
import { sha256Hex, type TreeFile } from '../../../evaluator/identity/index.ts';
import { materializeWasmTree, type TreeContribution, TreeError, treeDigest } from '../../../evaluator/tree/index.ts';

const TARGET = { target_id: 't', kind: 'slot', members: ['t'], allowed_features: ['entry', 'wasm_sources'] } as const;

function contribution(id: string, source: string): TreeContribution {
  const manifest = `bundle_id="b"\nabi_version="cacheon-wasm-abi-v1"\n[[ops]]\nslot="${id}"\nsource="k.ts"\nentry="run"\n`;
  const files: TreeFile[] = [
    { path: 'manifest.toml', data: Buffer.from(manifest) },
    { path: 'k.ts', data: Buffer.from(source) },
  ];
  const bundle = resolveBundle(files, [{ ...TARGET, target_id: id, members: [id] }]);
  return {
    targetId: id,
    targetSpecDigest: sha256Hex(`spec ${id}`),
    contributionRefDigest: sha256Hex(`ref ${id}`),
    selectedDeltaDigest: sha256Hex(`delta ${id}`),
    selectedPayloadDigest: bundle.payloadDigest,
    sourceDigest: sha256Hex(`source ${id}`),
    sourceKind: 'proposal_artifact',
    bundle,
  };
}

test('source keeps its bytes under the namespace of its delta, and the order of contributions is no input', () => {
  const [a, b] = [contribution('a', 'one'), contribution('b', 'two')];
  const tree = materializeWasmTree(sha256Hex('stack'), [a, b]);
  const source = tree.files.find((file) => file.path === `wasm/cacheon_c_${a.selectedDeltaDigest}/k.ts`);
  assert.equal(Buffer.from(source?.data ?? []).toString(), 'one');
  assert.equal(materializeWasmTree(sha256Hex('stack'), [b, a]).digest, tree.digest);
  assert.equal(treeDigest([...tree.files].reverse()), tree.digest);
});

test('any byte, name or stack changes the tree digest', () => {
  const tree = materializeWasmTree(sha256Hex('stack'), [contribution('a', 'one')]);
  assert.notEqual(materializeWasmTree(sha256Hex('other'), [contribution('a', 'one')]).digest, tree.digest);
  assert.notEqual(materializeWasmTree(sha256Hex('stack'), [contribution('a', 'onE')]).digest, tree.digest);
  for (const [i, file] of tree.files.entries()) {
    const data = Uint8Array.from(file.data);
    data[0] = (data[0] as number) ^ 1;
    assert.notEqual(treeDigest(tree.files.with(i, { ...file, data })), tree.digest);
    assert.notEqual(treeDigest(tree.files.with(i, { ...file, path: `${file.path}x` })), tree.digest);
  }
});

test('an empty stack has a tree of its own: the inventory alone', () => {
  const tree = materializeWasmTree(sha256Hex('stack'), []);
  assert.deepEqual(
    tree.files.map((file) => file.path),
    ['metadata/cacheon_engine_tree.json'],
  );
});

test('two files of one path are refused', () => {
  const file = { path: 'a', data: Buffer.from('x') };
  assert.throws(() => treeDigest([file, file]), TreeError);
});
