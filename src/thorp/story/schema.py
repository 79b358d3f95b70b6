"""The tables of a ledger, as `schema.sql` has them; what guards the append-only ones; and the
founding."""

import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from thorp.kernel.chain import GENESIS
from thorp.kernel.errors import StaleError
from thorp.store import Connection, migrate, statements
from thorp.story.clock import Clock
from thorp.story.ledger import beat_row
from thorp.story.storage import Head

COMPONENT: Final = "story"
FORMAT: Final = 3
RULES_VERSION: Final = 2
OLDER_RULES: Final = (1,)
"""Rules of earlier releases whose ledgers are opened, continued and verified. They are not played
again: what was accepted, and how it was recorded, was another then."""

_SCHEMA: Final = Path(__file__).with_name("schema.sql").read_text("utf-8")

COLUMNS: Final = {
    name: tuple(re.findall(r"^  ([a-z_]+) ", columns, re.MULTILINE))
    for name, columns in re.findall(
        r"^CREATE TABLE (\w+) \((.*?)^\)", _SCHEMA, re.MULTILINE | re.DOTALL
    )
}
"""The columns of each table, as the schema lists them."""

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

APPEND_ONLY: Final = tuple(_REPLACED)  # Tables whose rows never change.


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
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES "
        f"{', '.join([row] * (cells // len(columns)))}"
    )


# Founding.


class WorldRow(NamedTuple):
    """What a ledger was founded with."""

    secret: int
    config: str
    rules: int = RULES_VERSION


def find_world(connection: Connection) -> WorldRow:
    """What this ledger was founded with. Refuses one of other versions."""
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


def create_tables(connection: Connection) -> bool:
    """Create the tables; False if they were there."""
    guards = {"sqlite": _sqlite_guards, "postgresql": _postgresql_guards}[connection.dialect]
    return not migrate(
        connection, COMPONENT, [[*statements(_SCHEMA, connection.dialect), *guards()]]
    )


def create_world(connection: Connection, secret: int, config: str, clock: Clock) -> WorldRow:
    """Make an empty ledger. Its founding is the first link of the chain, so it cannot be changed
    either."""
    if not create_tables(connection):
        return find_world(connection)  # another process was first
    world = (1, FORMAT, RULES_VERSION, str(secret), config)
    founded = beat_row(
        Head(beat=0, seq=0, public=0, clock=clock, link=GENESIS),
        None,
        kind="FOUNDED",
        outcome="",
        rows=[("story_world", world)],
    )
    for table, row in (("story_world", world), ("story_beat", founded)):
        connection.execute(insertion(table, len(row)), row)
    return WorldRow(secret, config)
