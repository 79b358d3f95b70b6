"""The tables of a ledger, and how an empty one is founded.

authority, append-only in the database itself
  story_world      one row: versions, the secret seed, the configuration
  story_request    each request with its answer, NO_OPs too
  story_beat       the chain: one record a beat, with a digest of every row the beat stored; and the
                   bundle that it wrote, if it wrote one
  story_entry, story_audience, story_person, story_pocket
  story_pack       anchors and rehydrations
  story_call, story_tool   what writers said and asked, word for word

derived, rebuilt from the above
  story_window     the last window of each view; the record of its beat has its digest
  story_evidence, story_block, story_posting

beside the story
  story_spending   what models were asked and paid on each day of the wall's clock
"""

from functools import cache
from typing import Final, NamedTuple

from thorp.kernel.chain import GENESIS
from thorp.kernel.errors import StaleError
from thorp.store import Connection, migrate
from thorp.store.session import Dialect
from thorp.story.clock import Clock
from thorp.story.ledger import beat_row
from thorp.story.storage import Head

COMPONENT: Final = "story"
FORMAT: Final = 3
RULES_VERSION: Final = 1


def _only(column: str, *values: str) -> str:
    """Refuse all but these values. A list in IN would be put into a table of its own at each row."""
    fits = " OR ".join(f"{column} = '{value}'" for value in values)
    return f"CHECK ({fits})"


class _Table(NamedTuple):
    columns: str
    """Each column with its type. `NUMBER` is the type of a number that rows are kept by."""
    constraints: tuple[str, ...] = ()
    clustered: bool = False
    """Whether rows are kept by a key that is not one number."""


