export {
  bounded,
  boundedBytes,
  boundedVec,
  bytes,
  fixedBytes,
  option,
  treeSet,
  tuple,
  unit,
  vec,
} from './collections.ts';
export {
  named,
  noFields,
  plainEnum,
  struct,
  unnamed,
  type Variant,
  type VariantValue,
  variant,
  variantShape,
  wrapped,
} from './composite.ts';
export { bool, compactU32, compactU64, str, u8, u16, u32, u64, u128 } from './primitives.ts';
export { ScaleReader } from './reader.ts';
export {
  type Codec,
  type Definition,
  type FieldShape,
  type Fields,
  type PrimitiveName,
  shapeOf,
  type TypeParameter,
  type TypeShape,
  type ValueOf,
  type VariantShape,
} from './shape.ts';
export { decodeAll, encoded } from './whole.ts';
export { ScaleWriter } from './writer.ts';
