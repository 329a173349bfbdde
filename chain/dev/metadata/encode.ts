import { ScaleWriter, type TypeShape } from '../scale/index.ts';
import { HASHERS, type PalletShape, type RuntimeShape, type StorageEntryShape } from './shape.ts';
import { TypeTable } from './typetable.ts';

/** "meta" as a little-endian u32. */
const MAGIC = 0x6174656d;
export const METADATA_VERSION = 14;
const NO_DOCS = 0;

/** The runtime's description as `RuntimeMetadataPrefixed` version 14. */
export function encodeMetadata(runtime: RuntimeShape): Uint8Array {
  const types = new TypeTable();
  const body = new ScaleWriter();
  body.compact(runtime.pallets.length);
  for (const pallet of runtime.pallets) writePallet(pallet, types, body);
  body.compact(types.id(runtime.extrinsic));
  body.u8(runtime.extrinsicVersion);
  body.compact(runtime.signedExtensions.length);
  for (const { identifier, type, additional } of runtime.signedExtensions) {
    body.text(identifier);
    body.compact(types.id(type));
    body.compact(types.id(additional));
  }
  body.compact(types.id(runtime.runtime));

  const out = new ScaleWriter();
  out.u32(MAGIC);
  out.u8(METADATA_VERSION);
  types.write(out);
  out.bytes(body.finish());
  return out.finish();
}

function writePallet(pallet: PalletShape, types: TypeTable, out: ScaleWriter): void {
  out.text(pallet.name);
  out.u8(pallet.storage.length > 0 ? 1 : 0);
  if (pallet.storage.length > 0) {
    out.text(pallet.name);
    out.compact(pallet.storage.length);
    for (const entry of pallet.storage) writeEntry(entry, types, out);
  }
  writeOptionalType(pallet.calls, types, out);
  writeOptionalType(pallet.events, types, out);
  out.compact(pallet.constants.length);
  for (const { name, type, value } of pallet.constants) {
    out.text(name);
    out.compact(types.id(type));
    out.compact(value.length);
    out.bytes(value);
    out.compact(NO_DOCS);
  }
  writeOptionalType(pallet.errors, types, out);
  out.u8(pallet.index);
}

function writeEntry(entry: StorageEntryShape, types: TypeTable, out: ScaleWriter): void {
  out.text(entry.name);
  out.u8(entry.modifier === 'Optional' ? 0 : 1);
  if (entry.key === null) {
    out.u8(0);
    out.compact(types.id(entry.value));
  } else {
    out.u8(1);
    out.compact(entry.hashers.length);
    for (const hasher of entry.hashers) out.u8(HASHERS.indexOf(hasher));
    out.compact(types.id(entry.key));
    out.compact(types.id(entry.value));
  }
  out.compact(entry.fallback.length);
  out.bytes(entry.fallback);
  out.compact(NO_DOCS);
}

function writeOptionalType(shape: TypeShape | null, types: TypeTable, out: ScaleWriter): void {
  out.u8(shape === null ? 0 : 1);
  if (shape !== null) out.compact(types.id(shape));
}
