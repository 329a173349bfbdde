export { Builder, type BuilderOptions } from './builder.ts';
export { buildKey, ModuleCache } from './cache.ts';
export { createPrebuild } from './prebuild.ts';
