import { TimelockError } from './errors.ts';
import { ROUND_MAX } from './limits.ts';

export interface BeaconSchedule {
  /** Unix seconds of round 1. */
  readonly genesisTime: number;
  readonly periodSeconds: number;
}

export interface Beacon extends BeaconSchedule {
  /** Hex of the compressed G2 point. */
  readonly publicKey: string;
  readonly chainHash: string;
}

/** drand quicknet, the beacon that subtensor's pallet-drand follows. */
export const QUICKNET: Beacon = {
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451' +
    '0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  chainHash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  genesisTime: 1_692_803_367,
  periodSeconds: 3,
};

/** The latest round whose pulse exists at `unixSeconds`; TIME_RANGE before round 1. */
export function roundAt(unixSeconds: number, schedule: BeaconSchedule): number {
  checkSchedule(schedule);
  if (!Number.isFinite(unixSeconds) || unixSeconds < schedule.genesisTime) throw new TimelockError('TIME_RANGE');
  return Math.floor((unixSeconds - schedule.genesisTime) / schedule.periodSeconds) + 1;
}

/** Unix seconds at which the pulse of `round` (from 1) is due. */
export function timeOfRound(round: number, schedule: BeaconSchedule): number {
  checkSchedule(schedule);
  if (!Number.isSafeInteger(round) || round < 1) throw new TimelockError('ROUND_RANGE');
  return schedule.genesisTime + (round - 1) * schedule.periodSeconds;
}

/** `round` as the 8 big-endian bytes that identify a pulse. */
export function roundBytes(round: number | bigint): Uint8Array {
  if (typeof round === 'number' && !Number.isSafeInteger(round)) throw new TimelockError('ROUND_RANGE');
  const exact = BigInt(round);
  if (exact < 0n || exact > ROUND_MAX) throw new TimelockError('ROUND_RANGE');
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(exact);
  return bytes;
}

function checkSchedule({ genesisTime, periodSeconds }: BeaconSchedule): void {
  if (!Number.isFinite(genesisTime) || !Number.isFinite(periodSeconds) || periodSeconds <= 0) {
    throw new TimelockError('TIME_RANGE');
  }
}
