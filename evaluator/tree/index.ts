export { TREE_ERRORS, TreeError, type TreeErrorCode } from './errors.ts';
export { type TreeRow, treeDigest, treeRows } from './inventory.ts';
export { type MaterializedTree, materializeWasmTree, namespaceOf, type TreeContribution } from './wasm.ts';
