"""The policy *ranked*, the default: it weighs every quest and project, and events and goals count.

`docs/town.md` has the formulas. `offer_every_option` gives a chooser everything that is weighed,
each quest and project as an offer of its own.

**Two ways to one score.** A proposal needs the best quest or project and nothing else, so an offer
is made in one loop over plain numbers. Its `options`, which an inspection and a chooser ask for,
are computed only then, with every part of every score. Both start from the same shared values and
add in the same order: a sum of doubles depends on the order, and the two must agree to the last
bit.
"""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from thorp.town.cognition import policy
from thorp.town.snapshot import COMPLEXITY_LIMIT, SnapshotMission, SnapshotProject, SnapshotQuest

# The weights below are those of the contracts' original. A priority is part of a proposal's id, so
# changing one of them, or the order in which parts are added, gives every proposal another id.
_UNKNOWN_COMPLEXITY = 0.3
_ACTIVE_PART = 0.12
_PLANNING_PART = 0.05
_STATUS_PARTS = {"active": _ACTIVE_PART, "planning": _PLANNING_PART}
_EVENT_PART = 0.03
_REWARD_OF_FULL_RELIEF = 200

_MISSION_TAGS: tuple[str, ...] = ("no_active_mission", "mission_ranked")
_MISSION_TAGS_AT_EVENT = (*_MISSION_TAGS, "nether_event_pressure")
_PROJECT_TAGS: tuple[str, ...] = ("high_threat", "project_available")
_PROJECT_TAGS_AT_EVENT = (*_PROJECT_TAGS, "nether_event_pressure")
_SALVAGE_TAGS: tuple[str, ...] = ("high_strain",)


class _Temper(msgspec.Struct, gc=False):
    """The parts of a quest's score that are the same for every quest of a situation."""

    authority: float
    pragmatism: float
    goals: float
    preferred: float  # The share of the most complex quest that the mayor likes best.
    alarm: float  # How much an event and the mayor's prudence together favour quick quests.


def _offer_mission(situation: policy.Situation) -> policy.Offer:
    """Offer the quest that suits the mayor best; of equals, the first in collation order."""
    snapshot = situation.snapshot
    if snapshot.mission is not None:
        return policy.Offer(type=policy.MISSION, withheld="mission_active")
    quests = snapshot.sideQuests
    if not quests:
        return policy.Offer(type=policy.MISSION, withheld="no_side_quests")
    temper = _temper(situation)
    base = temper.authority + temper.pragmatism + temper.goals
    preferred = temper.preferred
    alarm = temper.alarm
    best = quests[0]
    highest = -1.0
    for quest in quests:
        # What `_fit_and_readiness` gives, added up in the same order: a call for each quest would
        # cost as much as everything else here.
        complexity: Any = quest.complexity
        share = _UNKNOWN_COMPLEXITY if complexity is UNSET else complexity / COMPLEXITY_LIMIT
        score = base + (1 - abs(share - preferred)) * 0.3 + alarm * (1 - share) * 0.15
        # Clamped only if it might win: two scores above 1 are equal once they are clamped, and then
        # the first quest keeps its place.
        if score > highest:
            score = policy.clamp(score)
            if score > highest:
                best = quest
                highest = score
    tags = _MISSION_TAGS_AT_EVENT if snapshot.latestNetherEvent else _MISSION_TAGS
    return policy.Offer(
        type=policy.MISSION,
        target=best.id,
        score=highest,
        tags=tags,
        withheld="",
        options=_quest_options,
    )


def _temper(situation: policy.Situation) -> _Temper:
    snapshot = situation.snapshot
    traits = situation.profile.traits
    wants = situation.profile.goals.get
    event = policy.event_signal("threat", snapshot.latestNetherEvent)
    authority = traits.authority
    pragmatism = traits.pragmatism
    prudence = traits.prudence
    goals = (
        (0.1 if wants("acceptMissions") else -0.1)
        + (0.05 if wants("growTown") else 0)
        + (0.05 if wants("maintainMorale") and snapshot.pressure.hope < policy.LOW_HOPE else 0)
    )
    preferred = policy.clamp(
        0.05 + authority * 0.1 + pragmatism * 0.15 + (1 - prudence) * 0.45 - event * 0.4
    )
    return _Temper(
        authority=authority * 0.3,
        pragmatism=pragmatism * 0.2,
        goals=goals,
        preferred=preferred,
        alarm=event * prudence,
    )


def _quest_options(situation: policy.Situation) -> list[policy.Option]:
    """Every quest, with the parts of its score."""
    temper = _temper(situation)
    shared = {"authority": temper.authority, "pragmatism": temper.pragmatism, "goals": temper.goals}
    options = []
    for quest in situation.snapshot.sideQuests:
        fit, readiness = _fit_and_readiness(quest, temper)
        score = policy.clamp(temper.authority + temper.pragmatism + temper.goals + fit + readiness)
        options.append(
            policy.Option(quest.id, score, {**shared, "fit": fit, "readiness": readiness})
        )
    return options


