export { type ArenaSubject, type EmbeddedArena, openEmbeddedArena } from './wasm.ts';
