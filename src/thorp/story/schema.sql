-- The tables of a ledger, as SQLite is told; `thorp.store.statements` reads them. The authority comes first, and is
-- append-only in the database itself. A list in IN would be put into a table of its own at each row, so checks
-- of values are written with OR.

-- one row: versions, the secret seed, the configuration
CREATE TABLE story_world (
  id INTEGER PRIMARY KEY,
  format BIGINT NOT NULL,
  rules BIGINT NOT NULL,
  secret TEXT NOT NULL,
  config TEXT NOT NULL
);

-- the chain, one row a beat: its request with the answer, the bundle that it wrote, if it wrote one, what its
-- writer said in each call, word for word, and the record with a digest of everything that the beat stored. A
-- beat is one row because each table and each index that it adds to costs a commit another page. What is long
-- stands last, so that the rest is read without it
CREATE TABLE story_beat (
  n INTEGER PRIMARY KEY,
  request_id TEXT UNIQUE,
  kind TEXT NOT NULL,
  outcome TEXT NOT NULL,
  instant BIGINT NOT NULL,
  paused BIGINT NOT NULL,
  wall BIGINT,
  seq BIGINT NOT NULL,
  public BIGINT NOT NULL,
  bundle_id TEXT,
  engine TEXT,
  actor TEXT,
  link BYTEA NOT NULL,
  payload_hash TEXT,
  status BIGINT,
  record TEXT NOT NULL,
  body TEXT,
  envelope TEXT,
  calls TEXT NOT NULL,
  CHECK ((bundle_id IS NULL) = (engine IS NULL)),
  CHECK ((bundle_id IS NULL) = (actor IS NULL)),
  CHECK (n >= 0),
  CHECK (kind = 'FOUNDED' OR kind = 'BEAT' OR kind = 'SEED'),
  CHECK ((kind = 'FOUNDED') = (request_id IS NULL)),
  CHECK ((request_id IS NULL) = (payload_hash IS NULL)),
  CHECK ((request_id IS NULL) = (status IS NULL)),
  CHECK ((request_id IS NULL) = (body IS NULL)),
  CHECK ((request_id IS NULL) = (envelope IS NULL))
);

-- where this story left another one: a beat without a request, the secret seed from which ids are made from there
-- on, and the tick at which the world was forked, if one was
CREATE TABLE story_branch (
  beat INTEGER PRIMARY KEY,
  secret TEXT NOT NULL,
  fork_point TEXT,
  CHECK (beat > 0)
);

-- each NO_OP with its answer: a request that moves nothing, and is not chained
CREATE TABLE story_refresh (
  request_id TEXT PRIMARY KEY,
  payload_hash TEXT NOT NULL,
  envelope TEXT NOT NULL,
  status BIGINT NOT NULL,
  body TEXT NOT NULL
);

-- an id is made from the secret seed and the number, so no two are the same; the index of full blocks finds it
CREATE TABLE story_entry (
  seq INTEGER PRIMARY KEY,
  entry_id TEXT NOT NULL,
  beat BIGINT NOT NULL,
  instant BIGINT NOT NULL,
  author_id TEXT NOT NULL,
  author_class TEXT NOT NULL,
  scope TEXT NOT NULL,
  visible_to TEXT NOT NULL,
  channel TEXT NOT NULL,
  text TEXT NOT NULL,
  bundle_id TEXT NOT NULL,
  CHECK (author_class = 'OPERATOR' OR author_class = 'PERSON' OR author_class = 'WORLD' OR author_class = 'SYSTEM'),
  CHECK (scope = 'PUBLIC' OR scope = 'PRIVATE'),
  CHECK (channel = 'USER' OR channel = 'VOICE' OR channel = 'PEOPLE'),
  CHECK (seq > 0),
  CHECK (text <> ''),
  CHECK ((scope = 'PUBLIC') = (visible_to = '[]'))
);

-- who sees a private entry, and at which of their places; the index has those that everybody sees
CREATE TABLE story_audience (
  identity TEXT NOT NULL,
  place BIGINT NOT NULL,
  n BIGINT NOT NULL,
  seq BIGINT NOT NULL REFERENCES story_entry (seq),
  PRIMARY KEY (identity, place)
) WITHOUT ROWID;

CREATE TABLE story_person (
  person_id TEXT PRIMARY KEY,
  beat BIGINT NOT NULL
) WITHOUT ROWID;

CREATE TABLE story_pocket (
  n INTEGER PRIMARY KEY,
  beat BIGINT NOT NULL,
  seq BIGINT NOT NULL REFERENCES story_entry (seq),
  kind TEXT NOT NULL,
  fields TEXT NOT NULL,
  CHECK (kind = 'calendar' OR kind = 'message')
);

-- anchors and rehydrations
CREATE TABLE story_pack (
  pack_id TEXT PRIMARY KEY,
  beat BIGINT NOT NULL,
  kind TEXT NOT NULL,
  view TEXT,
  body TEXT NOT NULL,
  CHECK (kind = 'ANCHOR' OR kind = 'REHYDRATION')
) WITHOUT ROWID;

-- what writers asked, word for word
CREATE TABLE story_tool (
  beat BIGINT NOT NULL,
  number BIGINT NOT NULL,
  verdict TEXT NOT NULL,
  reader TEXT,
  request TEXT NOT NULL,
  PRIMARY KEY (beat, number)
) WITHOUT ROWID;

-- beside the story: what models were asked and paid on each day of the wall's clock
CREATE TABLE story_spending (
  day INTEGER PRIMARY KEY,
  calls BIGINT NOT NULL,
  tokens BIGINT NOT NULL
);

-- derived, as all that follow: the last window of each view; the record of its beat has its digest
CREATE TABLE story_window (
  view TEXT PRIMARY KEY,
  beat BIGINT NOT NULL,
  state BYTEA NOT NULL
) WITHOUT ROWID;

CREATE TABLE story_evidence (
  person TEXT NOT NULL,
  identity TEXT NOT NULL,
  bundles BIGINT NOT NULL,
  PRIMARY KEY (person, identity)
) WITHOUT ROWID;

-- a full block of entries that is indexed; `public` counts those before it that everybody sees
CREATE TABLE story_block (
  number INTEGER PRIMARY KEY,
  public BIGINT NOT NULL,
  first_instant BIGINT NOT NULL,
  last_instant BIGINT NOT NULL,
  in_order BIGINT NOT NULL
);

CREATE TABLE story_posting (
  term TEXT NOT NULL,
  block BIGINT NOT NULL,
  entries BYTEA NOT NULL,
  PRIMARY KEY (term, block)
) WITHOUT ROWID;

CREATE INDEX story_pack_beat ON story_pack (beat);
CREATE INDEX story_person_beat ON story_person (beat);