_TABLES: Final = {
    "story_world": _Table(
        "id NUMBER PRIMARY KEY, format BIGINT NOT NULL, rules BIGINT NOT NULL, secret TEXT NOT NULL, "
        "config TEXT NOT NULL"
    ),
    "story_request": _Table(
        "request_id TEXT PRIMARY KEY, kind TEXT NOT NULL, payload_hash TEXT NOT NULL, "
        "envelope TEXT NOT NULL, status BIGINT NOT NULL, body TEXT NOT NULL, beat BIGINT",
        (_only("kind", "BEAT", "NO_OP", "SEED"), "CHECK ((kind = 'NO_OP') = (beat IS NULL))"),
    ),
    "story_beat": _Table(
        "n NUMBER PRIMARY KEY, request_id TEXT REFERENCES story_request (request_id), kind TEXT NOT NULL, "
        "outcome TEXT NOT NULL, instant BIGINT NOT NULL, paused BIGINT NOT NULL, wall BIGINT, "
        "seq BIGINT NOT NULL, public BIGINT NOT NULL, bundle_id TEXT UNIQUE, engine TEXT, actor TEXT, "
        "record TEXT NOT NULL, link BYTEA NOT NULL",
        (
            "CHECK ((bundle_id IS NULL) = (engine IS NULL))",
            "CHECK ((bundle_id IS NULL) = (actor IS NULL))",
            "CHECK (n >= 0)",
            _only("kind", "FOUNDED", "BEAT", "SEED"),
            "CHECK ((kind = 'FOUNDED') = (request_id IS NULL))",
        ),
    ),
    "story_entry": _Table(
        "seq NUMBER PRIMARY KEY, entry_id TEXT NOT NULL UNIQUE, beat BIGINT NOT NULL, "
        "instant BIGINT NOT NULL, author_id TEXT NOT NULL, author_class TEXT NOT NULL, scope TEXT NOT NULL, "
        "visible_to TEXT NOT NULL, channel TEXT NOT NULL, text TEXT NOT NULL, bundle_id TEXT NOT NULL",
        (
            _only("author_class", "OPERATOR", "PERSON", "WORLD", "SYSTEM"),
            _only("scope", "PUBLIC", "PRIVATE"),
            _only("channel", "USER", "VOICE", "PEOPLE"),
            "CHECK (seq > 0)",
            "CHECK (text <> '')",
            "CHECK ((scope = 'PUBLIC') = (visible_to = '[]'))",
        ),
    ),
    "story_audience": _Table(
        "identity TEXT NOT NULL, place BIGINT NOT NULL, n BIGINT NOT NULL, "
        "seq BIGINT NOT NULL REFERENCES story_entry (seq)",
        ("PRIMARY KEY (identity, place)",),
        clustered=True,
    ),
    "story_person": _Table("person_id TEXT PRIMARY KEY, beat BIGINT NOT NULL", clustered=True),
    "story_pocket": _Table(
        "n NUMBER PRIMARY KEY, beat BIGINT NOT NULL, seq BIGINT NOT NULL REFERENCES story_entry (seq), "
        "kind TEXT NOT NULL, fields TEXT NOT NULL",
        (_only("kind", "calendar", "message"),),
    ),
    "story_pack": _Table(
        "pack_id TEXT PRIMARY KEY, beat BIGINT NOT NULL, kind TEXT NOT NULL, view TEXT, body TEXT NOT NULL",
        (_only("kind", "ANCHOR", "REHYDRATION"),),
        clustered=True,
    ),
    "story_call": _Table(
        "beat BIGINT NOT NULL, number BIGINT NOT NULL, writer TEXT NOT NULL, kind TEXT NOT NULL, "
        "verdict TEXT NOT NULL, said TEXT NOT NULL",
        ("PRIMARY KEY (beat, number)",),
        clustered=True,
    ),
    "story_tool": _Table(
        "beat BIGINT NOT NULL, number BIGINT NOT NULL, verdict TEXT NOT NULL, reader TEXT, "
        "request TEXT NOT NULL",
        ("PRIMARY KEY (beat, number)",),
        clustered=True,
    ),
    "story_spending": _Table("day NUMBER PRIMARY KEY, calls BIGINT NOT NULL, tokens BIGINT NOT NULL"),
    "story_window": _Table(
        "view TEXT PRIMARY KEY, beat BIGINT NOT NULL, state BYTEA NOT NULL", clustered=True
    ),
    "story_evidence": _Table(
        "person TEXT NOT NULL, identity TEXT NOT NULL, bundles BIGINT NOT NULL",
        ("PRIMARY KEY (person, identity)",),
        clustered=True,
    ),
    "story_block": _Table(
        "number NUMBER PRIMARY KEY, first_instant BIGINT NOT NULL, last_instant BIGINT NOT NULL, "
        "in_order BIGINT NOT NULL"
    ),
    "story_posting": _Table(
        "term TEXT NOT NULL, block BIGINT NOT NULL, entries BYTEA NOT NULL",
        ("PRIMARY KEY (term, block)",),
        clustered=True,
    ),
}
_INDEXES: Final = (
    "CREATE INDEX story_pack_beat ON story_pack (beat)",
    "CREATE INDEX story_person_beat ON story_person (beat)",
)

COLUMNS: Final = {
    name: tuple(column.split()[0] for column in table.columns.split(", ")) for name, table in _TABLES.items()
}

_REPLACED: Final = {
    "story_world": "id = NEW.id",
    "story_request": "request_id = NEW.request_id OR rowid = NEW.rowid",
    "story_beat": "n = NEW.n OR bundle_id = NEW.bundle_id",
    "story_entry": "seq = NEW.seq OR entry_id = NEW.entry_id",
    "story_audience": "identity = NEW.identity AND place = NEW.place",
    "story_person": "person_id = NEW.person_id",
    "story_pocket": "n = NEW.n",
    "story_pack": "pack_id = NEW.pack_id",
    "story_call": "beat = NEW.beat AND number = NEW.number",
    "story_tool": "beat = NEW.beat AND number = NEW.number",
}
"""In whose place SQLite's REPLACE would put a new row."""

