import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Ranges of one's own network, which only a development network may be fetched from. */
const PRIVATE_RANGES = new Set(['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat']);

/**
 * True if bytes may be fetched from this address. Public means unicast and nothing else: multicast, documentation,
 * translation and other special ranges are never admitted, private ones only with `allowPrivate`.
 * @param text an IPv4 or IPv6 address; one mapped into IPv6 is judged as the IPv4 address it is
 */
export function isAdmittedAddress(text: string, allowPrivate: boolean): boolean {
  // The library alone would also read short, octal and hexadecimal forms.
  if (isIP(text) === 0 || !ipaddr.isValid(text)) return false;
  const range = unwrap(ipaddr.parse(text)).range();
  return range === 'unicast' || (allowPrivate && PRIVATE_RANGES.has(range));
}

/** IPv4 in disguise: mapped (::ffff:a.b.c.d) and the old compatible form (::a.b.c.d). */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  const isCompatible = bytes.slice(0, 12).every((b) => b === 0) && bytes.slice(12).some((b) => b !== 0);
  const isLoopback = isCompatible && bytes[15] === 1 && bytes.slice(12, 15).every((b) => b === 0);
  return isCompatible && !isLoopback ? new ipaddr.IPv4(bytes.slice(12)) : address;
}
