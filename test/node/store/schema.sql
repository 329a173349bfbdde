CREATE TABLE attempts (
  cohort_index INTEGER NOT NULL,
  place INTEGER NOT NULL CHECK (place BETWEEN 0 AND 63),
  stage TEXT NOT NULL CHECK (stage IN ('planned', 'anchored', 'measured', 'received', 'closed', 'abandoned')),
  attempt_digest TEXT NOT NULL,
  attempt TEXT NOT NULL,
  secret TEXT NOT NULL,
  plan TEXT,
  anchor_height INTEGER,
  receipt_digest TEXT,
  evidence_root TEXT,
  PRIMARY KEY (cohort_index, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX attempts_by_stage ON attempts (stage);

CREATE TABLE blobs (
  sha256 TEXT PRIMARY KEY,
  size INTEGER NOT NULL CHECK (size >= 0),
  kind TEXT NOT NULL,
  created_height INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX blobs_by_height ON blobs (created_height);

CREATE TABLE bundles (
  content_hash TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('wanted', 'held', 'unavailable')),
  size INTEGER,
  tries INTEGER NOT NULL,
  created_height INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE cohort_records (
  cohort_index INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  previous TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;

CREATE TABLE cursor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  height INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TABLE events_log (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  height INTEGER NOT NULL,
  kind TEXT NOT NULL,
  event TEXT NOT NULL
) STRICT;

CREATE TABLE fold_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  height INTEGER NOT NULL,
  hash TEXT NOT NULL,
  state TEXT NOT NULL
) STRICT;

CREATE TABLE gradings (
  cohort_index INTEGER NOT NULL,
  place INTEGER NOT NULL CHECK (place BETWEEN 0 AND 63),
  receipt_digest TEXT NOT NULL,
  graded TEXT NOT NULL,
  reason TEXT,
  qualification TEXT,
  PRIMARY KEY (cohort_index, place, receipt_digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE journal_events (
  sequence INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  previous TEXT NOT NULL,
  event TEXT NOT NULL
) STRICT;

CREATE TABLE ledger (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  state TEXT NOT NULL
) STRICT;

CREATE TABLE meta (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  genesis_hash TEXT NOT NULL,
  netuid INTEGER NOT NULL,
  hotkey TEXT NOT NULL
) STRICT;

CREATE TABLE node_id (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  node_id TEXT NOT NULL
) STRICT;

CREATE TABLE snapshots (
  cohort_index INTEGER PRIMARY KEY,
  state TEXT NOT NULL,
  ledger TEXT NOT NULL
) STRICT;

CREATE TABLE weights_journal (
  epoch_height INTEGER PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('intent', 'pending', 'confirmed', 'held')),
  vector TEXT NOT NULL,
  submission TEXT
) STRICT;

CREATE TABLE weights_target (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  target TEXT NOT NULL
) STRICT;
