import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CacheonError } from '../../../config/errors.ts';
import { BundleError, type CatalogTarget, resolveBundle } from '../../../evaluator/bundle/index.ts';
import type { TreeFile } from '../../../evaluator/identity/index.ts';

const TARGETS: readonly CatalogTarget[] = [
  slot('linear.matmul', ['entry', 'variants', 'wasm_sources', 'prepare']),
  slot('norm.rmsnorm', ['entry', 'variants', 'wasm_sources']),
  slot('activation.silu_and_mul', ['entry', 'variants', 'wasm_sources']),
  {
    target_id: 'ffn.gated.v1',
    kind: 'atomic',
    members: ['linear.matmul', 'activation.silu_and_mul'],
    allowed_features: ['entry', 'variants', 'wasm_sources', 'prepare'],
  },
];

function slot(id: string, features: string[]): CatalogTarget {
  return { target_id: id, kind: 'slot', members: [id], allowed_features: features };
}

const HEAD = 'bundle_id = "b"\nabi_version = "cacheon-wasm-abi-v1"\n';
const ROW = '[[ops]]\nslot = "norm.rmsnorm"\nsource = "k.ts"\nentry = "run"\n';

function bundle(
  manifest: string,
  others: Record<string, string> = { 'k.ts': 'export function run(): void {}' },
): TreeFile[] {
  const all = { 'manifest.toml': manifest, ...others };
  return Object.entries(all).map(([path, text]) => ({ path, data: Buffer.from(text) }));
}

function refusal(files: TreeFile[]): string {
  try {
    resolveBundle(files, TARGETS);
  } catch (error) {
    assert.ok(error instanceof BundleError, `untyped: ${String(error)}`);
    assert.equal(error.fault, 'candidate');
    return `${error.code} ${error.field ?? ''}`.trim();
  }
  return 'accepted';
}

test('a singleton resolves to its target, and labels and prose are not part of the payload', () => {
  const plain = resolveBundle(bundle(HEAD + ROW), TARGETS);
  assert.equal(plain.target.target_id, 'norm.rmsnorm');
  assert.deepEqual(plain.features, ['entry']);
  const renamed = bundle(`# other\nbundle_id = "other"\nabi_version = "cacheon-wasm-abi-v1"\nnote = 1.5\n${ROW}`, {
    'k.ts': 'export function run(): void {}',
    'README.md': 'hello',
  });
  assert.equal(resolveBundle(renamed, TARGETS).payloadDigest, plain.payloadDigest);
  const changed = resolveBundle(bundle(HEAD + ROW, { 'k.ts': 'export function run(): void { }' }), TARGETS);
  assert.notEqual(changed.payloadDigest, plain.payloadDigest);
});

test('which files a row is compiled from is part of the payload', () => {
  const files = { 'k.ts': 'x', 'a.ts': 'y' };
  const listed = resolveBundle(bundle(`${HEAD}${ROW}wasm_sources = ["a.ts"]\n`, files), TARGETS);
  assert.deepEqual(listed.features, ['entry', 'wasm_sources']);
  assert.equal(refusal(bundle(HEAD + ROW, files)), 'BUNDLE_FILE_REFUSED a.ts');
});

test('an atomic target wants all its members, and no fewer slots pass as something smaller', () => {
  const row = (name: string): string => ROW.replace('norm.rmsnorm', name);
  const both = bundle(HEAD + row('linear.matmul') + row('activation.silu_and_mul'));
  assert.equal(resolveBundle(both, TARGETS).target.target_id, 'ffn.gated.v1');
  const odd = bundle(HEAD + row('linear.matmul') + row('norm.rmsnorm'));
  assert.equal(refusal(odd), 'TARGET_UNREGISTERED ops');
  const claim = `[competition]\ntarget = "ffn.gated.v1"\nmode = "atomic"\n`;
  assert.equal(refusal(bundle(HEAD + claim + row('linear.matmul'))), 'TARGET_MISMATCH ops');
});

