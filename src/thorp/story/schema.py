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

from __future__ import annotations

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

COLUMNS: Final = {
    "story_request": ("request_id", "kind", "payload_hash", "envelope", "status", "body", "beat"),
    "story_beat": (
        "n",
        "request_id",
        "kind",
        "outcome",
        "instant",
        "paused",
        "wall",
        "seq",
        "public",
        "bundle_id",
        "engine",
        "actor",
        "record",
        "link",
    ),
    "story_entry": (
        "seq",
        "entry_id",
        "beat",
        "instant",
        "author_id",
        "author_class",
        "scope",
        "visible_to",
        "channel",
        "text",
        "bundle_id",
    ),
    "story_audience": ("identity", "place", "n", "seq"),
    "story_person": ("person_id", "beat"),
    "story_pocket": ("n", "beat", "seq", "kind", "fields"),
    "story_pack": ("pack_id", "beat", "kind", "view", "body"),
    "story_call": ("beat", "number", "writer", "kind", "verdict", "said"),
    "story_tool": ("beat", "number", "verdict", "reader", "request"),
    "story_window": ("view", "beat", "state"),
    "story_posting": ("term", "block", "entries"),
    "story_block": ("number", "first_instant", "last_instant", "in_order"),
}

APPEND_ONLY: Final = (
    "story_world",
    "story_request",
    "story_beat",
    "story_entry",
    "story_audience",
    "story_person",
    "story_pocket",
    "story_pack",
    "story_call",
    "story_tool",
)
"""Tables whose rows never change."""

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


class WorldRow(NamedTuple):
    """What a ledger was founded with."""

    secret: int
    config: str


def _only(column: str, *values: str) -> str:
    """Refuse all but these values. A list in IN would be put into a table of its own at each row."""
    fits = " OR ".join(f"{column} = '{value}'" for value in values)
    return f"CHECK ({fits})"


