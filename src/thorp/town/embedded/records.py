"""The journal of a world: its inputs in order, each as canonical text.

    {"kind":"found",…}                                  the first: versions and seed
    {"handoff":{…},"kind":"handoff","status":…}         an accepted handoff: executed, or failed
    {"args":{…},"kind":"order","order":…,"town":…}      what the keeper did to one town
    {"kind":"create","town":…}                          a new town
    {"kind":"day"}                                      the next day, in every town
    {"kind":"retain","days":…}                          how long receipts are kept

`Replay` is a world in memory that does what a journal says. The database must hold the same.
"""

from __future__ import annotations

from typing import Final

import msgspec

from thorp.kernel.canonical import Json, canonical_text, read_text
from thorp.kernel.errors import DamagedError
from thorp.kernel.identity import digest
from thorp.kernel.rng import KeyedDraws
from thorp.town.embedded.dawn import begin_day, found_town
from thorp.town.embedded.judging import KeptTown, judge, kept
from thorp.town.embedded.keeping import keep
from thorp.town.embedded.text import checked_handoff
from thorp.town.embedded.town import Happened, decode
from thorp.town.embedded.tuning import RULES_VERSION

FORMAT: Final = 1


def found_record(seed: int) -> str:
    return canonical_text({"kind": "found", "format": FORMAT, "rules": RULES_VERSION, "seed": str(seed)})


def handoff_record(handoff_text: str, status: str) -> str:
    """The record of an accepted handoff, from its canonical text. Its own text is canonical too."""
    return f'{{"handoff":{handoff_text},"kind":"handoff","status":"{status}"}}'


def order_record(town_id: str, order: str, args: dict[str, Json]) -> str:
    return canonical_text({"kind": "order", "town": town_id, "order": order, "args": args})


def create_record(town_id: str) -> str:
    return canonical_text({"kind": "create", "town": town_id})


DAY_RECORD: Final = '{"kind":"day"}'


def retain_record(days: int | None) -> str:
    return canonical_text({"kind": "retain", "days": days})


_encode = msgspec.json.Encoder().encode


def result_text(result: dict[str, Json]) -> str:
    """A result as a receipt keeps it."""
    return _encode(result).decode()


class KeptReceipt(msgspec.Struct, frozen=True):
    """What must be true of a receipt: digests of handoff and result, and the day. The result of a handoff
    that failed is None: why it failed is not in the rules."""

    content: str
    result: str | None
    day: int


class Replay:
    """A world in memory. `take` does what a record says, and returns what happened, by town."""

    def __init__(self, seed: int) -> None:
        self._draws = KeyedDraws(seed)
        self._found: Json = read_text(found_record(seed).encode())
        self.day = 0
        self.retain_days: int | None = None
        self.towns: dict[str, KeptTown] = {}
        self.receipts: dict[str, KeptReceipt] = {}

    def take(self, record: Json) -> Happened:
        kind = record["kind"]
        if kind == "handoff":
            return self._take_handoff(record["handoff"], record["status"])
        if kind == "order":
            return self._take_order(record["town"], record["order"], record["args"])
        if kind == "create":
            town, happenings = found_town(record["town"], self.day, self._draws)
            self.towns[record["town"]] = kept(town)
            return {record["town"]: happenings}
        if kind == "day":
            return self._take_day()
        if kind == "retain":
            self.retain_days = record["days"]
            self._forget_receipts()
        elif record != self._found:
            raise DamagedError(f"{kind!r} is no kind of record, or the world was founded otherwise")
        return {}

    def _take_handoff(self, handoff: Json, status: str) -> Happened:
        town_id: str = handoff["proposal"]["townId"]
        content = digest(checked_handoff(handoff)[0].encode())
        if handoff["idempotencyKey"] in self.receipts:
            raise DamagedError("a key was used twice")
        judgement = judge(handoff, content, None, self.towns[town_id])
        if status == "executed":
            if judgement.town is None:
                code = judgement.result["reasonCode"]
                raise DamagedError(f"a handoff that was executed is now {code}")
            self.towns[town_id] = judgement.town
            result = digest(result_text(judgement.result).encode())
            self.receipts[handoff["idempotencyKey"]] = KeptReceipt(content, result, self.day)
            return {town_id: judgement.happenings}
        self.receipts[handoff["idempotencyKey"]] = KeptReceipt(content, None, self.day)
        return {}

    def _take_order(self, town_id: str, order: str, args: dict[str, Json]) -> Happened:
        town = decode(self.towns[town_id].text)
        happenings = keep(town, order, args, self._draws)
        self.towns[town_id] = kept(town)
        return {town_id: happenings}

    def _take_day(self) -> Happened:
        self.day += 1
        happened: Happened = {}
        for town_id, before in sorted(self.towns.items()):
            town = decode(before.text)
            happenings = begin_day(town, self._draws)
            self.towns[town_id] = kept(town)
            if happenings:
                happened[town_id] = happenings
        self._forget_receipts()
        return happened

    def _forget_receipts(self) -> None:
        if self.retain_days is not None:
            oldest = self.day - self.retain_days
            self.receipts = {key: each for key, each in self.receipts.items() if each.day >= oldest}
