import { CacheonError, EXIT } from '../../config/errors.ts';
import { ConfigError, renderProblems } from '../../config/load/index.ts';
import { describeError } from '../log/describe.ts';

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
  const { code, fault, field, message, remedy } = error;
  const problems = error instanceof ConfigError ? { problems: error.problems } : {};
  const text = error instanceof ConfigError ? renderProblems(error) : `${code}: ${message}`;
  const exit = fault === 'operator' ? EXIT.operator : fault === 'infrastructure' ? EXIT.tryAgain : EXIT.failed;
  return {
    exit,
    error: { code, fault, field, message, remedy, ...problems },
    text: `${text}\nWhat to do: ${remedy}`,
  };
}
