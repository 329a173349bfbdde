import { CHAIN_ERRORS } from '../../chain/errors.ts';
import { TIMELOCK_ERRORS } from '../../chain/timelock/index.ts';
import { CacheonError, type ErrorTable, EXIT } from '../../config/errors.ts';
import { CONFIG_ERRORS, ConfigError, renderProblems } from '../../config/load/index.ts';
import { BUNDLE_ERRORS } from '../../evaluator/bundle/errors.ts';
import { IDENTITY_ERRORS } from '../../evaluator/identity/errors.ts';
import { PEER_ERRORS } from '../../evaluator/peer/errors.ts';
import { WASM_ERRORS } from '../../native/wasm/errors.ts';
import { INTAKE_ERRORS } from '../intake/errors.ts';
import { KEY_ERRORS } from '../keys/errors.ts';
import { LOCK_ERRORS } from '../lock/errors.ts';
import { describeError } from '../log/describe.ts';
import { MINER_ERRORS } from '../miner/errors.ts';
import { STATUS_ERRORS } from '../rpc/errors.ts';
import { STORE_ERRORS } from '../store/errors.ts';

const REMEDIES: ErrorTable<string> = {
  ...BUNDLE_ERRORS,
  ...CHAIN_ERRORS,
  ...CONFIG_ERRORS,
  ...IDENTITY_ERRORS,
  ...INTAKE_ERRORS,
  ...KEY_ERRORS,
  ...LOCK_ERRORS,
  ...MINER_ERRORS,
  ...PEER_ERRORS,
  ...STATUS_ERRORS,
  ...STORE_ERRORS,
  ...TIMELOCK_ERRORS,
  ...WASM_ERRORS,
};

/** What a failed command says and exits with. */
export interface Failure {
  readonly exit: number;
  /** For `--json`. */
  readonly error: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/**
 * The exit code says who must act: 78 the operator, 75 nobody, later, 1 whoever made the input. (`names.md`,
 * Processes.) Texts of foreign errors are not shown: they may quote what they were given.
 */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof CacheonError)) {
    const described = describeError(error);
    return { exit: EXIT.failed, error: described, text: `unexpected failure\n${JSON.stringify(described, null, 2)}` };
  }
  const remedy = REMEDIES[error.code]?.remedy ?? null;
  const { code, fault, field, message } = error;
  const problems = error instanceof ConfigError ? { problems: error.problems } : {};
  const text = error instanceof ConfigError ? renderProblems(error) : `${code}: ${message}`;
  const exit = fault === 'operator' ? EXIT.operator : fault === 'infrastructure' ? EXIT.tryAgain : EXIT.failed;
  return {
    exit,
    error: { code, fault, field, message, remedy, ...problems },
    text: remedy === null ? text : `${text}\nWhat to do: ${remedy}`,
  };
}
