export { type Environment, variableName } from './environment.ts';
export { CONFIG_ERRORS, ConfigError, type ConfigErrorCode, type ConfigProblem } from './errors.ts';
export type { Origin } from './layers.ts';
export { type LoadedConfig, loadConfig, parseConfig } from './load.ts';
export { REDACTED, redactUrl } from './redact.ts';
export { EXAMPLE, renderProblems, type ShownField, showConfig } from './show.ts';
