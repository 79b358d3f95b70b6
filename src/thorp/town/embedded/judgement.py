"""Judges handoffs for an embedded town: a handoff and the stored town in, the next stored town out.

The judge itself is `thorp.town.handoff_judge`. A town is decoded only when the judge needs its
content, and changed on that copy, so a handoff that is refused or fails leaves no trace.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from thorp.kernel.canonical import Json
from thorp.kernel.rng import KeyedDraws
from thorp.town import handoff_judge
from thorp.town.embedded.effects import apply_action
from thorp.town.embedded.new_day import begin_day
from thorp.town.embedded.projection import town_hash
from thorp.town.embedded.town import Happened, Happening, Town, check_town, decode, encode
from thorp.town.handoff_judge import Receipt, Standing, TownVersion


class StoredTown(NamedTuple):
    """A town as it is stored: its text, the day, and the hash of its snapshot."""

    text: str
    day: int
    hash: str


class Judgement(NamedTuple):
    """The result of a handoff. If it was executed, also the town afterwards and what happened in
    it."""

    result: dict[str, Json]
    town: StoredTown | None
    happenings: list[Happening]


def stored_form(town: Town) -> StoredTown:
    """The town in the form that is stored. Refuses one that is out of bounds, with `BrokenTown`."""
    check_town(town)
    return StoredTown(encode(town), town.day, town_hash(town))


def begin_day_in(
    towns: Iterable[tuple[str, str]], draws: KeyedDraws
) -> tuple[dict[str, StoredTown], Happened]:
    """Begin the next day in towns, given by their ids and texts; return the next towns and what
    happened."""
    after: dict[str, StoredTown] = {}
    happened: Happened = {}
    for town_id, text in sorted(towns):
        town = decode(text)
        if happenings := begin_day(town, draws):
            happened[town_id] = happenings
        after[town_id] = stored_form(town)
    return after, happened


def judge(
    handoff: Json, content: str, receipt: Receipt | None, town: StoredTown | None
) -> Judgement:
    """Judge a valid handoff whose canonical text has the digest `content`."""
    if town is None:
        return Judgement(handoff_judge.judge(handoff, content, receipt, None), None, [])
    judged = _JudgedTown(town)
    result = handoff_judge.judge(handoff, content, receipt, judged)
    return Judgement(result, judged.after, judged.happenings)


class _JudgedTown:
    """A stored town for the judge: decoded at the first question about its content."""

    def __init__(self, stored: StoredTown) -> None:
        self._stored = stored
        self.after: StoredTown | None = None
        self.happenings: list[Happening] = []

    @property
    def version(self) -> TownVersion:
        return TownVersion(self._stored.day, self._stored.hash)

    @cached_property
    def _town(self) -> Town:
        return decode(self._stored.text)

    def standing(self) -> Standing:
        quest_ids = [quest.id for quest in self._town.quests]
        project_ids = [project.id for project in self._town.projects]
        return Standing(self._town.mission is not None, quest_ids, project_ids)

    def apply(self, action_type: str, target: str) -> TownVersion:
        happenings = apply_action(self._town, action_type, target)
        self.after = stored_form(self._town)
        self.happenings = happenings
        return TownVersion(self.after.day, self.after.hash)
