import type { Metadata, TypeRegistry } from '@polkadot/types';
import type { ExtDef } from '@polkadot/types/extrinsic/signedExtensions/types';
import type { SiLookupTypeId } from '@polkadot/types/interfaces';

/** Extensions that carry or sign something, and that the signer fills in. */
const FILLED_IN = new Set([
  'CheckSpecVersion',
  'CheckTxVersion',
  'CheckGenesis',
  'CheckMortality',
  'CheckEra',
  'CheckNonce',
  'ChargeTransactionPayment',
  'CheckMetadataHash',
]);

export interface Extensions {
  readonly names: readonly string[];
  /** Those that neither carry nor sign a byte, whatever they are called. */
  readonly empty: ExtDef;
  /** Those that do, and that this node does not know: a signature without them would be refused, or worse. */
  readonly unknown: readonly string[];
}

/** Sorts a runtime's transaction extensions by what its own metadata says about their types. */
export function readExtensions(registry: TypeRegistry, metadata: Metadata): Extensions {
  const names: string[] = [];
  const empty: ExtDef = {};
  const unknown: string[] = [];
  for (const { name, types } of declared(metadata)) {
    names.push(name);
    if (FILLED_IN.has(name)) continue;
    const bare = types.every((id) => registry.lookup.getTypeDef(id).type === 'Null');
    if (bare) empty[name] = { extrinsic: {}, payload: {} };
    else unknown.push(name);
  }
  return { names, empty, unknown };
}

/**
 * Name, carried type and signed type of each extension. Read from the metadata's own version: the library's
 * conversion of version 14 and 15 to the latest loses the signed type.
 */
function declared(metadata: Metadata): readonly { name: string; types: readonly SiLookupTypeId[] }[] {
  if (metadata.version >= 16) {
    const { transactionExtensions } = metadata.asLatest.extrinsic;
    return transactionExtensions.map(({ identifier, type, implicit }) => ({
      name: identifier.toString(),
      types: [type, implicit],
    }));
  }
  const { signedExtensions } = (metadata.version === 15 ? metadata.asV15 : metadata.asV14).extrinsic;
  return signedExtensions.map(({ identifier, type, additionalSigned }) => ({
    name: identifier.toString(),
    types: [type, additionalSigned],
  }));
}
