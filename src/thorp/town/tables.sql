-- The tables of a world of towns, as SQLite is told; `thorp.store.statements` reads them.

-- one row: format, rules version, seed, day, how long receipts are kept
CREATE TABLE town_world (
  id INTEGER PRIMARY KEY,
  format BIGINT NOT NULL,
  rules BIGINT NOT NULL,
  seed TEXT NOT NULL,
  day BIGINT NOT NULL,
  retain_days BIGINT
);

-- one row a town: its day, the hash of its snapshot, its state
CREATE TABLE town_state (
  town TEXT PRIMARY KEY,
  day BIGINT NOT NULL,
  hash TEXT NOT NULL,
  state TEXT NOT NULL
);

-- the ordered inputs, chained, each with what happened
CREATE TABLE town_journal (
  n INTEGER PRIMARY KEY,
  day BIGINT NOT NULL,
  town TEXT,
  record TEXT NOT NULL,
  happened TEXT NOT NULL,
  link BYTEA NOT NULL
);

-- one row a key that was used
CREATE TABLE town_receipt (
  key TEXT PRIMARY KEY,
  content TEXT NOT NULL,
  result_id TEXT NOT NULL,
  result TEXT NOT NULL,
  day BIGINT NOT NULL
);

-- the towns as each epoch after the first began with them
CREATE TABLE town_epoch (
  n INTEGER NOT NULL,
  town TEXT NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (n, town)
);
