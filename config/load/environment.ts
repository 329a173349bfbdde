import { fieldsOf, SECTION_NAMES, SECTIONS, type SectionName } from '../schema/index.ts';
import type { ConfigProblem } from './errors.ts';
import type { RawLayer } from './layers.ts';

const PREFIX = 'CACHEON_';

/** Variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that overrides one field, e.g. `CACHEON_NETWORK_NETUID`. */
export function variableName(section: SectionName, field: string): string {
  return `${PREFIX}${section.toUpperCase()}_${field.toUpperCase()}`;
}

/**
 * Reads the overrides of an environment. Lists are comma separated, an empty text means null or an empty list. A
 * variable that names a section but none of its fields is a problem, not noise.
 */
export function readEnvironment(environment: Environment): { layer: RawLayer; problems: ConfigProblem[] } {
  const layer: Partial<Record<SectionName, Record<string, unknown>>> = {};
  const problems: ConfigProblem[] = [];
  for (const section of SECTION_NAMES) {
    const prefix = variableName(section, '');
    const values: Record<string, unknown> = {};
    const known = new Map(fieldsOf(section).map((field) => [variableName(section, field), field]));
    for (const [name, text] of Object.entries(environment)) {
      if (!name.startsWith(prefix) || text === undefined) continue;
      const field = known.get(name);
      if (field === undefined) problems.push({ field: name, message: 'no such field; see `cacheon-node config show`' });
      else values[field] = convert(section, field, text);
    }
    layer[section] = values;
  }
  return { layer, problems };
}

/** Turns text into what the field's schema wants; what cannot be converted stays text and is refused by the schema. */
function convert(section: SectionName, field: string, text: string): unknown {
  const schema = (SECTIONS[section].shape as Record<string, { safeParse(value: unknown): { success: boolean } }>)[
    field
  ];
  const candidates: unknown[] = [text === '' ? null : text, text === '' ? [] : text.split(',').map((t) => t.trim())];
  if (/^(?:0|[1-9][0-9]{0,9})$/.test(text)) candidates.push(Number(text));
  if (text === 'true' || text === 'false') candidates.push(text === 'true');
  return candidates.find((value) => schema?.safeParse(value).success) ?? (text === '' ? null : text);
}
