import { ObjectReader } from '../fields/index.ts';
import type { BuildTask } from './context.ts';
import { DETAIL, plainDetail } from './log.ts';

/** What became of one row at the compiler. */
export interface BuildFact {
  readonly task: BuildTask;
  /** Digest of the compiled module, null if there is none. */
  readonly sha256: string | null;
  readonly milliseconds: number;
  readonly detail: string;
}

/** build.json. */
export function buildFile(facts: readonly BuildFact[]): unknown {
  return {
    schema_version: 1,
    rows: facts.map(({ task, sha256, milliseconds, detail }) => ({
      owner: task.owner,
      slot: task.row.slot,
      variant: task.row.variant,
      source: task.row.source,
      sha256,
      milliseconds,
      detail: plainDetail(detail),
    })),
  };
}

/**
 * Reads build.json against the rows the plan builds: a prefix of them, in their order.
 * @throws FieldError
 */
export function parseBuild(value: unknown, tasks: readonly BuildTask[]): BuildFact[] {
  const reader = new ObjectReader(value, 'build', ['schema_version', 'rows']);
  reader.literal('schema_version', 1);
  const keys = ['owner', 'slot', 'variant', 'source', 'sha256', 'milliseconds', 'detail'] as const;
  return reader.array('rows', 0, tasks.length).map((row, i) => {
    const task = tasks[i] as BuildTask;
    const fields = new ObjectReader(row, `build.rows[${i}]`, keys);
    fields.literal('owner', task.owner);
    fields.literal('slot', task.row.slot);
    fields.literal('variant', task.row.variant);
    fields.literal('source', task.row.source);
    return {
      task,
      sha256: fields.raw('sha256') === null ? null : fields.digest('sha256'),
      milliseconds: fields.integer('milliseconds', 0),
      detail: fields.text('detail', DETAIL),
    };
  });
}
