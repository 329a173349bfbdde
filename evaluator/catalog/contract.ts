import type { Correctness, Tolerance } from '../../config/arena/catalog-types.ts';
import { isSortedSet, ObjectReader, TARGET_ID } from '../fields/index.ts';
import { canonicalDigest } from '../identity/index.ts';
import { DOMAIN } from './constants.ts';
import { normalizeDecimal } from './decimal.ts';
import { CatalogError } from './errors.ts';

/** The contract of one slot in normal form (`protocol.md` section 5). */
export interface SlotContract {
  readonly schema_version: 1;
  readonly slot_id: string;
  readonly kind: 'op' | 'block' | 'collective';
  readonly entry: string;
  readonly prepare: string | null;
  readonly graph_dynamic_inputs: readonly string[];
  readonly input_abi_id: string;
  readonly output_abi_id: string;
  readonly reference_id: string;
  readonly verification_profile_id: string;
  readonly binding_family_id: string;
  readonly correctness: Correctness;
  readonly tolerances: readonly Tolerance[];
  readonly kl_threshold: string | null;
}

const KEYS = [
  'schema_version',
  'slot_id',
  'kind',
  'entry',
  'prepare',
  'graph_dynamic_inputs',
  'input_abi_id',
  'output_abi_id',
  'reference_id',
  'verification_profile_id',
  'binding_family_id',
  'correctness',
  'tolerances',
  'kl_threshold',
];
const CORRECTNESS_KEYS = ['mode', 'top_k', 'min_ratio', 'min_cosine', 'max_rel_norm_err', 'min_overlap'];
const IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;

/**
 * Reads a contract as written: closed, decimals brought to normal form, absent correctness fields defaulted.
 * @throws FieldError, CatalogError
 */
export function readContract(value: unknown, at: string): SlotContract {
  const reader = new ObjectReader(value, at, KEYS);
  const inputs = reader.texts('graph_dynamic_inputs', IDENTIFIER);
  if (new Set(inputs).size !== inputs.length) {
    throw new CatalogError('CATALOG_CONTRACT', 'a dynamic input twice', { field: reader.at('graph_dynamic_inputs') });
  }
  const threshold = reader.raw('kl_threshold');
  return {
    schema_version: reader.literal('schema_version', 1),
    slot_id: reader.text('slot_id', TARGET_ID),
    kind: reader.oneOf('kind', ['op', 'block', 'collective']),
    entry: reader.text('entry', IDENTIFIER),
    prepare: reader.raw('prepare') === null ? null : reader.text('prepare', IDENTIFIER),
    graph_dynamic_inputs: inputs,
    input_abi_id: reader.text('input_abi_id', TARGET_ID),
    output_abi_id: reader.text('output_abi_id', TARGET_ID),
    reference_id: reader.text('reference_id', TARGET_ID),
    verification_profile_id: reader.text('verification_profile_id', TARGET_ID),
    binding_family_id: reader.text('binding_family_id', TARGET_ID),
    correctness: readCorrectness(reader.raw('correctness'), reader.at('correctness')),
    tolerances: readTolerances(reader),
    kl_threshold: threshold === null ? null : normalizeDecimal(threshold, reader.at('kl_threshold')),
  };
}

export function contractDigest(contract: SlotContract): string {
  return canonicalDigest(DOMAIN.contract, contract);
}

function readCorrectness(value: unknown, at: string): Correctness {
  const reader = new ObjectReader(value, at, [], CORRECTNESS_KEYS);
  const decimal = (key: string, absent: string) =>
    reader.has(key) ? normalizeDecimal(reader.raw(key), reader.at(key)) : absent;
  return {
    mode: reader.has('mode')
      ? reader.oneOf('mode', ['allclose', 'matched_ratio', 'cosine', 'topk_overlap'])
      : 'allclose',
    top_k: reader.has('top_k') ? reader.integer('top_k', 0) : 0,
    min_ratio: decimal('min_ratio', '1'),
    min_cosine: decimal('min_cosine', '0'),
    max_rel_norm_err: decimal('max_rel_norm_err', '0'),
    min_overlap: decimal('min_overlap', '0'),
  };
}

function readTolerances(reader: ObjectReader): Tolerance[] {
  const at = reader.at('tolerances');
  const rows = reader.array('tolerances').map((value, i) => {
    const row = new ObjectReader(value, `${at}[${i}]`, ['dtype', 'atol', 'rtol']);
    return {
      dtype: row.text('dtype', TARGET_ID),
      atol: normalizeDecimal(row.raw('atol'), row.at('atol')),
      rtol: normalizeDecimal(row.raw('rtol'), row.at('rtol')),
    };
  });
  if (!isSortedSet(rows.map((row) => row.dtype))) {
    throw new CatalogError('CATALOG_CONTRACT', 'dtypes not sorted, or one twice', { field: at });
  }
  return rows;
}
