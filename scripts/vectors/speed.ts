import {
  formatDouble17,
  gradeResident,
  parseResidentPolicy,
  pythonFormat17,
  type ResidentReads,
  residentPolicyDigest,
  SpeedError,
} from '../../evaluator/speed/index.ts';
import type { VectorFamily } from './family.ts';

export const family: VectorFamily = {
  family: 'speed',
  run(input) {
    const policy = parseResidentPolicy(input['policy']);
    if (input['flow'] !== `v${policy.version}`) throw new SpeedError('SPEED_POLICY_INVALID', 'another version');
    const verdict = gradeResident(policy, input['reads'] as ResidentReads);
    const { precheck } = verdict;
    return {
      decision: verdict.decision,
      speedup: formatDouble17(verdict.speedup),
      required: formatDouble17(verdict.required),
      noise: verdict.noise === Number.POSITIVE_INFINITY ? 'inf' : pythonFormat17(verdict.noise),
      precheck_fail_below: precheck === null ? undefined : formatDouble17(precheck.failBelow),
      precheck_pass_at: precheck === null ? undefined : formatDouble17(precheck.passAt),
      reads: verdict.reads,
      policy_digest: residentPolicyDigest(policy),
    };
  },
};
