"""The works on the tables of a world, which `tables.sql` has. Each work runs in one transaction.

A world of older rules is read as it is. Its first change under newer rules begins an epoch, in the
same transaction; from then on the older release is refused, also in a process that has the world
open.
"""

from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.chain import GENESIS, link
from thorp.kernel.errors import ConflictError, LimitError, StaleError
from thorp.kernel.identity import digest
from thorp.kernel.rng import KeyedDraws
from thorp.store import Connection, migrate, statements
from thorp.town.embedded import journal, tuning
from thorp.town.embedded.journal import FORMAT, result_text
from thorp.town.embedded.judgement import StoredTown, begin_day_in, judge, stored_form
from thorp.town.embedded.new_day import found_town
from thorp.town.embedded.town import Happened, Happening, Town, decode, decode_happened, encode
from thorp.town.handoff_judge import Receipt, UnknownTown
from thorp.town.orders import (
    AdvanceDay,
    CreateTown,
    KeeperOrder,
    RetainReceipts,
    TownOrder,
    apply_order,
)

COMPONENT: Final = "town"

TOWN_LIMIT: Final = 1000
"""Most towns of a world. A day begins in all of them in one transaction, which should stay below a
second."""

FAR_FUTURE: Final = 2**62  # A number that no record will have.
PAGE: Final = 500  # Records of the journal that are read at a time.

_SCHEMA: Final = Path(__file__).with_name("tables.sql").read_text("utf-8")

RECENT = f"SELECT record FROM town_journal WHERE town = ? ORDER BY n DESC LIMIT {PAGE}"
LAST_RECORD = "SELECT n, link FROM town_journal ORDER BY n DESC LIMIT 1"
_LOOK = (
    "SELECT r.content, r.result_id, s.state, s.day, s.hash, j.n, j.link, w.format, w.rules "
    f"FROM town_world w CROSS JOIN ({LAST_RECORD}) j "
    "LEFT JOIN town_receipt r ON r.key = ? LEFT JOIN town_state s ON s.town = ?"
)
"""Everything that a handoff is judged by: its receipt, its town, where the journal ends, whose
rules hold."""


class World(NamedTuple):
    """The one row of a world."""

    seed: int
    day: int
    retain_days: int | None
    rules: int  # The version of the rules that made its current epoch.


class Entry(msgspec.Struct, frozen=True):
    """One line of the chronicle."""

    n: int
    day: int
    town: str
    kind: str
    text: str


def world_row(connection: Connection) -> World:
    """The world as stored. Refuses one of another format, or of newer rules."""
    [(form, rules, seed, day, retain_days)] = connection.execute(
        "SELECT format, rules, seed, day, retain_days FROM town_world WHERE id = 1"
    )
    if form != FORMAT or rules > tuning.RULES_VERSION:
        raise StaleError(
            f"this world has format {form} and rules {rules}; this release has {FORMAT} and "
            f"{tuning.RULES_VERSION}; use a newer release",
            code="version",
        )
    return World(int(seed), day, retain_days, rules)


def world_of_ours(connection: Connection) -> World:
    """The world, in an epoch of our rules. One of older rules begins it now."""
    world = world_row(connection)
    if world.rules == tuning.RULES_VERSION:
        return world
    _begin_epoch(connection, world.day)
    return world._replace(rules=tuning.RULES_VERSION)


def _begin_epoch(connection: Connection, day: int) -> None:
    """Carry every town over to our rules, and keep what the epoch begins with."""
    towns = {}
    for town_id, state in connection.execute("SELECT town, state FROM town_state"):
        try:
            towns[town_id] = stored_form(decode(state))
        except Exception as error:
            raise StaleError(
                f"town {town_id!r} cannot be carried over to rules {tuning.RULES_VERSION}: {error}",
                code="epoch",
            ) from error
    record = journal.epoch_record({town_id: town.text for town_id, town in towns.items()})
    n = _append(connection, day, None, record, {})
    for name, town in sorted(towns.items()):
        _store_town(connection, name, town)
        connection.execute(
            "INSERT INTO town_epoch (n, town, state) VALUES (?, ?, ?)", [n, name, town.text]
        )
    connection.execute("UPDATE town_world SET rules = ? WHERE id = 1", [tuning.RULES_VERSION])