def _fit_and_readiness(quest: SnapshotQuest, temper: _Temper) -> tuple[float, float]:
    """The parts of a quest's score for suiting the mayor's taste, and for being done soon when
    there is alarm."""
    complexity: Any = quest.complexity
    share = _UNKNOWN_COMPLEXITY if complexity is UNSET else complexity / COMPLEXITY_LIMIT
    fit = (1 - abs(share - temper.preferred)) * 0.3
    readiness = temper.alarm * (1 - share) * 0.15
    return fit, readiness


class _Resolve(msgspec.Struct, gc=False):
    """The parts of a project's score that are the same for every project of a situation."""

    threat: float
    goals: float
    progress_weight: float
    event: float  # What an active project adds for answering an event.


def _offer_project(situation: policy.Situation) -> policy.Offer:
    """Offer the project most worth advancing; of equals, the first in collation order."""
    snapshot = situation.snapshot
    if not snapshot.pressure.threat > policy.HIGH_THREAT:
        return policy.Offer(type=policy.PROJECT, withheld="threat_is_not_high")
    resolve = _resolve(situation)
    base = resolve.threat + resolve.goals
    progress_weight = resolve.progress_weight
    best = ""
    highest = -1.0
    any_blocked = False
    for project in snapshot.projects:
        # The parts that `_project_parts` gives, added up in the same order.
        status = project.status
        if status == "active":
            score = base + _ACTIVE_PART + project.progress * progress_weight + resolve.event
        elif status == "planning":
            score = base + _PLANNING_PART + project.progress * progress_weight
        else:
            any_blocked = any_blocked or status == "blocked"
            continue
        if score > highest:
            score = policy.clamp(score)
            if score > highest:
                best = project.id
                highest = score
    if not best:
        return policy.Offer(
            type=policy.PROJECT, withheld="no_actionable_project", options=_project_options
        )
    tags = _PROJECT_TAGS_AT_EVENT if snapshot.latestNetherEvent else _PROJECT_TAGS
    if any_blocked:
        tags += ("blocked_projects_skipped",)
    return policy.Offer(
        type=policy.PROJECT,
        target=best,
        score=highest,
        tags=tags,
        withheld="",
        options=_project_options,
    )


def _resolve(situation: policy.Situation) -> _Resolve:
    snapshot = situation.snapshot
    traits = situation.profile.traits
    wants = situation.profile.goals.get
    event = policy.event_signal("threat", snapshot.latestNetherEvent)
    goals = (
        (0.08 if wants("defendAgainstThreats") else 0)
        + (0.05 if wants("advanceProjects") else -0.05)
        + (0.07 if wants("protectTownspeople") else 0)
    )
    threat = policy.clamp(snapshot.pressure.threat + event)
    prudence = traits.prudence
    weighed_threat = threat * (0.45 + traits.courage * 0.35 + prudence * 0.1)
    return _Resolve(weighed_threat, goals, 0.08 + prudence * 0.08, _EVENT_PART if event > 0 else 0)


def _project_options(situation: policy.Situation) -> list[policy.Option]:
    """Every project, with the parts of its score."""
    resolve = _resolve(situation)
    options = []
    for project in situation.snapshot.projects:
        if project.status not in _STATUS_PARTS:
            options.append(policy.Option(project.id, 0, {}, f"status_{project.status}"))
            continue
        status, progress, event = _project_parts(project, resolve)
        # Not by `sum`, which corrects for rounding in later Pythons.
        score = policy.clamp(resolve.threat + resolve.goals + status + progress + event)
        shared = {"threat": resolve.threat, "goals": resolve.goals}
        parts = {**shared, "status": status, "progress": progress, "event": event}
        options.append(policy.Option(project.id, score, parts))
    return options


def _project_parts(project: SnapshotProject, resolve: _Resolve) -> tuple[float, float, float]:
    """The parts of an actionable project's score: for its status, its progress, and for answering
    an event."""
    event = resolve.event if project.status == "active" else 0
    return _STATUS_PARTS[project.status], project.progress * resolve.progress_weight, event


class _Strain(msgspec.Struct, gc=False):
    """What the warden feels: scarcity and dread with what event, goals and mission add or take."""

    scarcity_added: float  # By the latest event.
    dread_added: float  # By the latest event.
    relief: float  # From the mission's reward.
    scarcity: float
    dread: float
    overall: float  # The largest of both and of the plain mean of the two meters.


