import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Database } from '../../../node/store/db/database.ts';
import { migrate, migrations, schemaDump } from '../../../node/store/db/migrate.ts';
import { makeDurable, openStore } from '../../../node/store/open.ts';
import { temporaryFolder, temporaryStore } from './support.ts';

test('the schema is the golden dump', (t) => {
  const { path } = temporaryStore(t);
  const db = new Database(path);
  t.after(() => db.close());
  const dump = schemaDump(db);
  assert.equal(dump, readFileSync(new URL('schema.sql', import.meta.url), 'utf8'));
  assert.equal(db.pragma('user_version'), BigInt(migrations().length));
});

test('a connection is in WAL mode and synchronises at every commit', (t) => {
  const db = new Database(join(temporaryFolder(t), 'node.sqlite'));
  t.after(() => db.close());
  makeDurable(db);
  assert.deepEqual([db.pragma('journal_mode'), db.pragma('synchronous')], ['wal', 2n]);
});

test('a missing database is refused unless it is to be made', (t) => {
  const path = join(temporaryFolder(t), 'node.sqlite');
  assert.throws(() => openStore(path), { code: 'STORE_MISSING', fault: 'operator' });
  openStore(path, { create: true }).close();
  openStore(path).close();
});

test('a newer schema, and a file of another program, are refused unchanged', (t) => {
  const { store, path } = temporaryStore(t);
  store.close();
  const db = new DatabaseSync(path);
  db.exec('PRAGMA user_version = 99');
  db.close();
  assert.throws(() => openStore(path), { code: 'STORE_NEWER', fault: 'operator' });

  const foreign = join(temporaryFolder(t), 'other.sqlite');
  const other = new DatabaseSync(foreign);
  other.exec('CREATE TABLE bookmarks (url TEXT)');
  other.close();
  assert.throws(() => openStore(foreign), { code: 'STORE_FOREIGN' });
});

test('a migration that fails leaves nothing behind', (t) => {
  const { store, path } = temporaryStore(t);
  store.close();
  const db = new Database(path);
  t.after(() => db.close());
  const steps = [...migrations(), 'CREATE TABLE later (a INTEGER); INSERT INTO nowhere VALUES (1)'];
  const before = schemaDump(db);
  assert.throws(() => migrate(db, steps));
  assert.equal(schemaDump(db), before);
  assert.equal(db.pragma('user_version'), BigInt(migrations().length));
  migrate(db, [...migrations(), 'CREATE TABLE later (a INTEGER)']);
  assert.match(schemaDump(db), /later/);
});

test('damage is found at start: not a database, a torn page, a broken journal', (t) => {
  const folder = temporaryFolder(t);
  const garbage = join(folder, 'garbage.sqlite');
  writeFileSync(garbage, 'this is not a database, whatever its name says '.repeat(100));
  assert.throws(() => openStore(garbage), { code: 'STORE_CORRUPT', fault: 'operator' });

  const { store, path } = temporaryStore(t);
  for (let n = 0; n < 300; n++) store.events.append(n, 'filler', 'x'.repeat(200));
  store.close();
  // Only pages of the events log, which nothing reads at start.
  const pages = statSync(path).size / 4096;
  const descriptor = openSync(path, 'r+');
  for (let page = pages - 6; page < pages; page++)
    writeSync(descriptor, Buffer.alloc(4096, 0xa5), 0, 4096, page * 4096);
  closeSync(descriptor);
  assert.throws(() => openStore(path), { code: 'STORE_CORRUPT' });

  const tampered = temporaryStore(t);
  const first = tampered.store.journal.append({ sequence: 0, previous_event_digest: '', reason: 'a' });
  tampered.store.journal.append({ sequence: 1, previous_event_digest: first.digest, reason: 'b' });
  tampered.store.close();
  const db = new DatabaseSync(tampered.path);
  db.exec(`UPDATE journal_events SET event = replace(event, '"a"', '"c"') WHERE sequence = 0`);
  db.close();
  assert.throws(() => openStore(tampered.path), { code: 'STORE_CORRUPT', field: 'journal_events[0]' });
});

test('a transaction is all or nothing, does not nest and does not await', (t) => {
  const { store } = temporaryStore(t);
  const block = (height: number) => ({ height, hash: `0x${'1'.repeat(64)}` });
  assert.throws(() =>
    store.transaction(() => {
      store.cursor.advance(block(1));
      throw new Error('stop');
    }),
  );
  assert.equal(store.cursor.get(), null);
  assert.throws(() => store.transaction(() => store.transaction(() => 1)), { code: 'STORE_TRANSACTION' });
  assert.throws(() => store.transaction(async () => store.cursor.advance(block(2))), { code: 'STORE_TRANSACTION' });
  assert.equal(store.cursor.get(), null);
  store.transaction(() => store.cursor.advance(block(3)));
  assert.equal(store.cursor.get()?.height, 3);
});
