"""Creates the tables of a ledger (`schema.sql`), the triggers that keep them append-only, and the
first row of the chain."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from thorp.kernel.chain import GENESIS
from thorp.kernel.errors import DamagedError, StaleError
from thorp.store import Connection, migrate, statements
from thorp.store.session import Dialect
from thorp.story.clock import Clock
from thorp.story.fork_point import BRANCHES_LIMIT, Branch
from thorp.story.ledger import beat_row
from thorp.story.storage import Head

COMPONENT: Final = "story"
FORMAT: Final = 3  # What a record says, and of which rows it has digests.
LAYOUT: Final = 3
"""How these rows are put into tables. A ledger of an older layout is brought into this one when it
is opened; see `upgrade`."""
RULES_VERSION: Final = 2
OLDER_RULES: Final = (1,)
"""Rules of earlier releases whose ledgers can be opened, continued and verified. They cannot be
rebuilt: acceptance and recording worked differently then."""

_SCHEMA: Final = Path(__file__).with_name("schema.sql").read_text("utf-8")

COLUMNS: Final = {
    name: tuple(re.findall(r"^  ([a-z_]+) ", columns, re.MULTILINE))
    for name, columns in re.findall(
        r"^CREATE TABLE (\w+) \((.*?)^\)", _SCHEMA, re.MULTILINE | re.DOTALL
    )
}
"""The columns of each table, as the schema lists them."""
_SECRET: Final = re.compile(r"[0-9]{1,39}\Z")  # A number of 128 bits.
_TABLE_OF: Final = re.compile(r"^CREATE (?:TABLE|INDEX \w+ ON) (\w+) ")

_REPLACED: Final = {
    "story_world": "id = NEW.id",
    "story_beat": "n = NEW.n OR request_id = NEW.request_id",
    "story_branch": "beat = NEW.beat",
    "story_refresh": "request_id = NEW.request_id OR rowid = NEW.rowid",
    "story_entry": "seq = NEW.seq",
    "story_audience": "identity = NEW.identity AND place = NEW.place",
    "story_person": "person_id = NEW.person_id",
    "story_pocket": "n = NEW.n",
    "story_pack": "pack_id = NEW.pack_id",
    "story_tool": "beat = NEW.beat AND number = NEW.number",
}
"""By table: the existing rows that SQLite's REPLACE would delete for a new one."""

APPEND_ONLY: Final = tuple(_REPLACED)  # Tables whose rows never change.


_ANSWERS: Final = {"story_beat": "story_refresh", "story_refresh": "story_beat"}
"""A request is answered once, so none of them has a request of the other."""


def _sqlite_guards(tables: Sequence[str]) -> list[str]:
    """Triggers that refuse changes and deletions; and REPLACE, which fires neither an update nor a
    delete trigger by default."""
    refuse = "BEGIN SELECT RAISE(ABORT, '{0} is append-only'); END"
    return [
        *(
            f"CREATE TRIGGER {table}_{event} BEFORE {event} ON {table} {refuse.format(table)}"
            for table in tables
            for event in ("update", "delete")
        ),
        *(
            f"CREATE TRIGGER {table}_replace BEFORE INSERT ON {table} "
            f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {_REPLACED[table]}) {refuse.format(table)}"
            for table in tables
        ),
        *(
            f"CREATE TRIGGER {table}_answered BEFORE INSERT ON {table} "
            f"WHEN EXISTS (SELECT 1 FROM {_ANSWERS[table]} WHERE request_id = NEW.request_id) "
            "BEGIN SELECT RAISE(ABORT, 'this request was answered'); END"
            for table in tables
            if table in _ANSWERS
        ),
    ]


def _postgresql_guards(tables: Sequence[str]) -> list[str]:
    """Triggers that refuse changes, deletions, TRUNCATE, and a second answer to a request."""
    functions = {
        "story_refuse": "BEGIN RAISE EXCEPTION ''% is append-only'', TG_TABLE_NAME "
        "USING ERRCODE = ''23000''; END",
        "story_answered": "BEGIN IF EXISTS (SELECT 1 FROM story_beat WHERE request_id = "
        "NEW.request_id) OR EXISTS (SELECT 1 FROM story_refresh WHERE request_id = NEW.request_id) "
        "THEN RAISE EXCEPTION ''this request was answered'' USING ERRCODE = ''23000''; END IF; "
        "RETURN NEW; END",
    }
    return [
        *(
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS '{body}'"
            for name, body in functions.items()
        ),
        *(
            f"CREATE TRIGGER {table}_{when} BEFORE {event} ON {table} "
            f"FOR EACH {each} EXECUTE FUNCTION story_refuse()"
            for table in tables
            for when, event, each in (
                ("change", "UPDATE OR DELETE", "ROW"),
                ("truncate", "TRUNCATE", "STATEMENT"),
            )
        ),
        *(
            f"CREATE TRIGGER {table}_answered BEFORE INSERT ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION story_answered()"
            for table in tables
            if table in _ANSWERS
        ),
    ]


