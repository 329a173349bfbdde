import { createHash } from 'node:crypto';
import { type BeaconSchedule, pulsePublicKey, roundAt, signPulse } from '../../timelock/index.ts';
import { type BeaconConfiguration, drandStorage, type Pulse } from '../runtime/index.ts';
import type { StateReader } from '../storage/index.ts';

export const PULSE_PERIOD_SECONDS = 3;
/** Pulses one block may add, so that catching up after a stop does not hold up blocks. */
export const PULSES_PER_BLOCK_MAX = 20;

/** The 32-byte beacon secret of a seed text: its sha256 with the top bits cleared, so that it is below the group order. */
export function beaconSecret(seed: string): Uint8Array {
  const secret = sha256(`cacheon-dev-beacon:${seed}`);
  secret[0]! &= 0x3f;
  return secret;
}

/** The chain's own drand: round 1 at genesis, a pulse every three seconds. */
export function beaconConfiguration(secret: Uint8Array, genesisTime: number): BeaconConfiguration {
  const publicKey = pulsePublicKey(secret);
  const hash = sha256(publicKey);
  return {
    publicKey,
    period: PULSE_PERIOD_SECONDS,
    genesisTime,
    hash,
    groupHash: hash,
    schemeId: Buffer.from('bls-unchained-g1-rfc9380'),
    metadata: { beaconId: Buffer.from('cacheon-dev') },
  };
}

/** The pulses that a block at `timestamp` (unix milliseconds) adds: those due and not stored yet, oldest first. */
export function duePulses(state: StateReader, timestamp: number, secret: Uint8Array): Pulse[] {
  const { genesisTime, period } = drandStorage.beaconConfig.get(state);
  const schedule: BeaconSchedule = { genesisTime, periodSeconds: period };
  const last = Number(drandStorage.lastStoredRound.get(state));
  const due = Math.min(roundAt(timestamp / 1000, schedule) - last, PULSES_PER_BLOCK_MAX);
  return Array.from({ length: Math.max(0, due) }, (_, index) => {
    const round = last + 1 + index;
    const signature = signPulse(round, secret);
    return { round: BigInt(round), randomness: sha256(signature), signature };
  });
}

function sha256(data: string | Uint8Array): Uint8Array {
  return Uint8Array.from(createHash('sha256').update(data).digest());
}
