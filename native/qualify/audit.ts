import {
  type AuditCase,
  type AuditPlan,
  agreesWithReference,
  caseInputs,
  floatBytes,
  outputSize,
  planAudit,
  shapeOf,
} from '../../evaluator/audit/index.ts';
import type { AuditFact, AuditMismatch, HostFacts } from '../../evaluator/evidence/index.ts';
import { sha256Hex } from '../../evaluator/identity/index.ts';
import { keptOutputs, proposedSlots } from '../../evaluator/regrade/index.ts';
import type { AuditCall, AuditOutput, SlotModule } from '../lane/types.ts';
import { fail } from './attempt.ts';
import { AUDIT_REQUEST_BYTES, AUDIT_REQUEST_CALLS } from './limits.ts';
import { type Measurement, withLane } from './run.ts';

/**
 * A: calls every proposed slot directly, compares with the trusted reference, and repeats sampled calls in a fresh
 * lane in another order. Untimed, and before anything is timed, so that a wrong kernel costs no block.
 * @throws Ended audit_mismatch, crashed, deadline or infrastructure
 */
export async function auditCandidate(measurement: Measurement, modules: readonly SlotModule[]): Promise<void> {
  const { context, run, planned, record } = measurement;
  record.stage = 'audit';
  const policy = context.rules.evaluation.audit_policy;
  const plan = planAudit(run.seed, policy, proposedSlots(planned));
  const first = await callAll(measurement, modules, plan.cases);
  const repeats = plan.repeats.map((index) => plan.cases[index] as AuditCase);
  const second = await callAll(measurement, modules, repeats);
  const again = new Map(repeats.map((row, i) => [row.index, second.outputs[i] as AuditOutput]));

  const bytes = first.outputs.map((output) => floatBytes(output.output));
  const facts = first.outputs.map((output, i): AuditFact => {
    const repeat = again.get(i);
    return {
      sha256: sha256Hex(bytes[i] as Uint8Array),
      clean: output.clean && repeat?.clean !== false,
      used_candidate: output.usedCandidate,
      repeat_sha256: repeat === undefined ? null : sha256Hex(floatBytes(repeat.output)),
    };
  });
  const agrees = (row: AuditCase) =>
    agreesWithReference(run.seed, policy, row, (first.outputs[row.index] as AuditOutput).output);
  const mismatch = firstMismatch(plan, facts, agrees);
  const kept = keptOutputs(plan, { facts, mismatch });
  const outputs = new Map(kept.map((row) => [row.index, bytes[row.index] as Uint8Array]));
  record.audit = { record: { facts, mismatch }, outputs };
  record.facts.push(first.facts, second.facts);
  if (mismatch === null) return;
  const row = plan.cases[mismatch.index] as AuditCase;
  throw fail('audit_mismatch', `case ${row.index} of ${row.slot} ${row.args.join('x')}: ${mismatch.kind}`);
}

function firstMismatch(
  plan: AuditPlan,
  facts: readonly AuditFact[],
  agrees: (row: AuditCase) => boolean,
): AuditMismatch | null {
  for (const row of plan.cases) {
    const fact = facts[row.index] as AuditFact;
    if (!fact.clean) return { index: row.index, kind: 'unclean' };
    if (!agrees(row)) return { index: row.index, kind: 'tolerance' };
    if (fact.repeat_sha256 !== null && fact.repeat_sha256 !== fact.sha256) return { index: row.index, kind: 'repeat' };
  }
  return null;
}

/** Runs the cases in order in one fresh lane, in requests of a bounded size. */
async function callAll(
  measurement: Measurement,
  modules: readonly SlotModule[],
  cases: readonly AuditCase[],
): Promise<{ outputs: AuditOutput[]; facts: HostFacts }> {
  const { run, attempt } = measurement;
  return withLane(measurement, 'candidate', modules, async (lane, facts) => {
    const outputs: AuditOutput[] = [];
    for (const request of requests(run.seed, cases)) {
      outputs.push(...(await attempt.wait('candidate', (signal) => lane.audit(request, signal))));
    }
    return { outputs, facts };
  });
}

function* requests(seed: string, cases: readonly AuditCase[]): Generator<AuditCall[]> {
  let calls: AuditCall[] = [];
  let bytes = 0;
  for (const row of cases) {
    const inputs = caseInputs(seed, row);
    const size = 4 * inputs.reduce((sum, input) => sum + input.length, outputSize(row.slot, row.args));
    if (calls.length === AUDIT_REQUEST_CALLS || (calls.length > 0 && bytes + size > AUDIT_REQUEST_BYTES)) {
      yield calls;
      calls = [];
      bytes = 0;
    }
    calls.push({ slot: row.slot, shape: shapeOf(row.slot, row.args), inputs });
    bytes += size;
  }
  if (calls.length > 0) yield calls;
}
