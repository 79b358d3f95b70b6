"""Judges handoffs for an embedded town (by `thorp.town.execution`): from its text to the text that
follows.

A town is decoded when something has to be looked up in it, and changed on that copy; so a handoff
that is refused or fails leaves nothing behind. Governors see a town as `snapshot.v1`. Meters are
divided here, at the border: 735 per mille is the double 0.735, which prints as it should.
"""

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.identity import digest
from thorp.kernel.rng import KeyedDraws
from thorp.town.collation import collated
from thorp.town.embedded import town as town_state
from thorp.town.embedded import tuning
from thorp.town.embedded.new_day import begin_day
from thorp.town.embedded.projects import advance_project, progress_of, status_of
from thorp.town.embedded.quests import accept_mission
from thorp.town.embedded.town import (
    FULL,
    METERS,
    Happened,
    Happening,
    Town,
    check_town,
    decode,
    encode,
)
from thorp.town.execution import Receipt, Seen, Standing
from thorp.town.execution import judge as judge_handoff
from thorp.town.snapshot import Mission, Pressure, Project, Quest, Snapshot, in_contract_order

ORDERS_KEPT: Final = (
    4096  # Lists of ids whose order is remembered: a thousand towns', and those before.
)
_encode = msgspec.json.Encoder().encode

_AGAINST: Final = {"scarcity": "want", "dread": "dread", "general": "want and dread"}
_MANNER: Final = {"morale-boost": "heartening", "casual": "passing"}


def summary(town: Town) -> dict[str, Json]:
    """What a list of towns says of one."""
    pressure = {name: _share(getattr(town.meters, name)) for name in METERS}
    return {
        "townId": town.town_id,
        "day": town.day,
        "population": town.population,
        "pressure": pressure,
    }


def project_town(town: Town) -> dict[str, Json]:
    """The snapshot of a town."""
    content = msgspec.to_builtins(_snapshot(town, town.quests, town.projects))
    snapshot: dict[str, Json] = in_contract_order(content)
    return snapshot


def town_hash(town: Town) -> str:
    """The `snapshot_hash` of a town's snapshot, straight from the town. A test holds them
    together."""
    quests = [town.quests[place] for place in _order(tuple([each.id for each in town.quests]))]
    projects = [
        town.projects[place] for place in _order(tuple([each.id for each in town.projects]))
    ]
    return digest(_encode(_snapshot(town, quests, projects)))


def _snapshot(
    town: Town, quests: list[town_state.Quest], projects: list[town_state.Project]
) -> Snapshot:
    """The town as the contract's struct, with its lists in this order."""
    mission = town.mission
    meters = town.meters
    accepted = None
    if mission is not None:
        accepted = Mission(
            description=mission.description,
            id=mission.id,
            reward=mission.reward,
            title=mission.title,
        )
    return Snapshot(
        day=town.day,
        latestNetherEvent=town.event,
        mission=accepted,
        pressure=Pressure(
            _share(meters.dread),
            _share(meters.hope),
            _share(meters.scarcity),
            _share(meters.threat),
        ),
        projects=[
            Project(
                project.id, project.name, _share(progress_of(project)), status_of(project, town)
            )
            for project in projects
        ],
        schemaVersion="snapshot.v1",
        sideQuests=[
            Quest(complexity=quest.complexity, id=quest.id, title=quest.title) for quest in quests
        ],
        townId=town.town_id,
    )


@lru_cache(maxsize=ORDERS_KEPT)
def _order(ids: tuple[str, ...]) -> list[int]:
    """The places of these ids in collation order. Ids seldom change from one action to the next."""
    return collated(range(len(ids)), ids)


def _share(per_mille: int) -> float:
    return per_mille // FULL if per_mille % FULL == 0 else per_mille / FULL


class KeptTown(NamedTuple):
    """A town as it is kept: its text, the day, and the hash of its snapshot."""

    text: str
    day: int
    hash: str


class Judgement(NamedTuple):
    """The answer; and where the handoff was executed, the town that follows and what happened in
    it."""

    result: dict[str, Json]
    town: KeptTown | None = None
    happenings: list[Happening] = []  # noqa: RUF012  (never changed)


def kept(town: Town) -> KeptTown:
    """A town made ready to be kept. Refuses one that cannot be, with `BrokenTown`."""
    check_town(town)
    return KeptTown(encode(town), town.day, town_hash(town))


def begin_day_in(
    towns: Iterable[tuple[str, str]], draws: KeyedDraws
) -> tuple[dict[str, KeptTown], Happened]:
    """Begin the next day in towns, given by their ids and texts: the towns that follow, and what
    happened."""
    after: dict[str, KeptTown] = {}
    happened: Happened = {}
    for town_id, text in sorted(towns):
        town = decode(text)
        if happenings := begin_day(town, draws):
            happened[town_id] = happenings
        after[town_id] = kept(town)
    return after, happened


def judge(handoff: Json, content: str, receipt: Receipt | None, town: KeptTown | None) -> Judgement:
    """Judge a valid handoff whose canonical text has the digest `content`."""
    judged = None if town is None else _JudgedTown(town)
    result = judge_handoff(handoff, content, receipt, judged)
    return (
        Judgement(result) if judged is None else Judgement(result, judged.after, judged.happenings)
    )


def _salvage(town: Town, focus: str) -> list[Happening]:
    town.today.salvages += 1
    turn = town.today.salvages
    town.store("food", tuning.SALVAGE_FOOD[focus] // turn)
    town.store("timber", tuning.SALVAGE_TIMBER[focus] // turn)
    town.store("iron", tuning.SALVAGE_IRON[focus] // turn)
    for meter, pushes in (("scarcity", tuning.SALVAGE_SCARCITY), ("dread", tuning.SALVAGE_DREAD)):
        if pushes[focus]:
            town.meters.push(meter, -max(1, pushes[focus] // turn))
    return [Happening("salvage", f"A party goes out to salvage, against {_AGAINST[focus]}.")]


def _talk(town: Town, talk_type: str) -> list[Happening]:
    town.today.talks += 1
    turn = town.today.talks
    town.meters.push("hope", max(1, tuning.TALK_HOPE[talk_type] // turn))
    town.meters.push("dread", -max(1, tuning.TALK_DREAD[talk_type] // turn))
    person = town.folk[town.today.talks % len(town.folk)] if town.folk else None
    hearer = f"{person.name} the {person.trade}" if person else "whoever is left"
    return [Happening("talk", f"A {_MANNER[talk_type]} word with {hearer} at the well.")]


ACTIONS: Final[dict[str, Callable[[Town, str], list[Happening]]]] = {
    "MAYOR_ACCEPT_MISSION": accept_mission,
    "PROJECT_ADVANCE": advance_project,
    "SALVAGE_PLAN": _salvage,
    "TOWNSFOLK_TALK": _talk,
}


def apply_action(town: Town, action_type: str, target: str) -> list[Happening]:
    """Change the town as a proposal of this type asks for; or refuse with `RuleRefused`, and
    nothing has changed. These are the engine's own rules: they hold whatever preconditions a
    handoff carries."""
    return ACTIONS[action_type](town, target)


class _JudgedTown:
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
        quest_ids = [quest.id for quest in self._town.quests]
        project_ids = [project.id for project in self._town.projects]
        return Standing(self._town.mission is not None, quest_ids, project_ids)

    def apply(self, action_type: str, target: str) -> Seen:
        happenings = apply_action(self._town, action_type, target)
        self.after = kept(self._town)
        self.happenings = happenings
        return Seen(self.after.day, self.after.hash)
