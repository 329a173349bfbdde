export { LANE_ERRORS, LaneError, type LaneErrorCode } from './errors.ts';
export { createWasmLaneFactory, laneCommand, type WasmLaneDependencies, type WasmLaneOptions } from './factory.ts';
export type * from './types.ts';
