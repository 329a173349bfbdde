import { errorsDocument } from './errors.ts';
import { keepDocument } from './keep.ts';
import { limitsDocument } from './limits.ts';
import { metricsDocument } from './metrics.ts';
import { protocolDocument, writtenProtocol } from './protocol.ts';

/** Writes every generated document and example, or compares them all with `--check`. */
const checkOnly = process.argv.includes('--check');
keepDocument('ERRORS.md', await errorsDocument(), checkOnly);
keepDocument('LIMITS.md', await limitsDocument(), checkOnly);
keepDocument('METRICS.md', metricsDocument(), checkOnly);
keepDocument('PROTOCOL.md', await protocolDocument(writtenProtocol()), checkOnly);
