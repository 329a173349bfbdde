/** Emission rules of this subnet (`names.md`, Devnet; `protocol.md` section 13): no discovery pool. */
export const EMISSIONS = {
  schema_version: 1,
  policy_version: 'cacheon.emissions.v1',
  half_life_blocks: 100_000,
  discovery_lifetime_blocks: 1,
  discovery_pool_ppm: 0,
} as const;