def _tables(dialect: Dialect) -> list[str]:
    # SQLite keeps a row under its number itself only if the number is called INTEGER, and a row under a
    # longer key itself only if it is told so. Otherwise every commit would write one more page for each.
    number = {"sqlite": "INTEGER", "postgresql": "BIGINT"}[dialect]
    clustered = {"sqlite": " WITHOUT ROWID", "postgresql": ""}[dialect]
    return [
        f"CREATE TABLE story_world (id {number} PRIMARY KEY, format BIGINT NOT NULL, rules BIGINT NOT NULL, "
        "secret TEXT NOT NULL, config TEXT NOT NULL)",
        "CREATE TABLE story_request (request_id TEXT PRIMARY KEY, kind TEXT NOT NULL, "
        "payload_hash TEXT NOT NULL, envelope TEXT NOT NULL, status BIGINT NOT NULL, body TEXT NOT NULL, "
        f"beat BIGINT, {_only('kind', 'BEAT', 'NO_OP', 'SEED')}, CHECK ((kind = 'NO_OP') = (beat IS NULL)))",
        f"CREATE TABLE story_beat (n {number} PRIMARY KEY, "
        "request_id TEXT REFERENCES story_request (request_id), kind TEXT NOT NULL, "
        "outcome TEXT NOT NULL, instant BIGINT NOT NULL, paused BIGINT NOT NULL, wall BIGINT, "
        "seq BIGINT NOT NULL, public BIGINT NOT NULL, bundle_id TEXT UNIQUE, engine TEXT, actor TEXT, "
        "record TEXT NOT NULL, link BYTEA NOT NULL, "
        "CHECK ((bundle_id IS NULL) = (engine IS NULL)), CHECK ((bundle_id IS NULL) = (actor IS NULL)), "
        "CHECK (n >= 0), "
        f"{_only('kind', 'FOUNDED', 'BEAT', 'SEED')}, CHECK ((kind = 'FOUNDED') = (request_id IS NULL)))",
        f"CREATE TABLE story_entry (seq {number} PRIMARY KEY, entry_id TEXT NOT NULL UNIQUE, "
        "beat BIGINT NOT NULL, instant BIGINT NOT NULL, "
        "author_id TEXT NOT NULL, author_class TEXT NOT NULL, scope TEXT NOT NULL, visible_to TEXT NOT NULL, "
        "channel TEXT NOT NULL, text TEXT NOT NULL, bundle_id TEXT NOT NULL, "
        f"{_only('author_class', 'OPERATOR', 'PERSON', 'WORLD', 'SYSTEM')}, "
        f"{_only('scope', 'PUBLIC', 'PRIVATE')}, {_only('channel', 'USER', 'VOICE', 'PEOPLE')}, "
        "CHECK (seq > 0), CHECK (text <> ''), CHECK ((scope = 'PUBLIC') = (visible_to = '[]')))",
        "CREATE TABLE story_audience (identity TEXT NOT NULL, place BIGINT NOT NULL, n BIGINT NOT NULL, "
        f"seq BIGINT NOT NULL REFERENCES story_entry (seq), PRIMARY KEY (identity, place)){clustered}",
        f"CREATE TABLE story_person (person_id TEXT PRIMARY KEY, beat BIGINT NOT NULL){clustered}",
        f"CREATE TABLE story_pocket (n {number} PRIMARY KEY, beat BIGINT NOT NULL, "
        "seq BIGINT NOT NULL REFERENCES story_entry (seq), kind TEXT NOT NULL, fields TEXT NOT NULL, "
        f"{_only('kind', 'calendar', 'message')})",
        "CREATE TABLE story_pack (pack_id TEXT PRIMARY KEY, beat BIGINT NOT NULL, kind TEXT NOT NULL, "
        f"view TEXT, body TEXT NOT NULL, {_only('kind', 'ANCHOR', 'REHYDRATION')}){clustered}",
        "CREATE TABLE story_call (beat BIGINT NOT NULL, number BIGINT NOT NULL, writer TEXT NOT NULL, "
        "kind TEXT NOT NULL, verdict TEXT NOT NULL, said TEXT NOT NULL, "
        f"PRIMARY KEY (beat, number)){clustered}",
        "CREATE TABLE story_tool (beat BIGINT NOT NULL, number BIGINT NOT NULL, verdict TEXT NOT NULL, "
        f"reader TEXT, request TEXT NOT NULL, PRIMARY KEY (beat, number)){clustered}",
        "CREATE INDEX story_pack_beat ON story_pack (beat)",
        "CREATE INDEX story_person_beat ON story_person (beat)",
        f"CREATE TABLE story_spending (day {number} PRIMARY KEY, calls BIGINT NOT NULL, "
        "tokens BIGINT NOT NULL)",
        "CREATE TABLE story_window (view TEXT PRIMARY KEY, beat BIGINT NOT NULL, "
        f"state BYTEA NOT NULL){clustered}",
        "CREATE TABLE story_evidence (person TEXT NOT NULL, identity TEXT NOT NULL, bundles BIGINT NOT NULL, "
        f"PRIMARY KEY (person, identity)){clustered}",
        f"CREATE TABLE story_block (number {number} PRIMARY KEY, first_instant BIGINT NOT NULL, "
        "last_instant BIGINT NOT NULL, in_order BIGINT NOT NULL)",
        "CREATE TABLE story_posting (term TEXT NOT NULL, block BIGINT NOT NULL, entries BYTEA NOT NULL, "
        f"PRIMARY KEY (term, block)){clustered}",
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


def _steps(dialect: Dialect) -> list[list[str]]:
    guards = {"sqlite": _sqlite_guards, "postgresql": _postgresql_guards}[dialect]
    return [[*_tables(dialect), *guards()]]


# Founding.


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


def create_world(connection: Connection, secret: int, config: str, clock: Clock) -> WorldRow:
    """Make an empty ledger. Its founding is the first link of the chain, so that it cannot be changed
    either."""
    if migrate(connection, COMPONENT, _steps(connection.dialect)):
        return find_world(connection)  # another process was first
    world = (1, FORMAT, RULES_VERSION, str(secret), config)
    connection.execute(
        "INSERT INTO story_world (id, format, rules, secret, config) VALUES (?, ?, ?, ?, ?)", world
    )
    founded = beat_row(Head(0, 0, 0, clock, GENESIS), None, "FOUNDED", "", [("story_world", world)])
    columns = COLUMNS["story_beat"]
    connection.execute(
        f"INSERT INTO story_beat ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})", founded
    )
    return WorldRow(secret, config)
