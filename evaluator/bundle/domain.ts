import type { FieldRange } from '../candidate/types.ts';
import { BundleError } from './errors.ts';
import type { Predicate, Scalar } from './metadata/predicate.ts';
import type { MetadataProjection } from './metadata/project.ts';

/** Conditions of a variant by canonical field; all must hold. */
export type Domain = Readonly<Record<string, FieldRange>>;

/** The conjunction of everything a row's metadata says. Refuses a domain that no call can match. */
export function rowDomain(projection: MetadataProjection | null, field: string): Domain {
  const domain: Record<string, FieldRange> = Object.create(null);
  const add = (name: string, range: FieldRange): void => {
    const merged = intersect(domain[name], range);
    if (merged === null) throw new BundleError('DOMAIN_EMPTY', `conditions on ${name} exclude each other`, { field });
    domain[name] = merged;
  };
  const p = projection ?? {};
  if (p.architectures !== undefined) add('architecture', { oneOf: p.architectures });
  if (p.dtypes !== undefined) add('dtype', { oneOf: p.dtypes });
  if (p.quant !== undefined) add('quant', { oneOf: p.quant });
  if (p.max_last_dim !== undefined) add('last_dim', { max: p.max_last_dim });
  if (p.max_num_tokens !== undefined) add('num_tokens', { max: p.max_num_tokens });
  if (p.min_num_tokens !== undefined) add('num_tokens', { min: p.min_num_tokens });
  for (const [name, predicate] of Object.entries(p.capabilities ?? {})) add(name, asRange(predicate));
  if (p.graph_safe !== true && domain['graph_mode'] !== undefined) {
    const modes = domain['graph_mode'].oneOf?.filter((mode) => mode !== 'cuda_graph') ?? [];
    if (modes.length === 0) throw new BundleError('DOMAIN_EMPTY', 'graph_mode without graph_safe', { field });
    domain['graph_mode'] = { oneOf: modes };
  }
  return domain;
}

/** Two rows of one slot must be disjoint on at least one field; no row wins by its place. */
export function checkDisjoint(rows: readonly { readonly slot: string; readonly domain: Domain }[]): void {
  rows.forEach((row, i) => {
    rows.slice(i + 1).forEach((other, j) => {
      if (other.slot !== row.slot) return;
      const apart = Object.keys(row.domain).some((name) => {
        const range = other.domain[name];
        return range !== undefined && intersect(row.domain[name], range) === null;
      });
      if (!apart) throw new BundleError('DOMAIN_OVERLAP', undefined, { field: `ops[${i}] and ops[${i + 1 + j}]` });
    });
  });
}

function asRange(predicate: Predicate): FieldRange {
  if ('exact' in predicate) return { oneOf: [predicate.exact] };
  if ('one_of' in predicate) return { oneOf: predicate.one_of };
  return predicate as FieldRange;
}

/** The values both admit; null if there are none. Numbers are integers >= 0. */
function intersect(a: FieldRange | undefined, b: FieldRange): FieldRange | null {
  if (a === undefined) return b;
  const min = Math.max(a.min ?? 0, b.min ?? 0);
  const max = Math.min(a.max ?? Number.POSITIVE_INFINITY, b.max ?? Number.POSITIVE_INFINITY);
  if (min > max) return null;
  const sets = [a.oneOf, b.oneOf].filter((set) => set !== undefined);
  if (sets[0] === undefined) {
    return { ...(min === 0 ? {} : { min }), ...(max === Number.POSITIVE_INFINITY ? {} : { max }) };
  }
  const inRange = (value: Scalar): boolean => typeof value === 'string' || (value >= min && value <= max);
  const oneOf = sets[0].filter((value) => inRange(value) && sets.every((set) => set.includes(value)));
  return oneOf.length === 0 ? null : { oneOf };
}
