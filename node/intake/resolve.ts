import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { isAdmittedAddress } from './address.ts';
import { IntakeError } from './errors.ts';
import { ADDRESSES_MAX } from './limits.ts';

/** Looks a host name up, all addresses; `dns.promises.lookup` with `all`. */
export type HostLookup = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * The addresses of a host, all of which are admitted. The connection is then made to these and no others, so that a
 * second DNS answer cannot differ from the one that was checked.
 * @throws IntakeError DNS_FAILED, ADDRESS_REFUSED
 */
export async function resolveHost(
  hostname: string,
  allowPrivate: boolean,
  lookup: HostLookup,
  signal: AbortSignal,
): Promise<readonly LookupAddress[]> {
  const literal = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(literal);
  const addresses = family === 0 ? await lookUp(hostname, lookup, signal) : [{ address: literal, family }];
  if (addresses.length === 0 || addresses.length > ADDRESSES_MAX) throw new IntakeError('DNS_FAILED');
  if (!addresses.every(({ address }) => isAdmittedAddress(address, allowPrivate))) {
    throw new IntakeError('ADDRESS_REFUSED');
  }
  return addresses;
}

/** A lookup cannot be cancelled; the wait for it can. */
async function lookUp(hostname: string, lookup: HostLookup, signal: AbortSignal): Promise<readonly LookupAddress[]> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([lookup(hostname), aborted]);
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new IntakeError('DNS_FAILED', undefined, { cause });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
