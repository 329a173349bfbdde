import { fieldsOf, SECTION_NAMES } from '../schema/index.ts';
import { variableName } from './environment.ts';
import type { ConfigError } from './errors.ts';
import type { Origin } from './layers.ts';
import type { LoadedConfig } from './load.ts';
import { REDACTED, redactUrl } from './redact.ts';

/** One line of `config show`. */
export interface ShownField {
  readonly field: string;
  readonly value: unknown;
  readonly origin: Origin;
  /** The variable that overrides it. */
  readonly variable: string;
}

/** The effective configuration with the origin of each value, secrets redacted. */
export function showConfig(loaded: LoadedConfig): ShownField[] {
  return SECTION_NAMES.flatMap((section) =>
    fieldsOf(section).map((field) => ({
      field: `${section}.${field}`,
      value: shown(field, (loaded.config[section] as Readonly<Record<string, unknown>>)[field]),
      origin: loaded.origins[section][field] as Origin,
      variable: variableName(section, field),
    })),
  );
}

function shown(field: string, value: unknown): unknown {
  if (value === null) return null;
  if (field === 'hotkey_uri') return REDACTED;
  if (field === 'endpoints') return (value as readonly string[]).map(redactUrl);
  if (field === 'archive_endpoint') return redactUrl(value as string);
  return value;
}

/** A small valid file, printed beside the problems of an invalid one. */
export const EXAMPLE = `[network]
preset = "finney"
netuid = 14

[node]
data_dir = "/var/lib/cacheon"

[keys]
hotkey_file = "/etc/cacheon/hotkey"
`;

/** All problems, one a line, and a valid example. */
export function renderProblems(error: ConfigError): string {
  const lines = error.problems.map((p) => `  ${p.field}: ${p.message}`);
  return [`${error.code}: ${lines.length} problem(s)`, ...lines, '', 'A valid example:', '', EXAMPLE].join('\n');
}
