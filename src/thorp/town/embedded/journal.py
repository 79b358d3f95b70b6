"""The journal of a world: the records of its inputs, as canonical text, and their replay in memory.

    {"kind":"found",…}                                       the first record: versions and seed
    {"kind":"epoch",…}                                       newer rules from here on
    {"handoff":{…},"kind":"handoff","result":…,"status":…}   an accepted handoff, and a digest of
                                                             its answer
    {"args":{…},"kind":"order","order":…,"town":…}           an order of the keeper to one town
    {"kind":"create","town":…}                               a new town
    {"kind":"day"}                                           the next day, in every town
    {"kind":"retain","days":…}                               how long receipts are kept

`Replay` books every record: the day, the receipts and their retention follow from the records under
any rules. In an epoch of our own rules it also executes the record, which gives the towns and what
happened. The database must hold the same.
"""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import msgspec

from thorp.kernel.canonical import Json, canonical_bytes, canonical_text
from thorp.kernel.errors import DamagedError
from thorp.kernel.identity import digest
from thorp.kernel.rng import KeyedDraws
from thorp.town import orders
from thorp.town.embedded import tuning
from thorp.town.embedded.judgement import StoredTown, begin_day_in, judge, stored_form
from thorp.town.embedded.new_day import new_town
from thorp.town.embedded.town import Happened, decode
from thorp.town.handoff import checked_handoff

_encode = msgspec.json.Encoder().encode

FORMAT: Final = 1
FOUNDING: Final = "found"  # The kind of the first record, and of no other.

RELEASES: Final = {1: "0.1.0"}
"""The first release with each version of the rules. It can replay such epochs, and so can every
release up to that of the next row."""


def founding_record(seed: int) -> str:
    """The first record of a world: the versions of format and rules, and the seed."""
    return canonical_text({"kind": FOUNDING, **_versions(), "seed": str(seed)})


def epoch_record(states: Mapping[str, str]) -> str:
    """The record that begins an epoch of our rules, with a digest of the states of all towns."""
    return canonical_text({"kind": "epoch", **_versions(), "towns": towns_digest(states)})


def _versions() -> dict[str, Json]:
    return {"format": FORMAT, "rules": tuning.RULES_VERSION}


def towns_digest(states: Mapping[str, str]) -> str:
    """One digest of the states of all towns."""
    return digest(
        canonical_bytes({town_id: digest(state.encode()) for town_id, state in states.items()})
    )


def handoff_record(handoff_text: str, status: str, result: str) -> str:
    """The canonical record of an accepted handoff, from its canonical text and its receipt's
    result."""
    answered = digest(result.encode())
    return (
        f'{{"handoff":{handoff_text},"kind":"handoff","result":"{answered}","status":"{status}"}}'
    )


def order_record(order: orders.KeeperOrder | orders.TownOrder) -> str:
    """The canonical record of an order of the keeper."""
    match order:
        case orders.CreateTown(town_id):
            return canonical_text({"kind": "create", "town": town_id})
        case orders.AdvanceDay():
            return canonical_text({"kind": "day"})
        case orders.RetainReceipts(days):
            return canonical_text({"kind": "retain", "days": days})
    name = order.__struct_config__.tag
    args = msgspec.structs.asdict(order)
    return canonical_text(
        {"kind": "order", "town": args.pop("town_id"), "order": name, "args": args}
    )


def town_of(record: Json) -> str | None:
    """The town that a record is about, or None if it is about all of them."""
    town: str | None = (
        record["handoff"]["proposal"]["townId"] if "handoff" in record else record.get("town")
    )
    return town


def chained(record: str, happened: str) -> bytes:
    """The bytes that a link of the journal's chain covers: the record, which is one line, and what
    happened because of it."""
    return f"{record}\n{happened}".encode()


def result_text(result: dict[str, Json]) -> str:
    """A result as a receipt keeps it."""
    return _encode(result).decode()


class KeptReceipt(msgspec.Struct, frozen=True):
    """A receipt as it follows from the journal: digests of handoff and result, and the day."""

    content: str
    result: str
    day: int


