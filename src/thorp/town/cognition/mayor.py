"""The mayor, ranked: which side quest to make the town's mission.

A mayor has a preferred complexity: the bolder, the harder; the more alarming the latest event, the easier.
A quest scores by how well it fits that, on top of what the mayor's own temper and goals bring.
"""

from __future__ import annotations

import msgspec
from msgspec import UnsetType

from thorp.town.cognition.policy import LOW_HOPE, Offer, Option, Situation, clamp, threat_signal
from thorp.town.snapshot import COMPLEXITY_LIMIT

TYPE = "MAYOR_ACCEPT_MISSION"
_UNKNOWN_COMPLEXITY = 0.3


class _Temper(msgspec.Struct, gc=False):
    """What is the same for every quest."""

    authority: float
    pragmatism: float
    goals: float
    preferred: float
    alarm: float


def offer_mission(situation: Situation) -> Offer:
    """The quest that suits the mayor best; of equals, the first in collation order."""
    snapshot = situation.snapshot
    if snapshot.mission is not None:
        return Offer(TYPE, withheld="mission_active")
    quests = snapshot.sideQuests
    if not quests:
        return Offer(TYPE, withheld="no_side_quests")
    event = threat_signal(snapshot.latestNetherEvent)
    temper = _temper(situation, event)
    base, preferred, alarm = _base(temper), temper.preferred, temper.alarm
    best, highest = quests[0], -1.0
    for quest in quests:
        fit, readiness = _suits(quest.complexity, preferred, alarm)
        score = base + fit + readiness
        if score > highest and (score := clamp(score)) > highest:
            best, highest = quest, score
    tags: tuple[str, ...] = ("no_active_mission", "mission_ranked")
    if event > 0:
        tags += ("nether_event_pressure",)
    return Offer(TYPE, best.id, highest, tags, "", _options)


def _temper(situation: Situation, event: float) -> _Temper:
    wants, traits = situation.profile.goals.get, situation.profile.traits
    goals = (
        (0.1 if wants("acceptMissions") else -0.1)
        + (0.05 if wants("growTown") else 0)
        + (0.05 if wants("maintainMorale") and situation.snapshot.pressure.hope < LOW_HOPE else 0)
    )
    preferred = clamp(
        0.05 + traits.authority * 0.1 + traits.pragmatism * 0.15 + (1 - traits.prudence) * 0.45 - event * 0.4
    )
    return _Temper(traits.authority * 0.3, traits.pragmatism * 0.2, goals, preferred, event * traits.prudence)


def _base(temper: _Temper) -> float:
    return temper.authority + temper.pragmatism + temper.goals


def _suits(complexity: float | UnsetType, preferred: float, alarm: float) -> tuple[float, float]:
    """What a quest adds for fitting the mayor's preference, and for being quickly done in alarm."""
    share = _UNKNOWN_COMPLEXITY if isinstance(complexity, UnsetType) else complexity / COMPLEXITY_LIMIT
    return (1 - abs(share - preferred)) * 0.3, alarm * (1 - share) * 0.15


def _options(situation: Situation) -> list[Option]:
    snapshot = situation.snapshot
    temper = _temper(situation, threat_signal(snapshot.latestNetherEvent))
    options = []
    for quest in snapshot.sideQuests:
        fit, readiness = _suits(quest.complexity, temper.preferred, temper.alarm)
        parts = {
            "authority": temper.authority,
            "pragmatism": temper.pragmatism,
            "goals": temper.goals,
            "fit": fit,
            "readiness": readiness,
        }
        options.append(Option(quest.id, clamp(_base(temper) + fit + readiness), parts))
    return options