def create_tables(connection: Connection) -> bool:
    """Create the tables; False if they were there."""
    return not migrate(connection, COMPONENT, [statements(_SCHEMA, connection.dialect)])


def found_world(connection: Connection, seed: int) -> World:
    """Create the tables and the world; the existing world, if another process was first."""
    if not create_tables(connection):
        return world_row(connection)  # another process was first
    connection.execute(
        "INSERT INTO town_world (id, format, rules, seed, day, retain_days) VALUES (1, ?, ?, ?, "
        "0, NULL)",
        [FORMAT, tuning.RULES_VERSION, str(seed)],
    )
    _append(connection, 0, None, journal.found_record(seed), {})
    return world_row(connection)


def known_town(connection: Connection, town_id: str) -> StoredTown:
    """A town as stored. Refuses an unknown one."""
    town = find_town(connection, town_id)
    if town is None:
        raise UnknownTown(town_id)
    return town


def find_town(connection: Connection, town_id: str) -> StoredTown | None:
    """A town as stored, or None."""
    rows = connection.execute("SELECT state, day, hash FROM town_state WHERE town = ?", [town_id])
    return StoredTown(*rows[0]) if rows else None


def execute(connection: Connection, handoff: Json, text: str) -> dict[str, Json]:
    """Judge a handoff, given with its canonical text, and store what became of it."""
    key: str = handoff["idempotencyKey"]
    town_id: str = handoff["proposal"]["townId"]
    content = digest(text.encode())
    [row] = connection.execute(_LOOK, [key, town_id])
    if row[7:] != (FORMAT, tuning.RULES_VERSION):
        world_of_ours(connection)
        [row] = connection.execute(_LOOK, [key, town_id])
    receipt = None if row[0] is None else Receipt(*row[:2])
    town = None if row[2] is None else StoredTown(*row[2:5])
    judgement = judge(handoff, content, receipt, town)
    result = judgement.result
    if result["accepted"]:
        assert town is not None
        happened = {town_id: judgement.happenings} if judgement.happenings else {}
        answer = result_text(result)
        record = journal.handoff_record(text, result["status"], answer)
        _append(connection, town.day, town_id, record, happened, row[5:7])
        if judgement.town is not None:
            _store_town(connection, town_id, judgement.town)
        connection.execute(
            "INSERT INTO town_receipt (key, content, result_id, result, day) VALUES (?, ?, ?, ?, "
            "?)",
            [key, content, result["resultId"], answer, town.day],
        )
    return result


def execute_order(
    connection: Connection, order: KeeperOrder, draws: KeyedDraws
) -> Town | int | list[Happening] | None:
    """Execute an order of the keeper; the answer is of the type that the order names."""
    match order:
        case CreateTown():
            return _create_town(connection, order, draws)
        case AdvanceDay():
            return _advance_day(connection, order, draws)
        case RetainReceipts():
            _retain_receipts(connection, order)
            return None
    return _change_town(connection, order, draws)


def _create_town(connection: Connection, order: CreateTown, draws: KeyedDraws) -> Town:
    world = world_of_ours(connection)
    town_id = order.town_id
    if find_town(connection, town_id) is not None:
        raise ConflictError(f"there is a town {town_id!r} already", code="town_exists")
    [(count,)] = connection.execute("SELECT COUNT(*) FROM town_state")
    if count >= TOWN_LIMIT:
        raise LimitError(f"this world has {TOWN_LIMIT} towns; that is the most", code="town_limit")
    town, happenings = found_town(town_id, world.day, draws)
    new = stored_form(town)
    connection.execute(
        "INSERT INTO town_state (town, day, hash, state) VALUES (?, ?, ?, ?)",
        [town_id, new.day, new.hash, new.text],
    )
    _append(connection, town.day, town_id, journal.order_record(order), {town_id: happenings})
    return town


