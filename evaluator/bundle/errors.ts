import { CacheonError, type ErrorDetails, type ErrorTable } from '../../config/errors.ts';

export type BundleErrorCode =
  | 'BUNDLE_PATH'
  | 'BUNDLE_TOO_LARGE'
  | 'BUNDLE_FILE_REFUSED'
  | 'MANIFEST_MISSING'
  | 'MANIFEST_TOML'
  | 'MANIFEST_FIELD'
  | 'MANIFEST_ABI'
  | 'OPS_ROW'
  | 'OPS_DUPLICATE'
  | 'METADATA_JSON'
  | 'METADATA_FIELD'
  | 'DOMAIN_EMPTY'
  | 'DOMAIN_OVERLAP'
  | 'TARGET_UNREGISTERED'
  | 'TARGET_MISMATCH'
  | 'FEATURE_REFUSED';

/** Why a bundle is refused. Every one is the candidate's: final for those bytes (`bundle-format.md` section 1). */
export const BUNDLE_ERRORS: ErrorTable<BundleErrorCode> = {
  BUNDLE_PATH: {
    fault: 'candidate',
    what: 'a path that cannot be published',
    remedy:
      'ASCII names of letters, digits and ._+@=,-[] and spaces that begin with a letter or digit; at most 32 levels',
  },
  BUNDLE_TOO_LARGE: { fault: 'candidate', what: 'the bundle exceeds a size limit', remedy: 'see docs/LIMITS.md' },
  BUNDLE_FILE_REFUSED: {
    fault: 'candidate',
    what: 'a file that no rule allows',
    remedy: 'declared sources, manifest.toml, README*, LICENSE*, .gitignore, and *.json below metadata/',
  },
  MANIFEST_MISSING: { fault: 'candidate', what: 'no manifest.toml at the root', remedy: 'add manifest.toml' },
  MANIFEST_TOML: { fault: 'candidate', what: 'manifest.toml is not TOML 1.0', remedy: 'UTF-8 TOML, every key once' },
  MANIFEST_FIELD: {
    fault: 'candidate',
    what: 'a manifest field is refused',
    remedy: 'see docs/MINING.md, manifest.toml',
  },
  MANIFEST_ABI: {
    fault: 'candidate',
    what: 'this ABI is not accepted by the arena',
    remedy: 'abi_version = "cacheon-wasm-abi-v1"',
  },
  OPS_ROW: { fault: 'candidate', what: 'an ops row is refused', remedy: 'see docs/MINING.md, ops rows' },
  OPS_DUPLICATE: {
    fault: 'candidate',
    what: 'two rows for one slot and variant',
    remedy: 'name a different variant in every row of a slot',
  },
  METADATA_JSON: { fault: 'candidate', what: 'metadata is not a JSON object', remedy: 'one UTF-8 JSON object' },
  METADATA_FIELD: { fault: 'candidate', what: 'a metadata field is refused', remedy: 'see docs/MINING.md, metadata' },
  DOMAIN_EMPTY: {
    fault: 'candidate',
    what: 'no call can match this variant',
    remedy: 'conditions that can hold together',
  },
  DOMAIN_OVERLAP: {
    fault: 'candidate',
    what: 'two variants of a slot can match the same call',
    remedy: 'domains that differ in at least one field',
  },
  TARGET_UNREGISTERED: {
    fault: 'candidate',
    what: 'no registered target has exactly these slots',
    remedy: 'the member slots of one target of the catalog, all of them',
  },
  TARGET_MISMATCH: {
    fault: 'candidate',
    what: 'the slots are not those of the named target',
    remedy: 'competition.target and mode as in the catalog, or no competition table',
  },
  FEATURE_REFUSED: {
    fault: 'candidate',
    what: 'the target does not admit a feature of this bundle',
    remedy: 'only the features that the catalog lists for the target',
  },
};

export class BundleError extends CacheonError<BundleErrorCode> {
  constructor(code: BundleErrorCode, message?: string, details?: ErrorDetails) {
    super(code, BUNDLE_ERRORS[code], message, details);
  }
}
