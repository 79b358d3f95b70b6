"""Verifies a world: replays its journal, and compares everything that the database holds with it.

In all epochs, every record is checked against the chain, and receipts, day and retention against
the records. Towns and chronicle are replayed where our own rules made them. In older epochs the
chain still covers the chronicle and the answers that receipts keep; `Epoch.release` names the
release that can replay their towns.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import msgspec

from thorp.kernel.canonical import read_text
from thorp.kernel.chain import GENESIS, link, not_on_chain
from thorp.kernel.identity import digest
from thorp.store import Connection
from thorp.town.embedded.journal import RELEASES, Replay, chained, town_of
from thorp.town.embedded.judgement import StoredTown
from thorp.town.embedded.town import encode
from thorp.town.tables import PAGE, WorldRow, world_row


class Epoch(msgspec.Struct, frozen=True):
    """A stretch of the journal that one version of the rules made."""

    rules: int
    first: int  # The number of its first record.
    records: int
    replayed: bool
    """Whether its towns were replayed, because its rules are ours; else its chain was checked."""
    release: str | None  # The first release with those rules, which can replay it.


class Verified(msgspec.Struct, frozen=True):
    """What `verify` found: `difference` is None when everything follows from the journal."""

    records: int
    tip: str
    towns: int
    day: int
    difference: str | None
    epochs: tuple[Epoch, ...]
    self_check: str | None = None
    """The database's own check, which passed; None if we may not run one."""


class _JournalRow(NamedTuple):
    """A row of the journal; its fields are the columns that are read."""

    n: int
    day: int
    town: str | None
    record: str
    happened: str
    link: bytes


def verify_world(connection: Connection, noted: str | None = None) -> Verified:
    """Verify the world of this database. `noted` is a tip from an earlier day, in hexadecimal: it
    must still be a link of the chain."""
    world = world_row(connection)
    [(towns,)] = connection.execute("SELECT COUNT(*) FROM town_state")
    replay = Replay(world.seed)
    count = 0
    tip = GENESIS
    difference = None
    epochs: list[tuple[int, int, bool]] = []  # Rules, number of the first record, whether ours.
    for row in _journal(connection):
        tip = link(tip, chained(row.record, row.happened))
        if row.n != count or tip != bytes(row.link):
            difference = f"record {count} of the journal was changed, or one before it is missing"
            break
        count += 1
        before = replay.rules
        difference = _replay_record(connection, replay, row)
        if difference is not None:
            break
        if replay.rules != before:
            epochs.append((replay.rules, row.n, replay.is_ours))
        if tip.hex() == noted:
            noted = None
    if difference is None and noted is not None:
        difference = not_on_chain(noted)
    if difference is None:
        difference = _compare(connection, replay, world)
    return Verified(
        records=count,
        tip=tip.hex(),
        towns=towns,
        day=replay.day,
        difference=difference,
        epochs=_epochs(epochs, count),
    )


def _epochs(beginnings: list[tuple[int, int, bool]], count: int) -> tuple[Epoch, ...]:
    """The epochs of a journal of `count` records; each ends where the next begins."""
    spans = pairwise([*(first for _, first, _ in beginnings), count])
    return tuple(
        Epoch(
            rules=rules,
            first=first,
            records=end - first,
            replayed=ours,
            release=RELEASES.get(rules),
        )
        for (rules, _, ours), (first, end) in zip(beginnings, spans, strict=True)
    )


def _journal(connection: Connection) -> Iterator[_JournalRow]:
    """Every row in order, a page at a time: a journal may be larger than memory."""
    last = -1
    columns = ", ".join(_JournalRow._fields)
    while rows := connection.execute(
        f"SELECT {columns} FROM town_journal WHERE n > ? ORDER BY n LIMIT {PAGE}", [last]
    ):
        yield from map(_JournalRow._make, rows)
        last = rows[-1][0]


def _replay_record(connection: Connection, replay: Replay, row: _JournalRow) -> str | None:
    """Replay a record; how the row differs from what follows, or None."""
    try:
        record = read_text(row.record.encode())
        if record["kind"] == "epoch":
            states = connection.execute("SELECT town, state FROM town_epoch WHERE n = ?", [row.n])
            replay.enter_epoch(record, dict(states))
        elif (happened := replay.take(record)) is not None and row.happened != encode(happened):
            return f"the chronicle of record {row.n} is not what the rules give"
    except Exception as error:
        return f"record {row.n} of the journal cannot be replayed: {error}"
    if (row.day, row.town) != (replay.day, town_of(record)):
        return f"record {row.n} of the journal stands under another day or town than its own"
    return None


def _compare(connection: Connection, replay: Replay, world: WorldRow) -> str | None:
    """The first difference between the database and the end of the replay, or None."""
    if (replay.day, replay.retain_days) != (world.day, world.retain_days):
        return f"the world's day is {world.day}, and its journal gives {replay.day}"
    if replay.rules != world.rules:
        return f"the world says it has rules {world.rules}, and its journal says {replay.rules}"
    town_difference = _compare_towns(connection, replay) if replay.is_ours else None
    return town_difference or _compare_receipts(connection, replay)


def _compare_towns(connection: Connection, replay: Replay) -> str | None:
    rows = connection.execute("SELECT town, state, day, hash FROM town_state")
    towns = {town_id: StoredTown(*kept) for town_id, *kept in rows}
    names = sorted({*towns, *replay.towns})
    different = [name for name in names if towns.get(name) != replay.towns.get(name)]
    return f"town {different[0]!r} is not what the journal gives" if different else None


def _compare_receipts(connection: Connection, replay: Replay) -> str | None:
    count = 0
    last = ""
    while rows := connection.execute(
        "SELECT key, content, result_id, result, day FROM town_receipt WHERE key > ? "
        f"ORDER BY key LIMIT {PAGE}",
        [last],
    ):
        for key, content, result_id, result, day in rows:
            expected = replay.receipts.get(key)
            if expected is None or (content, day) != (expected.content, expected.day):
                return f"the receipt of {key} is not what the journal gives"
            text = result.encode()
            if digest(text) != expected.result or result_id != read_text(text)["resultId"]:
                return f"the result of {key} is not what the journal gives"
        count = count + len(rows)
        last = rows[-1][0]
    if count != len(replay.receipts):
        return f"there are {count} receipts, and the journal gives {len(replay.receipts)}"
    return None
