import { errorsDocument } from './errors.ts';
import { keepDocument } from './keep.ts';
import { limitsDocument } from './limits.ts';
import { metricsDocument } from './metrics.ts';

/** Writes every generated document, or compares them all with `--check`. */
const checkOnly = process.argv.includes('--check');
keepDocument('ERRORS.md', await errorsDocument(), checkOnly);
keepDocument('LIMITS.md', await limitsDocument(), checkOnly);
keepDocument('METRICS.md', metricsDocument(), checkOnly);
