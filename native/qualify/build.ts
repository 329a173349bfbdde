import type { CandidateRow } from '../../evaluator/candidate/types.ts';
import { type BuildFact, buildTasks, moduleOf } from '../../evaluator/evidence/index.ts';
import type { SlotModule } from '../lane/types.ts';
import { fail, undecided } from './attempt.ts';
import type { Measurement, SideModules } from './run.ts';

/**
 * Compiles the proposal's rows, then the incumbent's. Only a row of the proposal can fail the candidate.
 * @throws Ended build_failed, deadline or infrastructure
 */
export async function buildModules(measurement: Measurement): Promise<SideModules> {
  const { planned, attempt, dependencies, record } = measurement;
  record.stage = 'build';
  const modules = new Map<BuildFact, Uint8Array>();
  for (const task of buildTasks(planned)) {
    const actor = task.owner === 'proposal' ? 'candidate' : 'host';
    const outcome = await attempt.wait(actor, (signal) => dependencies.prebuild.build(task.row, signal));
    const milliseconds = outcome.ok ? Math.round(outcome.seconds * 1000) : 0;
    const detail = outcome.ok ? '' : outcome.detail;
    const fact: BuildFact = { task, sha256: outcome.ok ? outcome.sha256 : null, milliseconds, detail };
    record.build.push(fact);
    if (outcome.ok) modules.set(fact, outcome.wasm);
    else if (outcome.fault === 'candidate' && actor === 'candidate') throw fail('build_failed', outcome.detail);
    else throw undecided('infrastructure', outcome.detail);
  }
  const compiled = (row: CandidateRow): SlotModule => {
    const fact = moduleOf(record.build, row);
    const wasm = fact === undefined ? undefined : modules.get(fact);
    if (wasm === undefined) throw undecided('infrastructure', `the plan has no source for ${row.slot} ${row.variant}`);
    const { slot, variant, entry, prepare, domain } = row;
    return { slot, variant, wasm, entry, prepare, domain };
  };
  return { baseline: planned.baselineRows.map(compiled), candidate: planned.candidateRows.map(compiled) };
}
