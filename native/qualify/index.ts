export { systemClock } from './clock.ts';
export { qualify } from './qualify.ts';
export type {
  BundleState,
  MonotonicClock,
  Progress,
  Qualified,
  QualifyDependencies,
  QualifyInput,
} from './types.ts';
