export { type Beacon, type BeaconSchedule, QUICKNET, roundAt, timeOfRound } from './beacon.ts';
export { type Ciphertext, parseCiphertext } from './ciphertext.ts';
export { TIMELOCK_ERRORS, TimelockError, type TimelockErrorCode } from './errors.ts';
export { COMMITMENT_CIPHERTEXT_MAX_BYTES, COMMITMENT_PLAINTEXT_MAX_BYTES } from './limits.ts';
export { pulsePublicKey, signPulse, verifyPulse } from './pulse.ts';
export { type TimelockDependencies, type TimelockRequest, timelockDecrypt, timelockEncrypt } from './seal.ts';
