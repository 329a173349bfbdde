export { type ReadBlockOptions, readFoldBlock } from './read.ts';