APPEND_ONLY: Final = tuple(_REPLACED)
"""Tables whose rows never change."""


def _tables(dialect: Dialect) -> list[str]:
    # SQLite keeps a row under its number itself only if the number is called INTEGER, and a row under a
    # longer key itself only if it is told so. Otherwise every commit would write one more page for each.
    number = {"sqlite": "INTEGER", "postgresql": "BIGINT"}[dialect]
    clustered = {"sqlite": " WITHOUT ROWID", "postgresql": ""}[dialect]
    return [
        f"CREATE TABLE {name} ({', '.join([table.columns.replace('NUMBER', number), *table.constraints])})"
        f"{clustered if table.clustered else ''}"
        for name, table in _TABLES.items()
    ]


def _sqlite_guards() -> list[str]:
    """Refuse changes and deletions; and a REPLACE, which SQLite would let pass as an insertion."""
    refuse = "BEGIN SELECT RAISE(ABORT, '{0} is append-only'); END"
    return [
        *(
            f"CREATE TRIGGER {table}_{event} BEFORE {event} ON {table} {refuse.format(table)}"
            for table in APPEND_ONLY
            for event in ("update", "delete")
        ),
        *(
            f"CREATE TRIGGER {table}_replace BEFORE INSERT ON {table} "
            f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same}) {refuse.format(table)}"
            for table, same in _REPLACED.items()
        ),
    ]


def _postgresql_guards() -> list[str]:
    refuse = (
        "CREATE FUNCTION story_refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN RAISE EXCEPTION ''% is append-only'', TG_TABLE_NAME USING ERRCODE = ''23000''; END'"
    )
    return [
        refuse,
        *(
            f"CREATE TRIGGER {table}_{when} BEFORE {event} ON {table} "
            f"FOR EACH {each} EXECUTE FUNCTION story_refuse()"
            for table in APPEND_ONLY
            for when, event, each in (
                ("change", "UPDATE OR DELETE", "ROW"),
                ("truncate", "TRUNCATE", "STATEMENT"),
            )
        ),
    ]


@cache
def insertion(table: str, cells: int) -> str:
    """The statement that inserts this number of cells, row by row."""
    columns = COLUMNS[table]
    row = f"({', '.join('?' * len(columns))})"
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES {', '.join([row] * (cells // len(columns)))}"


# Founding.


class WorldRow(NamedTuple):
    """What a ledger was founded with."""

    secret: int
    config: str


def find_world(connection: Connection) -> WorldRow:
    """What this ledger was founded with. Refuses one of other versions."""
    [(form, rules, secret, config)] = connection.execute(
        "SELECT format, rules, secret, config FROM story_world WHERE id = 1"
    )
    if (form, rules) != (FORMAT, RULES_VERSION):
        raise StaleError(
            f"this ledger was made with format {form} and rules {rules}; this release has {FORMAT} and "
            f"{RULES_VERSION}; use the release that made it, or begin another story with --data DIR",
            code="version",
        )
    return WorldRow(int(secret), config)


def create_tables(connection: Connection) -> bool:
    """Create the tables; False if they were there."""
    guards = {"sqlite": _sqlite_guards, "postgresql": _postgresql_guards}[connection.dialect]
    return not migrate(connection, COMPONENT, [[*_tables(connection.dialect), *_INDEXES, *guards()]])


def create_world(connection: Connection, secret: int, config: str, clock: Clock) -> WorldRow:
    """Make an empty ledger. Its founding is the first link of the chain, so that it cannot be changed
    either."""
    if not create_tables(connection):
        return find_world(connection)  # another process was first
    world = (1, FORMAT, RULES_VERSION, str(secret), config)
    founded = beat_row(Head(0, 0, 0, clock, GENESIS), None, "FOUNDED", "", [("story_world", world)])
    for table, row in (("story_world", world), ("story_beat", founded)):
        connection.execute(insertion(table, len(row)), row)
    return WorldRow(secret, config)
