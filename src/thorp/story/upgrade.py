"""Brings a ledger into the layout of this release: the same rows, in other tables.

In the first layout a request and each call of a writer were rows of their own, every id had an
index, and every public entry a second row, so that a beat wrote eleven pages where it now writes
five. The chain still has the digests of those rows, so records and tip stay as they were to the
byte. The second layout has no table of branches yet.

The upgrade is one transaction: a ledger is either in its old layout or in this one.
"""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final

from thorp.kernel.errors import DamagedError
from thorp.store import Connection, Row, migrate
from thorp.store.session import Dialect
from thorp.story.config import StoryConfig
from thorp.story.ledger import calls_text
from thorp.story.schema import (
    COLUMNS,
    COMPONENT,
    LAYOUT,
    create_statements,
    insertion,
    layout_of,
)
from thorp.story.storage import CallRow
from thorp.story.tables import index_full_blocks

PAGE: Final = 500  # Beats that are read and written at a time.

_REPLACED: Final = (
    *("story_beat", "story_request", "story_call", "story_audience", "story_pocket"),
    *("story_entry", "story_block", "story_posting"),
)
"""Tables of the first layout that have changed; a table comes before those it refers to."""
_CREATED: Final = (
    *("story_beat", "story_refresh", "story_entry", "story_audience", "story_pocket"),
    *("story_block", "story_posting"),
)
_COPIED: Final = {"story_entry": "", "story_audience": "WHERE identity <> ''", "story_pocket": ""}
"""Tables whose rows are copied as they are, with a condition if only some are."""

_BEATS: Final = (
    "SELECT b.n, b.request_id, b.kind, b.outcome, b.instant, b.paused, b.wall, b.seq, b.public, "
    "b.bundle_id, b.engine, b.actor, b.link, r.payload_hash, r.status, b.record, r.body, "
    "r.envelope FROM old_story_beat b LEFT JOIN old_story_request r "
    "ON r.request_id = b.request_id AND r.beat = b.n "
    f"WHERE b.n > ? ORDER BY b.n LIMIT {PAGE}"
)
_CALLS: Final = (
    "SELECT beat, number, writer, kind, verdict, said FROM old_story_call "
    "WHERE beat > ? AND beat <= ? ORDER BY beat, number"
)


def upgrade(connection: Connection, config: StoryConfig) -> None:
    """Move a ledger of an older layout into this one."""
    if layout_of(connection) == 1:
        _join_tables(connection, config)
    branches = create_statements(connection.dialect, ["story_branch"])
    migrate(connection, COMPONENT, [[], [], branches])


def _join_tables(connection: Connection, config: StoryConfig) -> None:
    """Move a ledger of the first layout into the second."""
    migrate(connection, COMPONENT, [[], _moved_aside(connection.dialect)])
    _copy_beats(connection)
    connection.execute(
        "INSERT INTO story_refresh (request_id, payload_hash, envelope, status, body) SELECT "
        "request_id, payload_hash, envelope, status, body FROM old_story_request WHERE beat IS NULL"
    )
    for table, where in _COPIED.items():
        columns = ", ".join(COLUMNS[table])
        connection.execute(
            f"INSERT INTO {table} ({columns}) SELECT {columns} FROM old_{table} {where}"
        )
    for table in _REPLACED:
        connection.execute(f"DROP TABLE old_{table}")
    indexed = -1
    while (blocks := index_full_blocks(connection, config)) > indexed:
        indexed = blocks


def _moved_aside(dialect: Dialect) -> list[str]:
    """Statements that rename the old tables, and create the new ones."""
    # PostgreSQL's triggers belong to their table and go with it; SQLite's have names of their own.
    guards = (
        [
            f"DROP TRIGGER IF EXISTS {table}_{event}"
            for table in _REPLACED
            for event in ("update", "delete", "replace")
        ]
        if dialect == "sqlite"
        else []
    )
    renamed = [f"ALTER TABLE {table} RENAME TO old_{table}" for table in _REPLACED]
    return [*guards, *renamed, *create_statements(dialect, _CREATED)]


def _copy_beats(connection: Connection) -> None:
    """Put each beat, its request and its writer's calls into one row."""
    last = -1
    calls_moved = 0
    while page := connection.execute(_BEATS, [last]):
        calls = dict(_calls(connection.execute(_CALLS, [last, page[-1][0]])))
        for beat in page:
            own_calls = calls.get(beat[0], [])
            calls_moved += len(own_calls)
            if beat[1] is not None and beat[13] is None:
                raise _damaged(f"the request of beat {beat[0]}")
            row = (*beat, calls_text(own_calls))
            connection.execute(insertion("story_beat", len(row)), row)
        last = page[-1][0]
    [(calls_kept, requests_kept, requests_moved)] = connection.execute(
        "SELECT (SELECT COUNT(*) FROM old_story_call), (SELECT COUNT(*) FROM old_story_request "
        "WHERE beat IS NOT NULL), (SELECT COUNT(request_id) FROM story_beat)"
    )
    if (calls_moved, requests_moved) != (calls_kept, requests_kept):
        raise _damaged("a request or a call")


def _calls(rows: list[Row]) -> Iterator[tuple[int, list[CallRow]]]:
    """The calls of each beat's writer, in order. Refuses a beat of which a call is missing."""
    for beat, calls in groupby(rows, key=itemgetter(0)):
        own_calls = []
        for number, call in enumerate(calls):
            if call[1] != number:
                raise _damaged(f"call {number} of beat {beat}")
            own_calls.append(CallRow(*call[2:]))
        yield beat, own_calls


def _damaged(part: str) -> DamagedError:
    return DamagedError(
        f"this ledger is of layout 1 and cannot be brought into layout {LAYOUT}: {part} is "
        "missing, or one was added; nothing was changed; verify it with the release that made it"
    )