def create_statements(dialect: Dialect, tables: Sequence[str] = tuple(COLUMNS)) -> list[str]:
    """The statements that create these tables, their indexes, and what guards them."""
    guards = {"sqlite": _sqlite_guards, "postgresql": _postgresql_guards}[dialect]
    return [
        *(
            statement
            for statement in statements(_SCHEMA, dialect)
            if _TABLE_OF.findall(statement)[0] in tables
        ),
        *guards([table for table in APPEND_ONLY if table in tables]),
    ]


@cache
def insertion(table: str, cells: int) -> str:
    """The statement that inserts rows with this number of cells together."""
    columns = COLUMNS[table]
    row = f"({', '.join('?' * len(columns))})"
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES "
        f"{', '.join([row] * (cells // len(columns)))}"
    )


class WorldRow(NamedTuple):
    """The only row of `story_world`: what the ledger was created with."""

    secret: int
    config: str
    rules: int = RULES_VERSION


def find_world(connection: Connection) -> WorldRow:
    """The row of `story_world`. Refuses a ledger of another version."""
    [(form, rules, secret, config)] = connection.execute(
        "SELECT format, rules, secret, config FROM story_world WHERE id = 1"
    )
    if form != FORMAT or rules not in (RULES_VERSION, *OLDER_RULES):
        raise StaleError(
            f"this ledger was made with format {form} and rules {rules}; this release has "
            f"{FORMAT} and {RULES_VERSION}; use the release that made it, or begin another story "
            "with --data DIR",
            code="version",
        )
    return WorldRow(int(secret), config, rules)


def find_branches(connection: Connection) -> list[Branch]:
    """Where this story left others, the oldest first; empty for a story that is no branch."""
    rows = connection.execute(
        "SELECT s.beat, b.seq, s.secret, s.fork_point FROM story_branch s "
        f"JOIN story_beat b ON b.n = s.beat ORDER BY s.beat LIMIT {BRANCHES_LIMIT + 1}"
    )
    if len(rows) > BRANCHES_LIMIT:
        raise DamagedError(f"this ledger has more than {BRANCHES_LIMIT} rows in story_branch")
    for beat, _, secret, _ in rows:
        if not _SECRET.match(str(secret)):
            raise DamagedError(f"story_branch {beat} has no secret that can be read")
    return [Branch(beat, seq, int(secret), fork_point) for beat, seq, secret, fork_point in rows]


def layout_of(connection: Connection) -> int:
    """The layout of this ledger's tables. Refuses one of a later release."""
    [(layout,)] = connection.execute(
        "SELECT version FROM schema_version WHERE component = ?", [COMPONENT]
    )
    if layout > LAYOUT:
        raise StaleError(
            f"this ledger has layout {layout}, and this release knows {LAYOUT}; use a newer "
            "release",
            code="newer",
        )
    return int(layout)


def create_tables(connection: Connection) -> bool:
    """Create the tables; False if they exist already."""
    steps = [create_statements(connection.dialect), *[[]] * (LAYOUT - 1)]
    return not migrate(connection, COMPONENT, steps)


def create_world(connection: Connection, secret: int, config: str, clock: Clock) -> WorldRow:
    """Create an empty ledger; if another process was first, return its row. The first link of the
    chain covers the row, so that it cannot be changed either."""
    if not create_tables(connection):
        return find_world(connection)
    world = (1, FORMAT, RULES_VERSION, str(secret), config)
    first_beat = beat_row(
        Head(beat=0, seq=0, public=0, clock=clock, link=GENESIS),
        None,
        outcome="",
        rows=[("story_world", world)],
    )
    for table, row in (("story_world", world), ("story_beat", first_beat)):
        connection.execute(insertion(table, len(row)), row)
    return WorldRow(secret, config)
