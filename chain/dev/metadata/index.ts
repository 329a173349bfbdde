export { encodeMetadata, METADATA_VERSION } from './encode.ts';
export {
  type ConstantShape,
  HASHERS,
  type HasherName,
  type PalletShape,
  type RuntimeShape,
  type SignedExtensionShape,
  type StorageEntryShape,
} from './shape.ts';
