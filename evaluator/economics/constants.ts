/** Digest domains of economics (`protocol.md` section 2). */
export const DOMAIN = {
  policy: 'cacheon.economics.policy',
  membership: 'cacheon.economics.metagraph-membership',
  globalContext: 'cacheon.economics.global-context',
  standingFamily: 'cacheon.economics.standing-family',
  standingClaim: 'cacheon.economics.standing-claim',
  discoveryClaim: 'cacheon.economics.discovery-claim',
  arenaAuthority: 'cacheon.economics.arena-authority',
  globalProjection: 'cacheon.economics.global-reward-projection',
} as const;

export const EMISSIONS_POLICY = 'cacheon.emissions.v1';

/** Parts per million: a speedup of 1, and the sum of all weights. */
export const ONE_PPM = 1_000_000;

/** The smallest speedup that earns credit, in parts per million. */
export const MIN_SPEEDUP_PPM = ONE_PPM + 1;
