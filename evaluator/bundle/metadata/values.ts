import { compareCodePoints } from '../../identity/index.ts';

/** Capability fields that hold integers >= 0, and those that hold text (`bundle-format.md` section 5). */
export const NUMERIC_FIELDS: ReadonlySet<string> = new Set(
  (
    'alignment batch_size block_size ep_size exp_tokens head_dim hidden_dim intermediate_dim kv_len last_dim ' +
    'num_experts num_kv_heads num_q_heads num_tokens page_size q_len top_k tp_size world_size'
  ).split(' '),
);
export const TEXT_FIELDS: ReadonlySet<string> = new Set(
  'architecture dtype graph_mode layout model phase quant runtime'.split(' '),
);

const FIELD_ALIASES = new Map([
  ['arch', 'architecture'],
  ['dtype_name', 'dtype'],
  ['ep', 'ep_size'],
  ['tp', 'tp_size'],
  ['world', 'world_size'],
  ['worldsize', 'world_size'],
]);
const DTYPES = new Map([
  ['bf16', 'bfloat16'],
  ['fp16', 'float16'],
  ['fp32', 'float32'],
]);
const GRAPH_MODES = new Map([
  ...['capture', 'capturing', 'cuda_graph', 'graph', 'graphs_on', 'on', 'replay'].map(
    (v) => [v, 'cuda_graph'] as const,
  ),
  ...['graphs_off', 'off'].map((v) => [v, 'eager'] as const),
]);

/** The canonical spelling of a capability field's name. */
export function canonicalField(name: string): string {
  const plain = name.trim().toLowerCase().replaceAll('-', '_');
  return FIELD_ALIASES.get(plain) ?? plain;
}

/** The canonical spelling of a text value of a capability field. */
export function canonicalValue(field: string, value: string): string {
  const trimmed = value.trim();
  if (field === 'model') return trimmed;
  const plain = trimmed.toLowerCase().replaceAll('-', '_');
  switch (field) {
    case 'dtype': {
      const bare = plain.replace(/^torch\./, '');
      return DTYPES.get(bare) ?? bare;
    }
    case 'architecture':
      return plain.replace(/^sm_/, 'sm');
    case 'graph_mode':
      return GRAPH_MODES.get(plain) ?? plain;
    case 'phase':
      return plain === 'extend' ? 'prefill' : plain;
    case 'quant':
      return plain === 'none' || plain === 'unquantized' ? 'dense' : plain;
    default:
      return plain;
  }
}

/** Canonical values of a list, each once, sorted by code point. */
export function canonicalList(field: string, values: readonly string[]): string[] {
  return [...new Set(values.map((value) => canonicalValue(field, value)))].sort(compareCodePoints);
}
