/**
 * Whose fault a failure is; it decides what happens next.
 *
 * - `candidate`: the miner's bytes break a rule. A verdict, final for those bytes.
 * - `peer`: another node sent something malformed or false. It costs that peer score.
 * - `operator`: this node cannot go on until a human acts. Exit 78, no restart loop.
 * - `infrastructure`: disk, network, chain or clock. NO_DECISION, retried within a bound.
 */
export type Fault = 'candidate' | 'peer' | 'operator' | 'infrastructure';

/** One row of an area's error table; `docs/ERRORS.md` is generated from these. */
export interface ErrorRow {
  readonly fault: Fault;
  /** What happened, in one sentence. */
  readonly what: string;
  /** What would be accepted, or what to do. */
  readonly remedy: string;
}

export type ErrorTable<C extends string> = Readonly<Record<C, ErrorRow>>;

export interface ErrorDetails {
  /** The field, path or row that was refused, e.g. `ops[0].source`. */
  readonly field?: string;
  /** Overrides the table's fault where the same check serves bytes of several origins. */
  readonly fault?: Fault;
  readonly cause?: unknown;
}

/**
 * Base of every error this project throws on purpose: a literal code, whose fault it is, and the field.
 * Messages never contain secrets, URLs with credentials, or candidate bytes.
 */
export class CacheonError<C extends string = string> extends Error {
  readonly code: C;
  readonly fault: Fault;
  readonly field: string | null;
  /** What would be accepted, or what to do: the table's. */
  readonly remedy: string;

  constructor(code: C, row: ErrorRow, message?: string, details: ErrorDetails = {}) {
    const where = details.field === undefined ? '' : `${details.field}: `;
    super(`${where}${message ?? row.what}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.fault = details.fault ?? row.fault;
    this.field = details.field ?? null;
    this.remedy = row.remedy;
  }
}

/** Exit codes of every process of this project (`names.md`, Processes). */
export const EXIT = { done: 0, failed: 1, usage: 2, tryAgain: 75, operator: 78 } as const;
