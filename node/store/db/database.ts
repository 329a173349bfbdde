import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { StoreError, storeError } from '../errors.ts';
import { BUSY_TIMEOUT_MS } from '../limits.ts';

/** One row as SQLite returns it: integers are bigints. */
export type Row = Readonly<Record<string, unknown>>;

/** A prepared statement whose failures are StoreErrors. */
export interface Statement {
  get(...values: SQLInputValue[]): Row | undefined;
  all(...values: SQLInputValue[]): Row[];
  /** Number of rows changed. */
  run(...values: SQLInputValue[]): number;
}

/** SQLite as this project uses it: bigints, typed errors, and transactions that are neither nested nor asynchronous. */
export class Database {
  readonly path: string;
  readonly #db: DatabaseSync;

  constructor(path: string, options: { readOnly?: boolean } = {}) {
    this.path = path;
    this.#db = guard(() => new DatabaseSync(path, { readOnly: options.readOnly ?? false, timeout: BUSY_TIMEOUT_MS }));
  }

  exec(sql: string): void {
    guard(() => this.#db.exec(sql));
  }

  prepare(sql: string): Statement {
    const statement: StatementSync = guard(() => this.#db.prepare(sql));
    statement.setReadBigInts(true);
    return {
      get: (...values) => guard(() => statement.get(...values)),
      all: (...values) => guard(() => statement.all(...values)),
      run: (...values) => Number(guard(() => statement.run(...values)).changes),
    };
  }

  /** The first column of the first row of a pragma. */
  pragma(name: string): unknown {
    const row = this.prepare(`PRAGMA ${name}`).get();
    return row === undefined ? undefined : Object.values(row)[0];
  }

  /**
   * Runs `action` in one transaction that takes the write lock at once: all of it becomes durable, or nothing.
   * @throws StoreError STORE_TRANSACTION if nested or if `action` returns a promise; whatever `action` throws
   */
  transaction<T>(action: () => T): T {
    if (this.#db.isTransaction) throw new StoreError('STORE_TRANSACTION', 'transactions do not nest');
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = action();
      if (result instanceof Promise) throw new StoreError('STORE_TRANSACTION', 'a transaction cannot await');
      this.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite rolls back by itself on some errors (a full disk is one).
      if (this.#db.isTransaction) this.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }
}

function guard<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw storeError(error);
  }
}