def _offer_salvage(situation: policy.Situation) -> policy.Offer:
    """Offer a salvage plan against scarcity or dread, whichever is felt more."""
    strain = _strain(situation)
    if not strain.overall > policy.HIGH_STRAIN:
        return policy.Offer(
            type=policy.SALVAGE, withheld="strain_is_not_high", options=_salvage_options
        )
    focus = _salvage_focus(situation, strain)
    pressed, goals, event = _salvage_parts(focus, situation, strain)
    tags = _SALVAGE_TAGS
    if strain.dread_added > 0 or strain.scarcity_added > 0:
        tags += ("nether_event_pressure",)
    if strain.relief > 0:
        tags += ("mission_relief_expected",)
    score = policy.clamp(pressed + goals + event)
    return policy.Offer(
        type=policy.SALVAGE,
        target=focus,
        score=score,
        tags=tags,
        withheld="",
        options=_salvage_options,
    )


def _strain(situation: policy.Situation) -> _Strain:
    snapshot = situation.snapshot
    wants = situation.profile.goals.get
    pressure = snapshot.pressure
    event = snapshot.latestNetherEvent
    scarcity_added = policy.event_signal("scarcity", event)
    dread_added = policy.event_signal("dread", event)
    relief = _relief(snapshot.mission)
    scarcity = policy.clamp(
        pressure.scarcity
        + scarcity_added
        + (0.08 if wants("salvageResources") else 0)
        + (0.07 if wants("maintainSurplus") else 0)
        - relief
    )
    wanted = 0.08 if wants("reducePressure") else 0
    dread = policy.clamp(pressure.dread + dread_added + (1 - pressure.hope) * 0.1 + wanted)
    overall = max((pressure.scarcity + pressure.dread) / 2, scarcity, dread)
    return _Strain(
        scarcity_added=scarcity_added,
        dread_added=dread_added,
        relief=relief,
        scarcity=scarcity,
        dread=dread,
        overall=overall,
    )


def _relief(mission: SnapshotMission | None) -> float:
    """How much the reward of the mission under way lowers the scarcity that is felt."""
    if mission is None or isinstance(mission.reward, UnsetType) or not mission.reward > 0:
        return 0
    return policy.clamp(mission.reward / _REWARD_OF_FULL_RELIEF) * 0.2


def _salvage_focus(situation: policy.Situation, strain: _Strain) -> str:
    """The one that is felt more. If both are felt alike, the meters decide; if these are equal too,
    scarcity."""
    if strain.scarcity != strain.dread:
        return "scarcity" if strain.scarcity > strain.dread else "dread"
    pressure = situation.snapshot.pressure
    return "scarcity" if pressure.scarcity >= pressure.dread else "dread"


def _salvage_parts(
    focus: str, situation: policy.Situation, strain: _Strain
) -> tuple[float, float, float]:
    """The parts of the score of a plan with this focus: strain, goals and event."""
    wants = situation.profile.goals.get
    traits = situation.profile.traits
    pressed = strain.overall * (0.45 + traits.pragmatism * 0.3 + traits.prudence * 0.15)
    if focus == "dread":
        return pressed, 0.06 if wants("reducePressure") else 0, strain.dread_added * 0.1
    surplus = (0.05 if wants("salvageResources") else 0) + (0.04 if wants("maintainSurplus") else 0)
    return pressed, surplus, strain.scarcity_added * 0.08


def _salvage_options(situation: policy.Situation) -> list[policy.Option]:
    """Both plans, with the parts of their scores."""
    strain = _strain(situation)
    felt = _salvage_focus(situation, strain)
    options = []
    for focus in ("scarcity", "dread"):
        pressed, goals, event = _salvage_parts(focus, situation, strain)
        parts = {"strain": pressed, "goals": goals, "event": event}
        skipped = "" if focus == felt else f"{felt}_is_felt_more"
        options.append(policy.Option(focus, policy.clamp(pressed + goals + event), parts, skipped))
    return options


_ROLES = {"mayor": _offer_mission, "captain": _offer_project, "warden": _offer_salvage}
RANKED = policy.Policy("ranked", policy.offers_by_role(_ROLES))


def offer_every_option(situation: policy.Situation) -> list[policy.Offer]:
    """The offers of *ranked*, one for each option. An option that *ranked* would never choose is
    withheld."""
    offers: list[policy.Offer] = []
    for offer in RANKED.offers(situation):
        if offer.score > 0:
            offers += [_option_offer(offer, option) for option in offer.options(situation)]
        else:
            offers.append(offer)
    return offers


def _option_offer(offer: policy.Offer, option: policy.Option) -> policy.Offer:
    score = 0 if option.skipped else option.score
    return policy.Offer(
        type=offer.type,
        target=option.target,
        score=score,
        tags=offer.tags,
        withheld=option.skipped,
        options=lambda _: [option],
    )
