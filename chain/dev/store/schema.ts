/** "Cach" as SQLite's application_id: tells a chain database from any other SQLite file. */
export const APPLICATION_ID = 0x43616368;

export const SCHEMA = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE blocks (
    height INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    parent_hash BLOB NOT NULL,
    state_root BLOB NOT NULL,
    extrinsics_root BLOB NOT NULL,
    extrinsics BLOB NOT NULL
  ) STRICT;
  -- One row for each block that changed a key; a null value: removed there.
  CREATE TABLE state (
    key BLOB NOT NULL,
    height INTEGER NOT NULL,
    value BLOB,
    PRIMARY KEY (key, height)
  ) STRICT, WITHOUT ROWID;
`;

export const SQL = {
  head: 'SELECT * FROM blocks ORDER BY height DESC LIMIT 1',
  block: 'SELECT * FROM blocks WHERE height = ?',
  heightOf: 'SELECT height FROM blocks WHERE hash = ?',
  addBlock: 'INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?)',
  getMeta: 'SELECT value FROM meta WHERE name = ?',
  setMeta: 'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  read: 'SELECT value FROM state WHERE key = ? AND height <= ? ORDER BY height DESC LIMIT 1',
  write: 'INSERT INTO state VALUES (?, ?, ?)',
  // SQLite takes the bare column from the row of max(height).
  keys: `SELECT key FROM (
      SELECT key, value, max(height) FROM state WHERE key >= ? AND key < ? AND key > ? AND height <= ? GROUP BY key
    ) WHERE value IS NOT NULL LIMIT ?`,
  prune: `DELETE FROM state WHERE height <
      (SELECT max(newer.height) FROM state AS newer WHERE newer.key = state.key AND newer.height <= ?)`,
} as const;
