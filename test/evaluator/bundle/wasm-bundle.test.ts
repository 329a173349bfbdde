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
  const two = `${HEAD}${ROW.replace('"k.ts"', '"k.ts"\nvariant = "a"\nmetadata = "metadata/a.json"')}wasm_sources = ["a.ts"]\n${ROW.replace('"k.ts"', '"b.ts"\nvariant = "b"\nmetadata = "metadata/b.json"')}`;
  const domains = { 'metadata/a.json': '{"max_num_tokens":1}', 'metadata/b.json': '{"min_num_tokens":2}' };
  const sources = { ...files, 'b.ts': 'z', ...domains };
  const other = `${two.replace('wasm_sources = ["a.ts"]\n', '')}wasm_sources = ["a.ts"]\n`;
  const [first, second] = [two, other].map((manifest) => resolveBundle(bundle(manifest, sources), TARGETS));
  assert.notEqual(first?.payloadDigest, second?.payloadDigest, 'the same files, compiled into another row');
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

const CLAIM = '[competition]\ntarget = "norm.rmsnorm"\nmode = "slot"\n';
const TWO = { 'k.ts': 'x', 'a.ts': 'y' };
const many = (count: number, name: (i: number) => string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), '']));
/** One array under many names: large in sum, small in memory. */
const large = new Uint8Array(16 * 1024 * 1024);
const heavy: TreeFile[] = Array.from({ length: 17 }, (_, i) => ({ path: `README${i}`, data: large }));
const withMetadata = (text: string): TreeFile[] =>
  bundle(`${HEAD}${ROW}metadata="metadata/m.json"\n`, { 'k.ts': 'x', 'metadata/m.json': text });

/** Rules that only a bundle made to break exactly one of them shows. */
const MORE_REFUSALS: readonly [string, TreeFile[], string][] = [
  ['more rows than 64', bundle(HEAD + ROW.repeat(65)), 'MANIFEST_FIELD ops'],
  ['an unknown claim', bundle(`${HEAD}${CLAIM}arena = "a"\n${ROW}`), 'MANIFEST_FIELD competition.arena'],
  [
    'a claim of another mode',
    bundle(HEAD + CLAIM.replace('"slot"', '"atomic"') + ROW),
    'TARGET_MISMATCH competition.mode',
  ],
  ['dependency patches', bundle(`${HEAD}dep_patches = []\n${ROW}`), 'MANIFEST_FIELD dep_patches'],
  ['prepare named as entry', bundle(`${HEAD}${ROW}prepare = "run"\n`), 'OPS_ROW ops[0].prepare'],
  ['its source listed again', bundle(`${HEAD}${ROW}wasm_sources = ["k.ts"]\n`), 'OPS_ROW ops[0].wasm_sources'],
  ['a file listed twice', bundle(`${HEAD}${ROW}wasm_sources = ["a.ts","a.ts"]\n`, TWO), 'OPS_ROW ops[0].wasm_sources'],
  [
    'a row of more than 256 files',
    bundle(`${HEAD}${ROW}wasm_sources = ${JSON.stringify(Object.keys(many(256, (i) => `s${i}.ts`)))}\n`, {
      'k.ts': 'x',
      ...many(256, (i) => `s${i}.ts`),
    }),
    'OPS_ROW ops[0].wasm_sources',
  ],
  ['a source that is no .ts', bundle(HEAD + ROW.replace('k.ts', 'k.py'), { 'k.py': 'x' }), 'OPS_ROW ops[0].source'],
  ['too many bytes in all', [...bundle(HEAD + ROW), ...heavy], 'BUNDLE_TOO_LARGE'],
  ['too many files', bundle(HEAD + ROW, { 'k.ts': 'x', ...many(4095, (i) => `README${i}`) }), 'BUNDLE_TOO_LARGE'],
  [
    'a file that is a directory too',
    bundle(HEAD + ROW, { 'k.ts': 'x', 'README/README': '', README: '' }),
    'BUNDLE_PATH README',
  ],
  [
    'a path of 33 levels',
    bundle(HEAD + ROW, { 'k.ts': 'x', [`${'d/'.repeat(32)}README`]: '' }),
    `BUNDLE_PATH ${'d/'.repeat(32)}README`,
  ],
  [
    'a binary with a name for prose',
    bundle(HEAD + ROW, { 'k.ts': 'x', 'README.bin': '' }),
    'BUNDLE_FILE_REFUSED README.bin',
  ],
  [
    'two spellings of one capability',
    withMetadata('{"capabilities":{"kv_len":1,"kv-len":1}}'),
    'METADATA_FIELD metadata/m.json: capabilities.kv_len',
  ],
  [
    'min over max',
    withMetadata('{"min_num_tokens":2,"max_num_tokens":1}'),
    'METADATA_FIELD metadata/m.json: min_num_tokens',
  ],
  ['graph mode without graph_safe', withMetadata('{"capabilities":{"graph_mode":"on"}}'), 'DOMAIN_EMPTY ops[0]'],
];

for (const [name, files, want] of [...REFUSALS, ...MORE_REFUSALS]) {
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
