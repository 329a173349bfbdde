import {
  type AuditCase,
  type AuditPlan,
  agreesWithReference,
  outputSize,
  planAudit,
  readFloats,
} from '../audit/index.ts';
import type { PlannedCandidate } from '../candidate/types.ts';
import { type AuditRecord, outputName, parseAudit, type Run } from '../evidence/index.ts';
import { sha256Hex } from '../identity/index.ts';
import type { Rules } from '../launch/index.ts';
import { claim, ensure } from './errors.ts';
import type { EvidenceFiles } from './files.ts';

/** The slots of the proposal: what is audited. */
export function proposedSlots(planned: PlannedCandidate): PlannedCandidate['candidateRows'][number]['slot'][] {
  return [...new Set(planned.candidateRows.filter((row) => row.proposed).map((row) => row.slot))];
}

/**
 * Checks audit.json and its outputs against our own reference.
 * @returns true if the audit refutes the candidate (reason audit_mismatch)
 */
export function checkAudit(rules: Rules, run: Run, planned: PlannedCandidate, files: EvidenceFiles): boolean {
  const policy = rules.evaluation.audit_policy;
  const plan = planAudit(run.seed, policy, proposedSlots(planned));
  const record = claim('AUDIT', () => parseAudit(files.json('audit.json'), plan));
  const kept = keptOutputs(plan, record);
  const names = kept.map((row) => outputName(row.index));
  ensure(names.join() === files.outputs().join(), 'FILES', 'outputs other than those of the sampled cases');
  const disagree = new Set<number>();
  for (const row of kept) {
    const bytes = files.bytes(outputName(row.index));
    ensure(sha256Hex(bytes) === record.facts[row.index]?.sha256, 'AUDIT', `case ${row.index}: another output`);
    const output = readFloats(bytes, outputSize(row.slot, row.args));
    ensure(output !== null, 'AUDIT', `case ${row.index}: an output of another size`);
    if (!agreesWithReference(run.seed, policy, row, output)) disagree.add(row.index);
  }
  requireConsistent(plan, record, disagree);
  return record.mismatch !== null;
}

/** Cases whose whole output is evidence: the sampled ones, and one outside its tolerance if that is the verdict. */
export function keptOutputs(plan: AuditPlan, record: AuditRecord): AuditCase[] {
  const { mismatch } = record;
  return plan.cases.filter((row) => row.sampled || (mismatch?.kind === 'tolerance' && mismatch.index === row.index));
}

/** A claimed mismatch must show in the facts; without one nothing may show. */
function requireConsistent(plan: AuditPlan, record: AuditRecord, disagree: ReadonlySet<number>): void {
  const shows = (row: AuditCase, kind: 'tolerance' | 'unclean' | 'repeat'): boolean => {
    const fact = record.facts[row.index];
    if (kind === 'unclean') return fact?.clean === false;
    if (kind === 'repeat') return row.repeated && fact?.repeat_sha256 !== fact?.sha256;
    return disagree.has(row.index);
  };
  const { mismatch } = record;
  if (mismatch !== null) {
    const row = plan.cases[mismatch.index] as AuditCase;
    ensure(shows(row, mismatch.kind), 'AUDIT', `case ${mismatch.index} does not show what is claimed`);
    return;
  }
  for (const row of plan.cases) {
    const hidden = (['unclean', 'repeat', 'tolerance'] as const).find((kind) => shows(row, kind));
    ensure(hidden === undefined, 'AUDIT', `case ${row.index} shows what is not claimed: ${hidden}`);
  }
}