class Replay:
    """A world in memory, made from the records that it takes one after another."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._draws = KeyedDraws(seed)
        self.rules = 0
        """The version of the rules that made this epoch; 0 before the first record."""
        self.day = 0
        self.retain_days: int | None = None
        self.receipts: dict[str, KeptReceipt] = {}
        self.towns: dict[str, StoredTown] = {}  # The towns, if the epoch is of our rules.

    @property
    def is_ours(self) -> bool:
        """Whether our rules made this epoch, so that it can be replayed here."""
        return self.rules == tuning.RULES_VERSION

    def enter_epoch(self, record: Json, states: Mapping[str, str]) -> None:
        """Begin an epoch, from its snapshot of all towns."""
        if not 0 < self.rules < record["rules"]:
            raise DamagedError(f"rules {record['rules']} cannot follow rules {self.rules}")
        if (record["format"], record["towns"]) != (FORMAT, towns_digest(states)):
            raise DamagedError("the snapshot of its towns was changed")
        self.rules = record["rules"]
        if self.is_ours:
            self.towns = {town_id: stored_form(decode(state)) for town_id, state in states.items()}

    def take(self, record: Json) -> Happened | None:
        """Book a record, and execute it if it was made under our rules. Returns what happened, by
        town; None if only other rules could tell."""
        kind = _KINDS.get(record["kind"])
        if kind is None:
            raise DamagedError(f"{record['kind']!r} is not a kind of record")
        if (record["kind"] == FOUNDING) != (self.rules == 0):
            raise DamagedError(f"the first record, and only that, must be of the kind {FOUNDING!r}")
        kind.book(self, record)
        if kind.execute is None:
            return {}
        return kind.execute(self, record) if self.is_ours else None

    # What follows from a record under any rules.

    def _book_nothing(self, record: Json) -> None:
        pass

    def _book_founding(self, record: Json) -> None:
        if (record["format"], record["seed"]) != (FORMAT, str(self._seed)):
            raise DamagedError("the first record has another format or seed")
        self.rules = record["rules"]

    def _book_receipt(self, record: Json) -> None:
        key = record["handoff"]["idempotencyKey"]
        if key in self.receipts:
            raise DamagedError("a key was used twice")
        content = digest(canonical_bytes(record["handoff"]))
        self.receipts[key] = KeptReceipt(content, record["result"], self.day)

    def _book_day(self, record: Json) -> None:
        self.day += 1
        self._forget_old_receipts()

    def _book_retention(self, record: Json) -> None:
        self.retain_days = record["days"]
        self._forget_old_receipts()

    def _forget_old_receipts(self) -> None:
        if self.retain_days is not None:
            oldest = self.day - self.retain_days
            self.receipts = {key: each for key, each in self.receipts.items() if each.day >= oldest}

    # What our rules make of a record.

    def _execute_handoff(self, record: Json) -> Happened:
        handoff = checked_handoff(record["handoff"])[1]
        town_id: str = handoff["proposal"]["townId"]
        judgement = judge(handoff, "", None, self.towns[town_id])
        if record["status"] == "failed":
            return {}  # It changed nothing, and a defect of the rules need not repeat itself.
        if judgement.town is None:
            raise DamagedError(
                f"a handoff that was executed is now {judgement.result['reasonCode']}"
            )
        if digest(result_text(judgement.result).encode()) != record["result"]:
            raise DamagedError("replaying this handoff gives a different result")
        self.towns[town_id] = judgement.town
        return {town_id: judgement.happenings}

    def _create_town(self, record: Json) -> Happened:
        town_id: str = record["town"]
        town, happenings = new_town(town_id, self.day, self._draws)
        self.towns[town_id] = stored_form(town)
        return {town_id: happenings}

    def _follow_order(self, record: Json) -> Happened:
        town_id: str = record["town"]
        town = decode(self.towns[town_id].text)
        order = orders.TOWN_ORDERS[record["order"]](town_id=town_id, **record["args"])
        happenings = orders.apply_order(town, order, self._draws)
        self.towns[town_id] = stored_form(town)
        return {town_id: happenings}

    def _begin_day(self, record: Json) -> Happened:
        texts = [(town_id, town.text) for town_id, town in self.towns.items()]
        self.towns, happened = begin_day_in(texts, self._draws)
        return happened


class _RecordKind(NamedTuple):
    """How the replay takes records of one kind."""

    book: Callable[[Replay, Json], None]
    execute: Callable[[Replay, Json], Happened] | None = None  # None for records about no town.


_KINDS: Final = {
    FOUNDING: _RecordKind(Replay._book_founding),
    "handoff": _RecordKind(Replay._book_receipt, Replay._execute_handoff),
    "create": _RecordKind(Replay._book_nothing, Replay._create_town),
    "order": _RecordKind(Replay._book_nothing, Replay._follow_order),
    "day": _RecordKind(Replay._book_day, Replay._begin_day),
    "retain": _RecordKind(Replay._book_retention),
}
"""Every kind of record except `epoch`, which needs the snapshot of its towns: see `enter_epoch`."""
