import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { AuthoredBlock, Block } from '../block/index.ts';
import { DevChainError } from '../errors.ts';
import { bytes, decodeAll, encoded, vec } from '../scale/index.ts';
import type { StateReader } from '../storage/index.ts';
import { APPLICATION_ID, SCHEMA, SQL } from './schema.ts';

const extrinsicsCodec = vec(bytes);

type Statements = { readonly [K in keyof typeof SQL]: StatementSync };

/** Every block and every block's state. A block is there with all it changed, or not at all. */
export class ChainStore {
  readonly #database: DatabaseSync;
  readonly #sql: Statements;

  /** DEVCHAIN_DATABASE_CORRUPT or DEVCHAIN_DATABASE_BUSY where the file cannot be used. */
  constructor(path: string) {
    this.#database = open(path);
    const entries = Object.entries(SQL).map(([name, sql]) => [name, this.#database.prepare(sql)]);
    this.#sql = Object.fromEntries(entries) as Statements;
  }

  head(): Block | null {
    const row = this.#sql.head.get();
    return row === undefined ? null : blockOf(row);
  }

  block(height: number): Block | null {
    const row = this.#sql.block.get(height);
    return row === undefined ? null : blockOf(row);
  }

  heightOf(hash: Uint8Array): number | null {
    const row = this.#sql.heightOf.get(hash);
    return row === undefined ? null : Number(row['height']);
  }

  /** The state after the block of that height. */
  stateAt(height: number): StateReader {
    return {
      read: (key) => {
        const row = this.#sql.read.get(key, height);
        const value = row?.['value'] ?? null;
        return value === null ? null : (value as Uint8Array);
      },
    };
  }

  /** Up to `count` present keys with the prefix, ascending, those after `after` if it is not empty. */
  keysAt(height: number, prefix: Uint8Array, after: Uint8Array, count: number): Uint8Array[] {
    const rows = this.#sql.keys.all(prefix, prefixEnd(prefix), after, height, count);
    return rows.map((row) => row['key'] as Uint8Array);
  }

  meta(name: string): Uint8Array | null {
    const row = this.#sql.getMeta.get(name);
    return row === undefined ? null : (row['value'] as Uint8Array);
  }

  finalizedHeight(): number {
    const value = this.meta('finalized');
    return value === null ? 0 : Number(Buffer.from(value).toString('utf8'));
  }

  /** Adds a block, what it changed, the finalized height and other `meta` in one transaction, on disk when this returns. */
  commit(block: AuthoredBlock, finalizedHeight: number, meta: Readonly<Record<string, Uint8Array>> = {}): void {
    const { header, hash, extrinsics, changes } = block;
    this.#transaction(() => {
      const body = encoded(extrinsicsCodec, extrinsics);
      this.#sql.addBlock.run(header.number, hash, header.parentHash, header.stateRoot, header.extrinsicsRoot, body);
      for (const { key, value } of changes) this.#sql.write.run(key, header.number, value);
      const entries = { ...meta, finalized: Buffer.from(String(finalizedHeight)) };
      for (const [name, value] of Object.entries(entries)) this.#sql.setMeta.run(name, value);
    });
  }

  /** Removes values that no height from `floor` on can see. */
  prune(floor: number): void {
    this.#sql.prune.run(floor);
  }

  #transaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}

function open(path: string): DatabaseSync {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path);
    // Exclusive: a second process on the same file is refused, and a kill -9 frees it.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    prepareSchema(database);
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof DevChainError) throw cause;
    const busy = (cause as { readonly errcode?: number }).errcode === 5;
    throw new DevChainError(busy ? 'DEVCHAIN_DATABASE_BUSY' : 'DEVCHAIN_DATABASE_CORRUPT', undefined, {
      field: path,
      cause,
    });
  }
}

function prepareSchema(database: DatabaseSync): void {
  const pragma = (name: string): unknown => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  const tables = database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'").get();
  if (Number(tables?.['n']) === 0) {
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA} PRAGMA application_id = ${APPLICATION_ID}; COMMIT`);
    return;
  }
  if (pragma('application_id') !== APPLICATION_ID) {
    throw new DevChainError('DEVCHAIN_DATABASE_CORRUPT', 'not a database of the development chain');
  }
  const check = pragma('quick_check');
  if (check !== 'ok') throw new DevChainError('DEVCHAIN_DATABASE_CORRUPT', String(check));
}

function blockOf(row: Readonly<Record<string, unknown>>): Block {
  const blob = (name: string): Uint8Array => row[name] as Uint8Array;
  return {
    header: {
      number: Number(row['height']),
      parentHash: blob('parent_hash'),
      stateRoot: blob('state_root'),
      extrinsicsRoot: blob('extrinsics_root'),
    },
    hash: blob('hash'),
    extrinsics: decodeAll(extrinsicsCodec, blob('extrinsics')),
  };
}

/** The first key after all keys with the prefix. */
function prefixEnd(prefix: Uint8Array): Uint8Array {
  const end = Uint8Array.from(prefix);
  for (let index = end.length - 1; index >= 0; index -= 1) {
    if (end[index]! < 0xff) {
      end[index]! += 1;
      return end.subarray(0, index + 1);
    }
  }
  return new Uint8Array(256).fill(0xff);
}
