export { extractArchive } from './archive/extract.ts';
export { INTAKE_ERRORS, IntakeError, type IntakeErrorCode } from './errors.ts';
export { type FetchDependencies, type FetchOptions, fetchArchive } from './fetch.ts';
export { readBundleFolder } from './folder.ts';
export { type IntakeRequest, intakeBundle, systemLookup } from './intake.ts';
export { ARCHIVE_MAX_BYTES } from './limits.ts';
export { readFetchOptions } from './options.ts';
export { type PackedBundle, packBundle, packFiles } from './pack.ts';
