import { readFileSync, statSync } from 'node:fs';
import { parse, TomlError } from 'smol-toml';
import type { ZodError } from 'zod';
import { CONFIG_MAX_BYTES, type NodeConfig, SECTION_NAMES, SECTIONS, type SectionName } from '../schema/index.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { ConfigError, type ConfigProblem } from './errors.ts';
import { type Merged, mergeLayers, type RawLayer } from './layers.ts';
import { crossProblems } from './rules.ts';

/** A valid configuration and where each of its values came from. */
export interface LoadedConfig {
  readonly config: NodeConfig;
  readonly origins: Merged['origins'];
}

/**
 * Reads one node's configuration: the TOML file, then the environment on top.
 * @throws ConfigError (operator, exit 78) with every problem at once
 */
export function loadConfig(path: string, environment: Environment): LoadedConfig {
  let text: string;
  try {
    if (statSync(path).size > CONFIG_MAX_BYTES) {
      throw new ConfigError('CONFIG_INVALID', [{ field: path, message: `larger than ${CONFIG_MAX_BYTES} bytes` }]);
    }
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    const reason = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new ConfigError('CONFIG_UNREADABLE', [{ field: path, message: reason }], { cause });
  }
  return parseConfig(text, environment);
}

/** As {@link loadConfig}, from the text of the file. */
export function parseConfig(toml: string, environment: Environment): LoadedConfig {
  const problems: ConfigProblem[] = [];
  const file = readFile(toml, problems);
  const overrides = readEnvironment(environment);
  problems.push(...overrides.problems);
  const merged = mergeLayers(file, overrides.layer);
  const config: Partial<Record<SectionName, unknown>> = {};
  for (const section of SECTION_NAMES) {
    const result = SECTIONS[section].safeParse({ ...merged.values[section] });
    if (result.success) config[section] = result.data;
    else problems.push(...sectionProblems(section, result.error));
  }
  problems.push(...crossProblems(config as Partial<NodeConfig>));
  if (problems.length > 0) throw new ConfigError('CONFIG_INVALID', problems);
  return { config: config as NodeConfig, origins: merged.origins };
}

function readFile(toml: string, problems: ConfigProblem[]): RawLayer {
  let table: Record<string, unknown>;
  try {
    table = parse(toml);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    // Nothing else can be said about a file that does not parse. The library's message quotes the line: left out.
    const at = { field: `line ${cause.line}, column ${cause.column}`, message: 'not valid TOML' };
    throw new ConfigError('CONFIG_INVALID', [at]);
  }
  const layer: Partial<Record<SectionName, Record<string, unknown>>> = {};
  for (const [name, value] of Object.entries(table)) {
    const section = SECTION_NAMES.find((s) => s === name);
    if (section === undefined) problems.push({ field: name, message: 'no such section' });
    else if (!isTable(value)) problems.push({ field: name, message: 'must be a table' });
    else layer[section] = value;
  }
  return layer;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function sectionProblems(section: SectionName, error: ZodError): ConfigProblem[] {
  return error.issues.flatMap((issue) => {
    const field = [section, ...issue.path].join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ field: `${section}.${key}`, message: 'no such field' }));
    }
    const missing = issue.code === 'invalid_type' && issue.input === undefined && issue.path.length === 1;
    return [{ field, message: missing ? 'is required' : issue.message }];
  });
}
