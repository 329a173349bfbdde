import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { WASM_CATALOG, WASM_PROFILE } from '../../../config/arena/wasm-catalog.ts';
import {
  buildCatalog,
  CatalogError,
  type CatalogErrorCode,
  defaultCatalog,
  parseCatalogSnapshot,
  wasmArenaCatalog,
} from '../../../evaluator/catalog/index.ts';
import { FieldError } from '../../../evaluator/fields/index.ts';
import { canonicalJson, type JsonObject, parseStrictJson } from '../../../evaluator/identity/index.ts';

const DEFAULT = JSON.parse(
  readFileSync(new URL('../../fixtures/catalog/default_catalog.json', import.meta.url), 'utf8'),
) as { result: { snapshot: JsonObject; digest: string } };

const code = (expected: CatalogErrorCode) => (error: unknown) =>
  error instanceof CatalogError && error.code === expected;

describe('default catalog', () => {
  test('is the dumped one, byte for byte', () => {
    const catalog = defaultCatalog();
    assert.equal(canonicalJson(catalog.snapshot), canonicalJson(DEFAULT.result.snapshot));
    assert.equal(catalog.digest, '171302dde69a419264958499d07cd57f84e84516dee0e89c40a630f807a8152b');
  });

  test('does not know wasm_sources', () => {
    const snapshot = structuredClone(defaultCatalog().snapshot) as unknown as { targets: Record<string, unknown>[] };
    (snapshot.targets[0] as Record<string, unknown>)['allowed_features'] = ['entry', 'wasm_sources'];
    assert.throws(() => parseCatalogSnapshot(snapshot), code('CATALOG_FEATURE'));
  });
});

describe('WASM arena catalog', () => {
  const catalog = wasmArenaCatalog();

  test('has four slots and the gated feed-forward that displaces two of them', () => {
    assert.deepEqual(catalog.targetIds, [
      'activation.silu_and_mul',
      'attention.decode',
      'ffn.gated.v1',
      'linear.matmul',
      'norm.rmsnorm',
    ]);
    assert.deepEqual(catalog.displacementClosure('ffn.gated.v1'), ['activation.silu_and_mul', 'linear.matmul']);
    assert.throws(() => catalog.validateActive(['ffn.gated.v1', 'linear.matmul']), code('ACTIVE_CONFLICT'));
    assert.deepEqual(catalog.validateActive(['norm.rmsnorm', 'ffn.gated.v1']), ['ffn.gated.v1', 'norm.rmsnorm']);
  });

  test('admits prepare for linear.matmul and ffn.gated.v1 only', () => {
    const withPrepare = catalog.targetIds.filter((id) => catalog.find(id)?.allowed_features.includes('prepare'));
    assert.deepEqual(withPrepare, ['ffn.gated.v1', 'linear.matmul']);
    assert.equal(catalog.find('linear.matmul')?.contract_ref?.prepare, 'prepare');
    assert.ok(catalog.targetIds.every((id) => catalog.find(id)?.allowed_features.includes('wasm_sources')));
  });

  test('finds a target by its exact member set', () => {
    const members = ['activation.silu_and_mul', 'linear.matmul'];
    assert.equal(catalog.findByMembers(members)?.target_id, 'ffn.gated.v1');
    assert.equal(catalog.findByMembers(['linear.matmul'])?.target_id, 'linear.matmul');
    assert.equal(catalog.findByMembers([...members, 'norm.rmsnorm']), null);
  });

  test('refuses features of the Python ABI', () => {
    const targets = WASM_CATALOG.targets.map((target) => ({ ...target, allowed_features: ['entry', 'cuda_sources'] }));
    assert.throws(() => buildCatalog({ targets }, WASM_PROFILE), code('CATALOG_FEATURE'));
  });
});

describe('snapshot', () => {
  const text = canonicalJson(wasmArenaCatalog().snapshot);

  test('reads back to the same catalog', () => {
    assert.equal(parseCatalogSnapshot(parseStrictJson(text)).digest, wasmArenaCatalog().digest);
  });

  const damaged: readonly [string, (snapshot: Row) => void, CatalogErrorCode][] = [
    ['unsorted set', (s) => (target(s, 2)['displaces'] as unknown[]).reverse(), 'CATALOG_SNAPSHOT'],
    ['decimal not in normal form', (s) => setTolerance(s, '0.00010'), 'CATALOG_SNAPSHOT'],
    ['targets not in order', (s) => (s['targets'] as unknown[]).reverse(), 'CATALOG_SNAPSHOT'],
    [
      'foreign contract digest',
      (s) => Object.assign(target(s, 0), { contract_digest: 'a'.repeat(64) }),
      'CATALOG_SNAPSHOT',
    ],
    [
      'unknown registry',
      (s) => Object.assign(s, { artifact_provider_registry_digest: 'a'.repeat(64) }),
      'CATALOG_UNKNOWN_PROFILE',
    ],
    [
      'registry that is not the one named',
      (s) => Object.assign(s, { artifact_provider_registry: {} }),
      'CATALOG_SNAPSHOT',
    ],
  ];
  for (const [name, damage, expected] of damaged) {
    test(`refuses ${name}`, () => {
      const snapshot = JSON.parse(text) as Row;
      damage(snapshot);
      assert.throws(() => parseCatalogSnapshot(snapshot), code(expected));
    });
  }

  test('refuses unknown fields at every level', () => {
    for (const path of [[], ['targets', '0'], ['targets', '0', 'contract_ref']]) {
      const snapshot = JSON.parse(text) as Record<string, unknown>;
      const object = path.reduce((node, key) => node[key] as Record<string, unknown>, snapshot);
      object['extra'] = 1;
      assert.throws(() => parseCatalogSnapshot(snapshot), FieldError);
    }
  });

  test('the order of a definition changes no digest', () => {
    const { targets } = WASM_CATALOG;
    fc.assert(
      fc.property(fc.shuffledSubarray([...targets], { minLength: targets.length }), (shuffled) => {
        const reversed = shuffled.map((t) => Object.fromEntries(Object.entries(t).reverse()));
        assert.equal(buildCatalog({ targets: reversed }, WASM_PROFILE).digest, wasmArenaCatalog().digest);
      }),
      { numRuns: 20 },
    );
  });
});

type Row = Record<string, unknown>;

function target(snapshot: Row, index: number): Row {
  return (snapshot['targets'] as unknown as Row[])[index] as Row;
}

function setTolerance(snapshot: Row, atol: string): void {
  const contract = target(snapshot, 0)['contract_ref'] as unknown as { tolerances: { atol: string }[] };
  (contract.tolerances[0] as { atol: string }).atol = atol;
}
