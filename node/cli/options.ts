import { InvalidArgumentError } from 'commander';

/** Parsers of option values; what they refuse is a usage error, exit 2. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`a whole number from ${least} to ${most} is accepted.`);
  };
}

export function hexDigest(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new InvalidArgumentError('64 lowercase hex digits are accepted, as `bundle check` prints them.');
}

export function genesisHash(text: string): string {
  if (/^0x[0-9a-f]{64}$/.test(text)) return text;
  throw new InvalidArgumentError('0x and 64 lowercase hex digits are accepted.');
}

/** A reservation id, a content hash or a hotkey. */
export function proposalSubject(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text) || /^5[1-9A-HJ-NP-Za-km-z]{47}$/.test(text)) return text;
  throw new InvalidArgumentError('a reservation id or content hash (64 hex digits), or an SS58 hotkey is accepted.');
}

/** Collects an option that may be given several times. */
export function list(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
