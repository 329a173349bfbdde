import { DevChainError } from '../../errors.ts';
import {
  boundedBytes,
  type Codec,
  fixedBytes,
  named,
  noFields,
  type ScaleReader,
  type ScaleWriter,
  u64,
  variantShape,
  wrapped,
} from '../../scale/index.ts';
import type { FieldsShape } from '../pallet.ts';

export const RAW_BYTES_MAX = 128;
export const TIMELOCK_BYTES_MAX = 1024;
export const BIG_RAW_BYTES_MAX = 512;

/** One field of a commitment (`pallet_commitments::types::Data`, `notes/chain.md` section 3). */
export type CommitmentData =
  | { readonly kind: 'None' | 'ResetBondsFlag' }
  | { readonly kind: 'Raw' | 'BigRaw'; readonly bytes: Uint8Array }
  | { readonly kind: 'Hash'; readonly algorithm: HashName; readonly bytes: Uint8Array }
  | { readonly kind: 'TimelockEncrypted'; readonly encrypted: Uint8Array; readonly revealRound: bigint };

const HASH_NAMES = ['BlakeTwo256', 'Sha256', 'Keccak256', 'ShaThree256'] as const;
type HashName = (typeof HASH_NAMES)[number];

const FIRST_RAW = 1;
const FIRST_HASH = FIRST_RAW + RAW_BYTES_MAX + 1;
const TIMELOCK = 134;
const RESET_BONDS = 135;
const BIG_RAW = 136;

const timelockFields = named({ encrypted: boundedBytes(TIMELOCK_BYTES_MAX), revealRound: u64 });
const bigRawFields = wrapped(boundedBytes(BIG_RAW_BYTES_MAX));

const variants: [name: string, shape: FieldsShape][] = [
  ['None', { index: 0, fields: noFields }],
  ...Array.from({ length: RAW_BYTES_MAX + 1 }, (_, length): (typeof variants)[number] => [
    `Raw${length}`,
    { index: FIRST_RAW + length, fields: wrapped(fixedBytes(length)) },
  ]),
  ...HASH_NAMES.map((name, index): (typeof variants)[number] => [
    name,
    { index: FIRST_HASH + index, fields: wrapped(fixedBytes(32)) },
  ]),
  ['TimelockEncrypted', { index: TIMELOCK, fields: timelockFields }],
  ['ResetBondsFlag', { index: RESET_BONDS, fields: noFields }],
  ['BigRaw', { index: BIG_RAW, fields: bigRawFields }],
];

export const commitmentData: Codec<CommitmentData> = {
  shape: variantShape('pallet_commitments::types::Data', variants),
  encode,
  decode,
};

/** What a field counts against the space limit, in bytes. */
export function spaceOf(data: CommitmentData): number {
  if (data.kind === 'TimelockEncrypted') return data.encrypted.length;
  return 'bytes' in data ? data.bytes.length : 0;
}

function encode(data: CommitmentData, out: ScaleWriter): void {
  switch (data.kind) {
    case 'None':
      out.u8(0);
      return;
    case 'ResetBondsFlag':
      out.u8(RESET_BONDS);
      return;
    case 'Raw':
      out.u8(FIRST_RAW + data.bytes.length);
      out.bytes(data.bytes);
      return;
    case 'Hash':
      out.u8(FIRST_HASH + HASH_NAMES.indexOf(data.algorithm));
      out.bytes(data.bytes);
      return;
    case 'BigRaw':
      out.u8(BIG_RAW);
      bigRawFields.encode(data.bytes, out);
      return;
    case 'TimelockEncrypted':
      out.u8(TIMELOCK);
      timelockFields.encode(data, out);
  }
}

function decode(input: ScaleReader): CommitmentData {
  const index = input.u8();
  if (index === 0) return { kind: 'None' };
  if (index < FIRST_HASH) return { kind: 'Raw', bytes: input.bytes(index - FIRST_RAW) };
  const algorithm = HASH_NAMES[index - FIRST_HASH];
  if (algorithm !== undefined) return { kind: 'Hash', algorithm, bytes: input.bytes(32) };
  if (index === TIMELOCK) return { kind: 'TimelockEncrypted', ...timelockFields.decode(input) };
  if (index === RESET_BONDS) return { kind: 'ResetBondsFlag' };
  if (index === BIG_RAW) return { kind: 'BigRaw', bytes: bigRawFields.decode(input) };
  throw new DevChainError('SCALE_MALFORMED', 'no such kind of commitment data');
}