const REFUSALS: readonly [string, TreeFile[], string][] = [
  ['no manifest', [{ path: 'k.ts', data: Buffer.from('x') }], 'MANIFEST_MISSING'],
  ['another ABI', bundle(HEAD.replace('wasm-abi-v1', 'op-abi-v0') + ROW), 'MANIFEST_ABI abi_version'],
  ['a duplicate key', bundle(`${HEAD}bundle_id = "c"\n${ROW}`), 'MANIFEST_TOML manifest.toml'],
  ['a number as id', bundle(`${HEAD.replace('"b"', '42')}${ROW}`), 'MANIFEST_FIELD bundle_id'],
  ['an unknown row field', bundle(`${HEAD}${ROW}speed = 3\n`), 'FEATURE_REFUSED op_extra:speed'],
  ['a field of the other ABI', bundle(`${HEAD}${ROW}dtypes = ["f32"]\n`), 'OPS_ROW ops[0].dtypes'],
  ['prepare where it is not admitted', bundle(`${HEAD}${ROW}prepare = "prep"\n`), 'FEATURE_REFUSED prepare'],
  ['a path out of the root', bundle(`${HEAD}${ROW.replace('k.ts', '../k.ts')}`), 'OPS_ROW ops[0].source'],
  ['a source that is not there', bundle(`${HEAD}${ROW.replace('k.ts', 'q.ts')}`), 'OPS_ROW ops[0].source'],
  ['an entry that is no identifier', bundle(`${HEAD}${ROW.replace('"run"', '"a b"')}`), 'OPS_ROW ops[0].entry'],
  ['rebuild steps', bundle(HEAD + ROW, { 'k.ts': 'x', 'rebuild.json': '{}' }), 'BUNDLE_FILE_REFUSED rebuild.json'],
  ['a stray file', bundle(HEAD + ROW, { 'k.ts': 'x', 'x.wasm': 'x' }), 'BUNDLE_FILE_REFUSED x.wasm'],
  ['a dotfile', bundle(HEAD + ROW, { 'k.ts': 'x', '.env': 'x' }), 'BUNDLE_PATH .env'],
  ['too much source', bundle(HEAD + ROW, { 'k.ts': ' '.repeat(262_145) }), 'BUNDLE_TOO_LARGE'],
  [
    'source that is not text',
    [...bundle(HEAD + ROW, {}), { path: 'k.ts', data: Buffer.of(0xff) }],
    'BUNDLE_FILE_REFUSED k.ts',
  ],
  ['a repeated slot without variants', bundle(HEAD + ROW + ROW), 'OPS_ROW ops[0].variant'],
  ['a repeated variant', bundle(`${HEAD}${ROW}variant="a"\n${ROW}variant="a"\n`), 'OPS_DUPLICATE ops[1]'],
  ['overlapping variants', bundle(`${HEAD}${ROW}variant="a"\n${ROW}variant="b"\n`), 'DOMAIN_OVERLAP ops[0] and ops[1]'],
];

for (const [name, files, want] of REFUSALS) {
  test(`refused: ${name}`, () => assert.equal(refusal(files), want));
}

test('variants with disjoint domains stand side by side, and their metadata enters as projected', () => {
  const rows = `${ROW}variant="small"\nmetadata="metadata/s.json"\n${ROW}variant="large"\nmetadata="metadata/l.json"\n`;
  const files = (small: string, large: string): TreeFile[] =>
    bundle(HEAD + rows, { 'k.ts': 'x', 'metadata/s.json': small, 'metadata/l.json': large });
  const good = resolveBundle(files('{"max_num_tokens":7}', '{"capabilities":{"num_tokens":{"min":8}}}'), TARGETS);
  assert.deepEqual(good.features, ['entry', 'variants']);
  assert.deepEqual({ ...good.rows[0]?.domain }, { num_tokens: { max: 7 } });
  const prose = files('{"note":1.5, "max_num_tokens":7}', '{"capabilities":{"num-tokens":{"min":8}}}');
  assert.equal(resolveBundle(prose, TARGETS).payloadDigest, good.payloadDigest);
  assert.match(refusal(files('{"max_num_tokens":8}', '{"min_num_tokens":8}')), /^DOMAIN_OVERLAP/);
  assert.match(refusal(files('{"capabilities":{"colour":1}}', '{}')), /^METADATA_FIELD .*colour/);
  assert.match(refusal(files('{"max_num_tokens":7.0}', '{}')), /^METADATA_FIELD .*max_num_tokens/);
  assert.match(refusal(files('[]', '{}')), /^METADATA_JSON/);
  assert.match(refusal(files('{"max_num_tokens":7,"capabilities":{"num_tokens":9}}', '{}')), /^DOMAIN_EMPTY/);
});

test('no input makes an untyped exception', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom(HEAD, ROW, HEAD + ROW, '[competition]\n', 'variant = ""\n', '[[ops]]\n'),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), fc.string(), fc.json(), (parts, path, json) => {
      const files = bundle(parts.join(''), { 'k.ts': 'x', 'metadata/a.json': json });
      try {
        resolveBundle([...files, { path, data: Buffer.from('y') }], TARGETS);
      } catch (error) {
        assert.ok(error instanceof CacheonError, String(error));
      }
    }),
    { numRuns: 2000 },
  );
});
