/** Digest domains of the catalog (`protocol.md` section 2). */
export const DOMAIN = {
  catalog: 'cacheon.target-catalog',
  targetSpec: 'cacheon.target-spec',
  contract: 'cacheon.target-contract',
  atomicContract: 'cacheon.atomic-target-contract',
  providers: 'cacheon.artifact-provider-registry',
} as const;

export const CATALOG_POLICY = 'target-catalog.v1';

/** Targets of one catalog; relations are checked pair by pair. */
export const CATALOG_MAX_TARGETS = 512;

/** Every target admits this feature; `setup` is known so that it can be refused by name. */
export const MANDATORY_FEATURE = 'entry';
export const FORBIDDEN_FEATURE = 'setup';

/** Characters of a decimal as written, and the largest power of ten in it. */
export const DECIMAL_MAX_LENGTH = 64;
export const DECIMAL_MAX_EXPONENT = 64;
