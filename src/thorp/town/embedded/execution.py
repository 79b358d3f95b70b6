"""Judges handoffs for an embedded town (by `thorp.town.execution`): from its text to the text that follows.

A town is decoded when something has to be looked up in it, and changed on that copy; so a handoff that is
refused or fails leaves nothing behind.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from thorp.kernel.canonical import Json
from thorp.kernel.rng import KeyedDraws
from thorp.town.embedded.actions import apply_action
from thorp.town.embedded.new_day import begin_day
from thorp.town.embedded.projection import town_hash
from thorp.town.embedded.town import Happened, Happening, Town, check_town, decode, encode
from thorp.town.execution import Receipt, Seen, Standing
from thorp.town.execution import judge as judge_handoff


class KeptTown(NamedTuple):
    """A town as it is kept: its text, the day, and the hash of its snapshot."""

    text: str
    day: int
    hash: str


class Judgement(NamedTuple):
    """The answer; and where the handoff was executed, the town that follows and what happened in it."""

    result: dict[str, Json]
    town: KeptTown | None = None
    happenings: list[Happening] = []  # noqa: RUF012  (never changed)

    @property
    def accepted(self) -> bool:
        return bool(self.result["accepted"])


def kept(town: Town) -> KeptTown:
    """A town made ready to be kept. Refuses one that cannot be, with `BrokenTown`."""
    check_town(town)
    return KeptTown(encode(town), town.day, town_hash(town))


def begin_day_in(towns: Iterable[tuple[str, str]], draws: KeyedDraws) -> tuple[dict[str, KeptTown], Happened]:
    """Begin the next day in towns, given by their ids and texts: the towns that follow, and what happened."""
    after: dict[str, KeptTown] = {}
    happened: Happened = {}
    for town_id, text in sorted(towns):
        town = decode(text)
        happenings = begin_day(town, draws)
        after[town_id] = kept(town)
        if happenings:
            happened[town_id] = happenings
    return after, happened


def judge(handoff: Json, content: str, receipt: Receipt | None, town: KeptTown | None) -> Judgement:
    """Judge a valid handoff whose canonical text has the digest `content`."""
    judged = None if town is None else _JudgedTown(town)
    result = judge_handoff(handoff, content, receipt, judged)
    return Judgement(result) if judged is None else Judgement(result, judged.after, judged.happenings)


class _JudgedTown:
    """One town, for one handoff."""

    def __init__(self, kept_town: KeptTown) -> None:
        self._kept = kept_town
        self.after: KeptTown | None = None
        self.happenings: list[Happening] = []

    @property
    def seen(self) -> Seen:
        return Seen(self._kept.day, self._kept.hash)

    @cached_property
    def _town(self) -> Town:
        return decode(self._kept.text)

    def standing(self) -> Standing:
        town = self._town
        return Standing(
            town.mission is not None,
            [quest.id for quest in town.quests],
            [project.id for project in town.projects],
        )

    def apply(self, action_type: str, target: str) -> Seen:
        happenings = apply_action(self._town, action_type, target)
        self.after = kept(self._town)
        self.happenings = happenings
        return Seen(self.after.day, self.after.hash)
