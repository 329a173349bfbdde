import { readdirSync, readFileSync } from 'node:fs';
import { StoreError } from '../errors.ts';
import type { Database } from './database.ts';

const FOLDER = new URL('../sql/', import.meta.url);
const NAME = /^([0-9]{6})\.sql$/;

/** Marks a file as a database of this project (`PRAGMA application_id`): "cchn". */
const APPLICATION_ID = 0x6363686e;

/** The migrations in order; number n is at index n - 1. */
export function migrations(): readonly string[] {
  const names = readdirSync(FOLDER).filter((name) => NAME.test(name));
  return names.sort().map((name, i) => {
    if (Number(NAME.exec(name)?.[1]) !== i + 1) throw new StoreError('STORE_IO', `migration ${i + 1} is missing`);
    return readFileSync(new URL(name, FOLDER), 'utf8');
  });
}

/**
 * Brings a database to the newest schema, one transaction per migration. A new file gets all of them.
 * @throws StoreError STORE_NEWER for a schema this version does not know, STORE_FOREIGN for another program's file
 */
export function migrate(db: Database, steps: readonly string[] = migrations()): void {
  const version = Number(db.pragma('user_version'));
  const application = Number(db.pragma('application_id'));
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (application !== APPLICATION_ID && !(isEmpty && application === 0 && version === 0)) {
    throw new StoreError('STORE_FOREIGN', 'not a database of cacheon-node', { field: 'application_id' });
  }
  if (version > steps.length) {
    throw new StoreError('STORE_NEWER', `schema ${version}, this version knows up to ${steps.length}`);
  }
  for (const [i, sql] of steps.entries()) {
    if (i < version) continue;
    db.transaction(() => {
      db.exec(sql);
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      db.exec(`PRAGMA user_version = ${i + 1}`);
    });
  }
}

/** The schema as SQL text, objects by name: compared with the golden dump in the tests. */
export function schemaDump(db: Database): string {
  const rows = db
    .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .all();
  return `${rows.map((row) => `${String(row['sql'])};`).join('\n\n')}\n`;
}
