import { compareCodePoints, type TreeFile } from '../../identity/index.ts';
import { BundleError } from '../errors.ts';
import { decodeText } from '../toml.ts';
import { natural, type Predicate, readPredicate } from './predicate.ts';
import { canonicalField, canonicalList, NUMERIC_FIELDS, TEXT_FIELDS } from './values.ts';

/** What identity keeps of a metadata file; everything else in it is prose (`bundle-format.md` section 5). */
export interface MetadataProjection {
  readonly architectures?: readonly string[];
  readonly dtypes?: readonly string[];
  readonly quant?: readonly string[];
  readonly graph_safe?: true;
  readonly max_last_dim?: number;
  readonly max_num_tokens?: number;
  readonly min_num_tokens?: number;
  readonly capabilities?: Readonly<Record<string, Predicate>>;
}

const LISTS = { architectures: 'architecture', dtypes: 'dtype', quant: 'quant' } as const;
const LIMITS = ['max_last_dim', 'max_num_tokens', 'min_num_tokens'] as const;

/** Reads a metadata file and projects it. Duplicate keys and fractions in ignored fields pass, as the format says. */
export function projectMetadata(file: TreeFile): MetadataProjection {
  const at = `${file.path}: `;
  const object = readObject(file);
  const out: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(LISTS)) {
    const list = readList(object[key], field, `${at}${key}`);
    if (list.length > 0) out[key] = list;
  }
  if (object['graph_safe'] !== undefined && typeof object['graph_safe'] !== 'boolean') {
    throw new BundleError('METADATA_FIELD', 'not a boolean', { field: `${at}graph_safe` });
  }
  if (object['graph_safe'] === true) out['graph_safe'] = true;
  for (const key of LIMITS) {
    const value = object[key];
    if (value !== undefined && value !== null) out[key] = natural(value, `${at}${key}`);
  }
  const { min_num_tokens: min, max_num_tokens: max } = out as MetadataProjection;
  if (min !== undefined && max !== undefined && min > max) {
    throw new BundleError('METADATA_FIELD', 'over max_num_tokens', { field: `${at}min_num_tokens` });
  }
  const capabilities = readCapabilities(object['capabilities'], at);
  if (Object.keys(capabilities).length > 0) out['capabilities'] = capabilities;
  return out as MetadataProjection;
}

/** The bytes whose digest enters the payload: two-space indent, keys by code point, a final newline. */
export function projectedBytes(projection: MetadataProjection): Uint8Array {
  return Buffer.from(`${JSON.stringify(sortKeys(projection), null, 2)}\n`, 'utf8');
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const rows = Object.entries(value).sort(([a], [b]) => compareCodePoints(a, b));
  return Object.fromEntries(rows.map(([key, member]) => [key, sortKeys(member)]));
}

/** A number written with a fraction or an exponent is never an integer, whatever its value. */
function keepIntegersOnly(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && /[.eE]/.test(context?.source ?? '') ? Number.NaN : value;
}

function readObject(file: TreeFile): Record<string, unknown> {
  const text = decodeText(file.data);
  let value: unknown = null;
  try {
    if (text !== null) value = JSON.parse(text, keepIntegersOnly as (key: string, value: unknown) => unknown);
  } catch {
    // Falls through: the parser's own message would quote the file.
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BundleError('METADATA_JSON', undefined, { field: file.path });
  }
  return Object.assign(Object.create(null), value) as Record<string, unknown>;
}

function readList(value: unknown, field: string, at: string): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.some((v) => typeof v !== 'string' || v.trim() === '')) {
    throw new BundleError('METADATA_FIELD', 'an array of non-empty strings', { field: at });
  }
  return canonicalList(field, value as string[]);
}

function readCapabilities(value: unknown, at: string): Record<string, Predicate> {
  const out: Record<string, Predicate> = Object.create(null);
  if (value === undefined || value === null) return out;
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new BundleError('METADATA_FIELD', 'not an object', { field: `${at}capabilities` });
  }
  for (const [name, predicate] of Object.entries(value)) {
    const field = canonicalField(name);
    const where = `${at}capabilities.${field.slice(0, 64)}`;
    if (!NUMERIC_FIELDS.has(field) && !TEXT_FIELDS.has(field)) {
      throw new BundleError('METADATA_FIELD', 'unknown capability', { field: where });
    }
    if (Object.hasOwn(out, field)) throw new BundleError('METADATA_FIELD', 'the same field twice', { field: where });
    out[field] = readPredicate(field, predicate, where);
  }
  return out;
}
