export { SPEED_ERRORS, SpeedError, type SpeedErrorCode } from './errors.ts';
export { formatDouble17, pythonFormat17 } from './format.ts';
export {
  addFractions,
  compareFractions,
  divideFractions,
  type Fraction,
  fractionToDouble,
  medianFraction,
} from './fraction.ts';
export {
  gradePaired,
  pairRatio,
  pairsNeeded,
  ppmText,
  type QuadTimes,
  type QuadTokens,
  type SpeedVerdict,
} from './paired.ts';
export { PAIRED_PREVIEW_V9, parseSpeedPolicy, type SpeedPolicy, speedPolicyDigest } from './policy.ts';
export { scaleByPowerOfTwo } from './power.ts';
export { gradeResident, type ResidentRead, type ResidentReads, type ResidentVerdict } from './resident.ts';
export { parseResidentPolicy, type ResidentPolicy, residentPolicyDigest } from './resident-policy.ts';
