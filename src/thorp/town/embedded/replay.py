"""A world in memory that does what a journal says. The database must hold the same.

Every record is *booked*: the day, how long receipts are kept, and the receipts follow from the records alone,
whatever rules were in force. In an epoch of our own rules it is also *done*, which gives the towns and what
happened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import DamagedError
from thorp.kernel.identity import digest
from thorp.kernel.rng import KeyedDraws
from thorp.town.embedded import tuning
from thorp.town.embedded.execution import KeptTown, judge, kept
from thorp.town.embedded.journal_records import FORMAT, result_text, town_order, towns_digest
from thorp.town.embedded.keeper_orders import apply_order
from thorp.town.embedded.new_day import begin_day, found_town
from thorp.town.embedded.town import Happened, decode
from thorp.town.handoff_reader import checked_handoff


class KeptReceipt(msgspec.Struct, frozen=True):
    """What must be true of a receipt: digests of handoff and result, and the day."""

    content: str
    result: str
    day: int


class Replay:
    """A world in memory, founded by the first record that it takes."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._draws = KeyedDraws(seed)
        self.rules = 0
        """The version of the rules that made this epoch; 0 before the world is founded."""
        self.day = 0
        self.retain_days: int | None = None
        self.receipts: dict[str, KeptReceipt] = {}
        self.towns: dict[str, KeptTown] = {}
        """The towns, if the epoch is of our rules."""

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
            self.towns = {town_id: kept(decode(state)) for town_id, state in states.items()}

    def take(self, record: Json) -> Happened | None:
        """Do what a record says. What happened, by town; or None, if only other rules can tell."""
        kind = record["kind"]
        if kind not in _BOOKED and kind not in _DONE:
            raise DamagedError(f"{kind!r} is no kind of record")
        if (kind == "found") != (self.rules == 0):
            raise DamagedError("a world is founded once, by its first record")
        if kind in _BOOKED:
            _BOOKED[kind](self, record)
        if kind not in _DONE:
            return {}
        return _DONE[kind](self, record) if self.is_ours else None

    # What follows from any record.

    def _book_founding(self, record: Json) -> None:
        if (record["format"], record["seed"]) != (FORMAT, str(self._seed)):
            raise DamagedError("the world was founded otherwise")
        self.rules = record["rules"]

    def _book_handoff(self, record: Json) -> None:
        handoff = record["handoff"]
        key = handoff["idempotencyKey"]
        if key in self.receipts:
            raise DamagedError("a key was used twice")
        self.receipts[key] = KeptReceipt(digest(canonical_bytes(handoff)), record["result"], self.day)

    def _book_day(self, _: Json) -> None:
        self.day += 1
        self._forget_receipts()

    def _book_retention(self, record: Json) -> None:
        self.retain_days = record["days"]
        self._forget_receipts()

    def _forget_receipts(self) -> None:
        if self.retain_days is not None:
            oldest = self.day - self.retain_days
            self.receipts = {key: each for key, each in self.receipts.items() if each.day >= oldest}

    # What our rules make of it.

    def _execute(self, record: Json) -> Happened:
        handoff = checked_handoff(record["handoff"])[1]
        town_id: str = handoff["proposal"]["townId"]
        judgement = judge(handoff, "", None, self.towns[town_id])
        if record["status"] == "failed":
            return {}  # why it failed is not in the rules
        if judgement.town is None:
            raise DamagedError(f"a handoff that was executed is now {judgement.result['reasonCode']}")
        if digest(result_text(judgement.result).encode()) != record["result"]:
            raise DamagedError("a handoff was answered otherwise")
        self.towns[town_id] = judgement.town
        return {town_id: judgement.happenings}

    def _create_town(self, record: Json) -> Happened:
        town, happenings = found_town(record["town"], self.day, self._draws)
        self.towns[record["town"]] = kept(town)
        return {record["town"]: happenings}

    def _obey(self, record: Json) -> Happened:
        town = decode(self.towns[record["town"]].text)
        happenings = apply_order(town, town_order(record), self._draws)
        self.towns[record["town"]] = kept(town)
        return {record["town"]: happenings}

    def _begin_day(self, _: Json) -> Happened:
        happened: Happened = {}
        for town_id, before in sorted(self.towns.items()):
            town = decode(before.text)
            happenings = begin_day(town, self._draws)
            self.towns[town_id] = kept(town)
            if happenings:
                happened[town_id] = happenings
        return happened


_BOOKED: Final[dict[str, Callable[[Replay, Json], None]]] = {
    "found": Replay._book_founding,
    "handoff": Replay._book_handoff,
    "day": Replay._book_day,
    "retain": Replay._book_retention,
}
_DONE: Final[dict[str, Callable[[Replay, Json], Happened]]] = {
    "handoff": Replay._execute,
    "create": Replay._create_town,
    "order": Replay._obey,
    "day": Replay._begin_day,
}
