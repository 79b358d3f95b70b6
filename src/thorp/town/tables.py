"""What is done to the tables of a world (`tables.sql`): every function runs in one transaction.

The store lets one transaction write at a time, of all processes, so none of them needs a lock: a
town that was read is still the same when it is stored. A record, the town it changed and its
receipt commit together, or not at all.

A world of older rules is read as it is. Its first change under newer rules begins an epoch, in the
same transaction; from then on the older release is refused, even in a process that has the world
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
from thorp.town.embedded.new_day import new_town
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

FAR_FUTURE: Final = 2**62  # A number above that of any record.
PAGE: Final = 500  # Records of the journal that are read at a time.

_SCHEMA: Final = Path(__file__).with_name("tables.sql").read_text("utf-8")

RECENT = f"SELECT record FROM town_journal WHERE town = ? ORDER BY n DESC LIMIT {PAGE}"
LAST_RECORD = "SELECT n, link FROM town_journal ORDER BY n DESC LIMIT 1"
_JUDGED_BY = (
    "SELECT r.content, r.result_id, s.state, s.day, s.hash, j.n, j.link, w.format, w.rules "
    f"FROM town_world w CROSS JOIN ({LAST_RECORD}) j "
    "LEFT JOIN town_receipt r ON r.key = ? LEFT JOIN town_state s ON s.town = ?"
)
"""Everything that a handoff is judged by, in one statement: its receipt, its town, the end of the
journal, the format and rules of the world."""


class _JudgedBy(NamedTuple):
    """The row of `_JUDGED_BY`; without a receipt or a town, their columns are None."""

    receipt_content: str | None
    result_id: str
    town_text: str | None
    town_day: int
    town_hash: str
    last_n: int
    last_link: bytes
    format: int
    rules: int

    @property
    def receipt(self) -> Receipt | None:
        if self.receipt_content is None:
            return None
        return Receipt(self.receipt_content, self.result_id)

    @property
    def town(self) -> StoredTown | None:
        if self.town_text is None:
            return None
        return StoredTown(self.town_text, self.town_day, self.town_hash)


class WorldRow(NamedTuple):
    """The only row of the table `town_world`."""

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


def world_row(connection: Connection) -> WorldRow:
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
    return WorldRow(int(seed), day, retain_days, rules)


def world_of_ours(connection: Connection) -> WorldRow:
    """The world, in an epoch of our rules; if it has older ones, that epoch begins now."""
    world = world_row(connection)
    if world.rules == tuning.RULES_VERSION:
        return world
    _begin_epoch(connection, world.day)
    return world._replace(rules=tuning.RULES_VERSION)


def _begin_epoch(connection: Connection, day: int) -> None:
    """Carry every town over to our rules, and keep a snapshot of what the epoch begins with."""
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
    """Create the tables; False if they exist already."""
    return not migrate(connection, COMPONENT, [statements(_SCHEMA, connection.dialect)])


def create_world(connection: Connection, seed: int) -> WorldRow:
    """Create the tables and the world. If another process was first, return its world."""
    if not create_tables(connection):
        return world_row(connection)
    connection.execute(
        "INSERT INTO town_world (id, format, rules, seed, day, retain_days) VALUES (1, ?, ?, ?, "
        "0, NULL)",
        [FORMAT, tuning.RULES_VERSION, str(seed)],
    )
    _append(connection, 0, None, journal.founding_record(seed), {})
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
    """Judge a handoff, given with its canonical text, and store the outcome if it is accepted."""
    key: str = handoff["idempotencyKey"]
    town_id: str = handoff["proposal"]["townId"]
    content = digest(text.encode())
    [row] = connection.execute(_JUDGED_BY, [key, town_id])
    judged_by = _JudgedBy._make(row)
    if (judged_by.format, judged_by.rules) != (FORMAT, tuning.RULES_VERSION):
        world_of_ours(connection)
        [row] = connection.execute(_JUDGED_BY, [key, town_id])
        judged_by = _JudgedBy._make(row)
    town = judged_by.town
    judgement = judge(handoff, content, judged_by.receipt, town)
    result = judgement.result
    if result["accepted"]:
        assert town is not None
        happened = {town_id: judgement.happenings} if judgement.happenings else {}
        answer = result_text(result)
        record = journal.handoff_record(text, result["status"], answer)
        last = (judged_by.last_n, judged_by.last_link)
        _append(connection, town.day, town_id, record, happened, last=last)
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
    town, happenings = new_town(town_id, world.day, draws)
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
    *,
    last: tuple[int, bytes] | None = None,
) -> int:
    """Append a record to the journal, with what happened in each town, and return its number.

    `town_id` is None if the record is about all towns. `last` is the number and the link of the
    last record, if the caller has read them already.
    """
    if last is None:
        rows = connection.execute(LAST_RECORD)
        last = rows[0] if rows else (-1, GENESIS)
    n, previous = last
    happened_text = encode(happened)
    new_link = link(previous, journal.chained(record, happened_text))
    connection.execute(
        "INSERT INTO town_journal (n, day, town, record, happened, link) VALUES (?, ?, ?, ?, ?, ?)",
        [n + 1, day, town_id, record, happened_text, new_link],
    )
    return n + 1


def chronicle(
    connection: Connection, town_id: str | None, limit: int, kind: str | None
) -> list[Entry]:
    """The latest entries of one town or of all, oldest first. Reads pages from the end backwards
    until there are enough entries or no more."""
    newest_first: list[Entry] = []
    # A record without a town, such as a new day, may be about any of them.
    town_condition = "" if town_id is None else "(town = ? OR town IS NULL) AND "
    town_values = [] if town_id is None else [town_id]
    before = FAR_FUTURE
    while len(newest_first) < limit:
        rows = connection.execute(
            f"SELECT n, day, happened FROM town_journal WHERE {town_condition}n < ? "
            f"ORDER BY n DESC LIMIT {PAGE}",
            [*town_values, before],
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
