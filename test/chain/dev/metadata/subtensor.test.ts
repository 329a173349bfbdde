import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Metadata, TypeRegistry } from '@polkadot/types';
import type { PalletMetadataLatest } from '@polkadot/types/interfaces';
import { createRuntime } from '../../../../chain/dev/runtime/index.ts';
import { describeType, type TypeDescription } from './shapes.ts';

const REAL_FILE = '/work/shared/chain/subtensor-spec393-metadata-v16.scale';
const missing = !existsSync(REAL_FILE);
if (missing && process.env['CACHEON_REQUIRE_SHARED'] === '1') throw new Error(`${REAL_FILE} is required and absent`);
if (missing) console.log(`skipped: ${REAL_FILE} is absent, names are not compared with subtensor's`);

interface Loaded {
  readonly registry: TypeRegistry;
  readonly metadata: Metadata;
  pallet(name: string): PalletMetadataLatest;
}

function load(bytes: Uint8Array): Loaded {
  const registry = new TypeRegistry();
  const metadata = new Metadata(registry, `0x${Buffer.from(bytes).toString('hex')}`);
  registry.setMetadata(metadata);
  const pallet = (name: string): PalletMetadataLatest => {
    const found = metadata.asLatest.pallets.find((one) => one.name.toString() === name);
    assert.ok(found, `pallet ${name}`);
    return found;
  };
  return { registry, metadata, pallet };
}

const ours = load(createRuntime({ minimumPeriodMs: 500 }).metadata);
const names = ours.metadata.asLatest.pallets.map(({ name }) => name.toString());

test('every pallet of the development chain has subtensor entries to be compared', () => {
  assert.deepEqual(names, ['System', 'Timestamp', 'Balances', 'SubtensorModule', 'Commitments', 'Drand']);
});

if (!missing) {
  const real = load(readFileSync(REAL_FILE));
  for (const name of names) {
    test(`${name}: index, storage, calls, events, errors and constants are subtensor's`, () => {
      const [our, their] = [ours.pallet(name), real.pallet(name)];
      assert.equal(our.index.toNumber(), their.index.toNumber());
      compareStorage(our, their);
      for (const part of ['calls', 'events', 'errors'] as const) {
        if (our[part].isNone) continue;
        const ourVariants = variantsOf(describeType(ours.registry, our[part].unwrap().type));
        const theirVariants = variantsOf(describeType(real.registry, their[part].unwrap().type));
        for (const [variant, description] of Object.entries(ourVariants)) {
          assert.deepEqual(description, theirVariants[variant], `${part} ${variant}`);
        }
      }
      for (const constant of our.constants) {
        const same = their.constants.find((one) => one.name.eq(constant.name));
        assert.ok(same, `constant ${constant.name.toString()}`);
        assert.deepEqual(describeType(ours.registry, constant.type), describeType(real.registry, same.type));
      }
    });
  }

  function compareStorage(our: PalletMetadataLatest, their: PalletMetadataLatest): void {
    const [ourItems, theirItems] = [our.storage.unwrap(), their.storage.unwrap()];
    assert.equal(ourItems.prefix.toString(), theirItems.prefix.toString());
    for (const item of ourItems.items) {
      const same = theirItems.items.find((one) => one.name.eq(item.name));
      assert.ok(same, `storage ${item.name.toString()}`);
      const label = `storage ${our.name.toString()}.${item.name.toString()}`;
      assert.equal(item.modifier.toString(), same.modifier.toString(), label);
      assert.equal(item.type.isMap, same.type.isMap, label);
      if (item.type.isPlain) {
        const value = describeEvents(ours.registry, item.type.asPlain);
        assert.deepEqual(value, describeEvents(real.registry, same.type.asPlain), label);
      } else {
        const [ourMap, theirMap] = [item.type.asMap, same.type.asMap];
        assert.deepEqual(ourMap.hashers.toJSON(), theirMap.hashers.toJSON(), label);
        assert.deepEqual(describeType(ours.registry, ourMap.key), describeType(real.registry, theirMap.key), label);
        assert.deepEqual(describeType(ours.registry, ourMap.value), describeType(real.registry, theirMap.value), label);
      }
      // subtensor's default beacon is quicknet; this chain has its own from genesis on.
      if (item.name.toString() !== 'BeaconConfig') assert.equal(item.fallback.toHex(), same.fallback.toHex(), label);
    }
  }

  test('signed extensions: same names in the same order, same carried and signed types', () => {
    const ourExtensions = ours.metadata.asV14.extrinsic.signedExtensions.map((one) => ({
      identifier: one.identifier.toString(),
      type: describeType(ours.registry, one.type),
      signed: describeType(ours.registry, one.additionalSigned),
    }));
    const realExtensions = real.metadata.asV16.extrinsic.transactionExtensions.map((one) => ({
      identifier: one.identifier.toString(),
      type: describeType(real.registry, one.type),
      signed: describeType(real.registry, one.implicit),
    }));
    assert.deepEqual(ourExtensions, realExtensions);
  });
}

type Variants = Readonly<Record<string, unknown>>;

function variantsOf(description: TypeDescription): Variants {
  assert.ok(typeof description === 'object' && 'variants' in description);
  return description.variants;
}

/** Event records hold every pallet's events: those are compared pallet by pallet, so only their shape counts here. */
function describeEvents(registry: TypeRegistry, type: Parameters<typeof describeType>[1]): TypeDescription {
  return describeType(registry, type, (path) => path.endsWith('RuntimeEvent'));
}
