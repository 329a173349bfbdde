import { planAudit } from '../../evaluator/audit/index.ts';
import {
  attemptFile,
  auditFile,
  blocksFile,
  buildFile,
  type EvidenceFile,
  expectedLaunches,
  JSON_MEDIA_TYPE,
  type JsonName,
  launchFile,
  logFile,
  manifestsFile,
  OUTPUT_MEDIA_TYPE,
  outputName,
  planFile,
  type RunLog,
  referenceFile,
  scheduleFile,
  secretFile,
  selectionFile,
  trajectoryFile,
} from '../../evaluator/evidence/index.ts';
import { canonicalBytes, sha256Hex } from '../../evaluator/identity/index.ts';
import type { Attempt } from '../../evaluator/launch/index.ts';
import { proposedSlots } from '../../evaluator/regrade/index.ts';
import type { Measurement } from './run.ts';

/** A JSON evidence file. */
export function jsonFile(name: JsonName, value: unknown): EvidenceFile {
  return { name, bytes: canonicalBytes(value), mediaType: JSON_MEDIA_TYPE };
}

/** The files of a result without a plan. */
export function unplannedFiles(attempt: Attempt, secret: Uint8Array, log: RunLog): EvidenceFile[] {
  return [
    jsonFile('attempt.json', attemptFile(attempt)),
    jsonFile('secret.json', secretFile(secret)),
    jsonFile('log.json', logFile(log)),
  ];
}

/** Every file of a measurement, as far as it got (`names.md`, evidence files). */
export function measuredFiles(measurement: Measurement, secret: Uint8Array, log: RunLog): EvidenceFile[] {
  const { context, run, planned, record } = measurement;
  const files = unplannedFiles(run.attempt, secret, log);
  files.push(jsonFile('plan.json', planFile(run, planned)), jsonFile('manifests.json', manifestsFile(planned)));
  if (record.build.length > 0) files.push(jsonFile('build.json', buildFile(record.build)));
  if (record.audit !== null) {
    const plan = planAudit(run.seed, context.rules.evaluation.audit_policy, proposedSlots(planned));
    files.push(jsonFile('audit.json', auditFile(plan, record.audit.record)));
    for (const [index, bytes] of record.audit.outputs) {
      files.push({ name: outputName(index), bytes, mediaType: OUTPUT_MEDIA_TYPE });
    }
    files.push(jsonFile('launch.json', launches(measurement)));
  }
  if (record.schedule !== null) files.push(jsonFile('schedule.json', scheduleFile(record.schedule)));
  if (record.times.length > 0) files.push(jsonFile('blocks.json', blocksFile(finishedBlocks(record.times))));
  let sealed: string | null = null;
  if (record.trajectory !== null) {
    const file = jsonFile('trajectory.json', trajectoryFile(record.trajectory));
    sealed = sha256Hex(file.bytes);
    files.push(file);
  }
  files.push(jsonFile('selection.json', selectionFile(context, run, sealed)));
  if (record.grades !== null) files.push(jsonFile('reference.json', referenceFile(record.grades)));
  return files;
}

function launches({ context, run, planned, record, dependencies }: Measurement): unknown {
  const audited = 2;
  const { schedule, graded } = record;
  const timed = schedule !== null && record.facts.length > audited ? { schedule, graded } : null;
  const identities = expectedLaunches(context, run, planned, record.build, timed);
  return launchFile(identities, { runtime: dependencies.runtime, facts: record.facts });
}

/** The times without quads and pairs that were opened and have no finished block. */
function finishedBlocks(times: readonly (readonly (readonly number[])[])[]): number[][][] {
  return times
    .map((quads) => quads.filter((quad) => quad.length > 0).map((quad) => [...quad]))
    .filter((quads) => quads.length > 0);
}
