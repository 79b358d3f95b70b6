"""Verification of a world: replay the journal from the seed, and compare everything the database holds."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from thorp.kernel.canonical import read_text
from thorp.kernel.chain import GENESIS, link
from thorp.kernel.identity import digest
from thorp.store import Connection
from thorp.town.embedded.judging import KeptTown
from thorp.town.embedded.records import Replay
from thorp.town.embedded.town import encode_happened
from thorp.town.tables import PAGE, World, world_row


class Verified(msgspec.Struct, frozen=True):
    """What `verify` found: `difference` is None when everything follows from the journal."""

    records: int
    tip: str
    towns: int
    day: int
    difference: str | None


def verify_world(connection: Connection) -> Verified:
    world = world_row(connection)
    replay = Replay(world.seed)
    count, tip, difference = 0, GENESIS, None
    for n, record, happened, stored in _journal(connection):
        tip = link(tip, record.encode())
        if n != count or tip != stored:
            difference = f"record {count} of the journal was changed, or one before it is missing"
            break
        count += 1
        difference = _replay_record(replay, n, record, happened)
        if difference is not None:
            break
    if difference is None:
        difference = _compare(connection, replay, world)
    return Verified(count, tip.hex(), len(replay.towns), replay.day, difference)


def _journal(connection: Connection) -> Iterator[tuple[int, str, str, bytes]]:
    last = -1
    while rows := connection.execute(
        f"SELECT n, record, happened, link FROM town_journal WHERE n > ? ORDER BY n LIMIT {PAGE}", [last]
    ):
        for n, record, happened, stored in rows:
            yield n, record, happened, bytes(stored)
        last = rows[-1][0]


def _replay_record(replay: Replay, n: int, record: str, told: str) -> str | None:
    try:
        happened = replay.take(read_text(record.encode()))
    except Exception as error:
        return f"record {n} of the journal cannot be replayed: {error}"
    if told != encode_happened(happened):
        return f"the chronicle of record {n} is not what the rules give"
    return None


def _compare(connection: Connection, replay: Replay, world: World) -> str | None:
    if (replay.day, replay.retain_days) != (world.day, world.retain_days):
        return f"the world's day is {world.day}, and its journal gives {replay.day}"
    towns = {
        town_id: KeptTown(state, day, known_hash)
        for town_id, state, day, known_hash in connection.execute(
            "SELECT town, state, day, hash FROM town_state"
        )
    }
    if towns != replay.towns:
        names = sorted({*towns, *replay.towns})
        other = [name for name in names if towns.get(name) != replay.towns.get(name)]
        return f"town {other[0]!r} is not what the journal gives"
    return _compare_receipts(connection, replay)


def _compare_receipts(connection: Connection, replay: Replay) -> str | None:
    count, last = 0, ""
    while rows := connection.execute(
        f"SELECT key, content, result, day FROM town_receipt WHERE key > ? ORDER BY key LIMIT {PAGE}", [last]
    ):
        for key, content, result, day in rows:
            expected = replay.receipts.get(key)
            if expected is None or (content, day) != (expected.content, expected.day):
                return f"the receipt of {key} is not what the journal gives"
            if expected.result not in (None, digest(result.encode())):
                return f"the result of {key} is not what the journal gives"
        count, last = count + len(rows), rows[-1][0]
    if count != len(replay.receipts):
        return f"there are {count} receipts, and the journal gives {len(replay.receipts)}"
    return None