def _change_town(connection: Connection, order: TownOrder, draws: KeyedDraws) -> list[Happening]:
    world_of_ours(connection)
    town_id = order.town_id
    town = decode(known_town(connection, town_id).text)
    happenings = apply_order(town, order, draws)
    _store_town(connection, town_id, stored_form(town))
    _append(connection, town.day, town_id, journal.order_record(order), {town_id: happenings})
    return happenings


def _advance_day(connection: Connection, order: AdvanceDay, draws: KeyedDraws) -> int:
    world = world_of_ours(connection)
    day = world.day + 1
    states = [
        (town_id, state)
        for town_id, state in connection.execute("SELECT town, state FROM town_state")
    ]
    towns, happened = begin_day_in(states, draws)
    for town_id, town in towns.items():
        _store_town(connection, town_id, town)
    _append(connection, day, None, journal.order_record(order), happened)
    connection.execute("UPDATE town_world SET day = ? WHERE id = 1", [day])
    _forget_receipts(connection, day, world.retain_days)
    return day


def _retain_receipts(connection: Connection, order: RetainReceipts) -> None:
    day = world_of_ours(connection).day
    _append(connection, day, None, journal.order_record(order), {})
    connection.execute("UPDATE town_world SET retain_days = ? WHERE id = 1", [order.days])
    _forget_receipts(connection, day, order.days)


def _forget_receipts(connection: Connection, day: int, retain_days: int | None) -> None:
    if retain_days is not None:
        connection.execute("DELETE FROM town_receipt WHERE day < ?", [day - retain_days])


def _store_town(connection: Connection, town_id: str, town: StoredTown) -> None:
    connection.execute(
        "UPDATE town_state SET day = ?, hash = ?, state = ? WHERE town = ?",
        [town.day, town.hash, town.text, town_id],
    )


def _append(
    connection: Connection,
    day: int,
    town_id: str | None,
    record: str,
    happened: Happened,
    last: tuple[int, bytes] | None = None,
) -> int:
    """Append a record to the journal, with what happened, by town; `town_id` is None if it is about
    all. `last` is the number and the link of the last record, where they are known. Returns the new
    number."""
    if last is None:
        rows = connection.execute(LAST_RECORD)
        last = rows[0] if rows else (-1, GENESIS)
    n, previous = last
    happened_text = encode(happened)
    connection.execute(
        "INSERT INTO town_journal (n, day, town, record, happened, link) VALUES (?, ?, ?, ?, ?, ?)",
        [
            n + 1,
            day,
            town_id,
            record,
            happened_text,
            link(previous, journal.chained(record, happened_text)),
        ],
    )
    return n + 1


def chronicle(
    connection: Connection, town_id: str | None, limit: int, kind: str | None
) -> list[Entry]:
    """Pages from the end backwards, until there are enough entries or no more."""
    newest_first: list[Entry] = []
    here, named = ("", []) if town_id is None else ("(town = ? OR town IS NULL) AND ", [town_id])
    before = FAR_FUTURE
    while len(newest_first) < limit:
        rows = connection.execute(
            f"SELECT n, day, happened FROM town_journal WHERE {here}n < ? ORDER BY n DESC LIMIT "
            f"{PAGE}",
            [*named, before],
        )
        if not rows:
            break
        before = rows[-1][0]
        for n, day, happened in rows:
            by_town = decode_happened(happened)
            newest_first += [
                Entry(n=n, day=day, town=town, kind=each.kind, text=each.text)
                for town in (sorted(by_town, reverse=True) if town_id is None else [town_id])
                for each in reversed(by_town.get(town, []))
                if kind is None or each.kind == kind
            ]
    return newest_first[:limit][::-1]
