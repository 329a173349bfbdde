export {
  createFollower,
  type FollowDependencies,
  type Follower,
  type FollowerStatus,
  type FollowOptions,
} from './follower.ts';
export { POLL_MS, STALL_MS, WALK_BLOCKS } from './limits.ts';
export type { Cursor } from './walk.ts';
