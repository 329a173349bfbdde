import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { NodeConfig } from '../../config/schema/index.ts';
import { IntakeError } from './errors.ts';
import type { FetchOptions } from './fetch.ts';

/**
 * Section `fetch` of the configuration, its certificate file read.
 * @throws IntakeError EXTRA_CA_UNREADABLE
 */
export function readFetchOptions({ allow_private, extra_ca }: NodeConfig['fetch']): FetchOptions {
  if (extra_ca === null) return { allowPrivate: allow_private, extraCa: null };
  try {
    const pem = readFileSync(extra_ca, 'utf8');
    new X509Certificate(pem);
    return { allowPrivate: allow_private, extraCa: pem };
  } catch (cause) {
    throw new IntakeError('EXTRA_CA_UNREADABLE', (cause as NodeJS.ErrnoException).code, { field: extra_ca, cause });
  }
}
