"""Branches a story: copies it up to a beat into a database of its own, where it goes on by itself.

The copied rows are the same to the byte, so the tip of the last copied beat lies on both chains.
The next beat founds the branch and has a new secret, so from there on no id, no sealed request and
no link of one story is any of the other's. The copy is one transaction: there is a whole branch,
or there is none.

Not copied are the answers to requests that moved nothing, which may show what came after the beat;
what models took, which the branch did not pay; and what follows from the other rows.
"""

import secrets
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ConflictError, DamagedError, InvalidError, LimitError
from thorp.store import Connection, Row, open_database_in
from thorp.story import schema
from thorp.story.branch_beat import found_branch
from thorp.story.creation import DATABASE_FILE, SECRET_BITS
from thorp.story.fork_point import BRANCHES_LIMIT, Branch, ForkPoint
from thorp.story.ledger import evidence_of
from thorp.story.schema import COLUMNS
from thorp.story.service import Ledger
from thorp.story.storage import read_listed
from thorp.story.tables import Tables

PAGE: Final = 100  # Rows that are read at a time; one with an envelope may have a megabyte.


class _Copied(NamedTuple):
    """A table that a branch gets, by which column it is cut off, and in which order it is read."""

    table: str
    until: str  # The column that says the beat of a row, or its entry.
    order: tuple[str, ...]
    before_first: tuple[int | str, ...]  # What is less than every key.


_BY_BEAT: Final = (
    _Copied("story_beat", "n", ("n",), (-1,)),
    _Copied("story_branch", "beat", ("beat",), (-1,)),
    _Copied("story_person", "beat", ("beat", "person_id"), (-1, "")),
    _Copied("story_pack", "beat", ("beat", "pack_id"), (-1, "")),
    _Copied("story_tool", "beat", ("beat", "number"), (-1, -1)),
)
_ENTRIES: Final = _Copied("story_entry", "seq", ("seq",), (-1,))
# These refer to entries, so they come after them.
_BY_ENTRY: Final = (
    _Copied("story_audience", "seq", ("identity", "place"), ("", -1)),
    _Copied("story_pocket", "seq", ("n",), (-1,)),
)


def branch(
    source: Ledger,
    where: str | Path,
    beat: int,
    *,
    at: ForkPoint | None = None,
    secret: int | None = None,
) -> None:
    """Copy a story up to a beat into an empty database, and found a branch there. The story that is
    copied is only read, and may go on meanwhile.

    `at` is the fork of a world that the branch belongs to; `secret` is for tests. Refuses as
    `exists` a database with a story.
    """
    last = source.head().beat
    if not 0 <= beat <= last:
        raise InvalidError(f"the last beat is {last}; there is no beat {beat}", code="range")
    splits = [split for split in source.read(schema.find_branches) if split.beat <= beat]
    if len(splits) >= BRANCHES_LIMIT:
        raise LimitError(f"{BRANCHES_LIMIT} splits lie behind it already", code="branch_limit")
    own_secret = secrets.randbits(SECRET_BITS) if secret is None else secret
    text = None if at is None else at.to_text()

    def write(connection: Connection) -> None:
        if not schema.create_tables(connection):
            raise ConflictError("there is a story already; choose another place", code="exists")
        _copy_story(source, connection, beat)
        found_branch(connection, source.config, own_secret, text)

    with open_database_in(where, DATABASE_FILE, create=True, absent="", code="") as target:
        target.submit(write).result()


def _copy_story(source: Ledger, connection: Connection, beat: int) -> None:
    """Copy everything up to a beat, and count from the entries who has shown what."""
    tables = Tables(connection, source.config)
    world = COLUMNS["story_world"]
    [row] = source.read(
        lambda reader: reader.execute(f"SELECT {', '.join(world)} FROM story_world")
    )
    tables.insert([("story_world", tuple(row))])
    for copied in _BY_BEAT:
        for _ in _copy(source, tables, copied, beat):
            pass
    [(seq,)] = connection.execute("SELECT seq FROM story_beat WHERE n = ?", [beat])
    counts: Counter[tuple[str, str]] = Counter()
    entries = _copy(source, tables, _ENTRIES, seq)
    for _, bundle in groupby(entries, key=itemgetter(COLUMNS["story_entry"].index("beat"))):
        counts.update(evidence_of(map(_authorship, bundle)))
    for (person, identity), bundles in counts.items():
        tables.count_evidence(person, identity, bundles)
    for copied in _BY_ENTRY:
        for _ in _copy(source, tables, copied, seq):
            pass


def _copy(source: Ledger, tables: Tables, copied: _Copied, last: int) -> Iterator[Row]:
    """Copy the rows of a table up to a beat or an entry, a page at a time; gives each of them."""
    columns = COLUMNS[copied.table]
    keys = [columns.index(name) for name in copied.order]
    select = (
        f"SELECT {', '.join(columns)} FROM {copied.table} WHERE {copied.until} <= ? "
        f"AND ({', '.join(copied.order)}) > ({', '.join('?' * len(keys))}) "
        f"ORDER BY {', '.join(copied.order)} LIMIT {PAGE}"
    )
    after = list(copied.before_first)

    def read(connection: Connection, after: list[int | str]) -> list[Row]:
        return connection.execute(select, [last, *after])

    while rows := source.read(partial(read, after=after)):
        tables.insert([(copied.table, tuple(row)) for row in rows])
        yield from rows
        after = [rows[-1][key] for key in keys]


def _authorship(entry: Row) -> tuple[str, str, list[str]]:
    """The class and id of an entry's author, and the identities that it lists."""
    cells = dict(zip(COLUMNS["story_entry"], entry, strict=True))
    return cells["author_class"], cells["author_id"], read_listed(cells["visible_to"]) or []


def describe_branches(ledger: Ledger) -> list[dict[str, Json]]:
    """Where this story left others, the oldest first, without any secret: the beats and entries
    that it shares with the other, the tip that both chains have there, and the fork of the
    world."""
    return ledger.read(_describe)


def _describe(connection: Connection) -> list[dict[str, Json]]:
    return [_described(connection, split) for split in schema.find_branches(connection)]


def _described(connection: Connection, split: Branch) -> dict[str, Json]:
    tips = connection.execute("SELECT link FROM story_beat WHERE n = ?", [split.beat - 1])
    if not tips:
        raise DamagedError(f"story_beat {split.beat - 1} is missing")
    at = split.fork_point
    return {
        "beats": split.beat - 1,
        "entries": split.seq,
        "tip": bytes(tips[0][0]).hex(),
        "at": None if at is None else msgspec.to_builtins(at),
    }
