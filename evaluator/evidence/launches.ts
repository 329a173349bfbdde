import type { CandidateRow, PlannedCandidate } from '../candidate/types.ts';
import { ObjectReader } from '../fields/index.ts';
import {
  type LaunchIdentity,
  type LaunchRole,
  laneSlots,
  launchDigest,
  nativePublicationDigest,
  parseRuntime,
  promptsDigest,
  type Runtime,
  sideOf,
} from '../launch/index.ts';
import type { BuildFact } from './build.ts';
import type { PlaceContext, Run } from './context.ts';
import { FACT_MAX_CHARS, FACTS_MAX } from './limits.ts';
import type { GradedSequence } from './sample.ts';
import type { Schedule } from './schedule.ts';

/** Version of the program protocol inside a lane, part of every launch. */
export const LANE_PROTOCOL_VERSION = 1;

/** Facts of the host about one launch: shown and kept, part of no identity. */
export type HostFacts = Readonly<Record<string, string | number | boolean>>;

export interface LaunchRecord {
  readonly runtime: Runtime;
  /** By launch, in the order of {@link expectedLaunches}. */
  readonly facts: readonly HostFacts[];
}

/**
 * Identities of every process of a run so far, in order: two for the audit, then B and C of each pair (B' is B's own
 * process), then T. B_prime is therefore never a launch of its own under this speed policy.
 */
export function expectedLaunches(
  context: PlaceContext,
  run: Run,
  planned: PlannedCandidate,
  build: readonly BuildFact[],
  timed: { readonly schedule: Schedule; readonly graded: readonly GradedSequence[] | null } | null,
): LaunchIdentity[] {
  const { reference } = context.rules;
  const slots = laneSlots(sideOf(context.place));
  const baseline = { tree: planned.incumbentTreeDigest, rows: planned.baselineRows, slot: slots.baseline };
  const candidate = { tree: planned.candidateTreeDigest, rows: planned.candidateRows, slot: slots.candidate };
  const pristine = { tree: reference.pristine_tree_digest, rows: [], slot: slots.baseline };
  const launch = (role: LaunchRole, side: typeof baseline | typeof pristine, prompts: readonly string[]) =>
    identity(context, role, side, build, prompts);
  const launches = [launch('A', candidate, []), launch('A', candidate, [])];
  if (timed === null) return launches;
  for (const pair of timed.schedule.pairs) {
    const prompts = [...pair.warmup, ...pair.halves.flat()].map((at) => run.pool[at]?.digest ?? '');
    launches.push(launch('B', baseline, prompts), launch('C', candidate, prompts));
  }
  if (timed.graded !== null) {
    launches.push(
      launch(
        'T',
        pristine,
        timed.graded.map((sequence) => sequence.digest),
      ),
    );
  }
  return launches;
}

function identity(
  context: PlaceContext,
  role: LaunchRole,
  side: { readonly tree: string; readonly rows: readonly CandidateRow[]; readonly slot: 0 | 1 },
  build: readonly BuildFact[],
  prompts: readonly string[],
): LaunchIdentity {
  const { arena, reference } = context.rules;
  const modules = side.rows.map((row) => ({
    slot: row.slot,
    variant: row.variant,
    sha256: moduleOf(build, row)?.sha256 ?? '',
  }));
  return {
    tree_digest: side.tree,
    native_publication_digest: nativePublicationDigest(modules),
    model_digest: arena.model_digest,
    tokenizer_digest: reference.tokenizer_digest,
    image_digest: null,
    topology: arena.topology,
    lane_slot: side.slot,
    graph_mode: 'eager',
    flags: [],
    workload_digest: arena.workload_digest,
    prompts_digest: promptsDigest(prompts),
    role,
    protocol_version: LANE_PROTOCOL_VERSION,
    seam_bindings: modules.map(({ slot, variant }) => ({ slot, variant })),
  };
}

/** The build of a row: the proposal's own, or the incumbent's of the same slot and variant. */
export function moduleOf(build: readonly BuildFact[], row: CandidateRow): BuildFact | undefined {
  const owner = row.proposed ? 'proposal' : 'incumbent';
  return build.find(
    ({ task }) => task.owner === owner && task.row.slot === row.slot && task.row.variant === row.variant,
  );
}

/** launch.json. */
export function launchFile(launches: readonly LaunchIdentity[], record: LaunchRecord): unknown {
  return {
    schema_version: 1,
    runtime: record.runtime,
    launches: launches.map((row, i) => ({ digest: launchDigest(row), identity: row, facts: record.facts[i] ?? {} })),
  };
}

/**
 * Reads the runtime and the host facts of launch.json; identities follow from the run and are compared as bytes.
 * @throws FieldError
 */
export function parseLaunch(value: unknown, count: number): LaunchRecord {
  const reader = new ObjectReader(value, 'launch', ['schema_version', 'runtime', 'launches']);
  const facts = reader.array('launches', count, count).map((row, i) => {
    const fields = new ObjectReader(row, `launch.launches[${i}]`, ['digest', 'identity', 'facts']);
    const values = Object.entries(fields.object('facts'));
    if (values.length > FACTS_MAX || !values.every(([key, fact]) => isFact(key, fact))) {
      fields.fail('FIELD_VALUE', 'facts');
    }
    return Object.fromEntries(values) as HostFacts;
  });
  return { runtime: parseRuntime(reader.raw('runtime')), facts };
}

/** Facts in the form they are kept in: bounded, whole numbers, printable ASCII. */
export function plainFacts(facts: HostFacts): HostFacts {
  const rows = Object.entries(facts).map(([key, fact]) => {
    if (typeof fact === 'number') return [key, Number.isFinite(fact) ? Math.round(fact) : String(fact)];
    return [key, typeof fact === 'string' ? fact.replace(/[^\x20-\x7e]+/g, ' ').slice(0, FACT_MAX_CHARS) : fact];
  });
  const kept = rows.filter(([key, fact]) => isFact(key as string, fact)).slice(0, FACTS_MAX);
  return Object.fromEntries(kept) as HostFacts;
}

function isFact(key: string, fact: unknown): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(key)) return false;
  if (typeof fact === 'string') return fact.length <= FACT_MAX_CHARS && /^[\x20-\x7e]*$/.test(fact);
  return typeof fact === 'boolean' || Number.isSafeInteger(fact);
}
