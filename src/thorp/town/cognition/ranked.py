"""The policy *ranked*, the default: every quest and project is weighed, and events and goals count. And the
policy *simple*, which has one threshold and one product a role.

`docs/town.md` has the formulas of both. A chooser chooses from everything that *ranked* weighs, each quest
and project an offer of its own.
"""

from collections.abc import Mapping, Sequence
from operator import attrgetter

import msgspec
from msgspec import UNSET, UnsetType

from thorp.town.cognition import policy
from thorp.town.collation import code_units
from thorp.town.snapshot import COMPLEXITY_LIMIT

MISSION = "MAYOR_ACCEPT_MISSION"
PROJECT = "PROJECT_ADVANCE"
SALVAGE = "SALVAGE_PLAN"

HIGH_THREAT = 0.3  # Up to this the captain has no reason to act.
HIGH_STRAIN = 0.4  # Up to this the warden waits.

_UNKNOWN_COMPLEXITY = 0.3
_STATUS_PARTS = {"active": 0.12, "planning": 0.05}
_EVENT_PART = 0.03
_REWARD_OF_FULL_RELIEF = 200


def _offer_mission(situation: policy.Situation) -> policy.Offer:
    """The quest that suits the mayor best; of equals, the first in collation order."""
    snapshot = situation.snapshot
    if snapshot.mission is not None:
        return policy.Offer(MISSION, withheld="mission_active")
    options = _quest_options(situation)
    if not options:
        return policy.Offer(MISSION, withheld="no_side_quests")
    tags: tuple[str, ...] = ("no_active_mission", "mission_ranked")
    if snapshot.latestNetherEvent:
        tags += ("nether_event_pressure",)
    return _best_offer(MISSION, options, options, tags)


def _quest_options(situation: policy.Situation) -> list[policy.Option]:
    """Every quest: what it adds for fitting the mayor's preference, and for being quickly done in alarm."""
    snapshot, wants, traits = situation.snapshot, situation.profile.goals.get, situation.profile.traits
    event = policy.event_signal("threat", snapshot.latestNetherEvent)
    authority, pragmatism = traits.authority * 0.3, traits.pragmatism * 0.2
    goals = (
        (0.1 if wants("acceptMissions") else -0.1)
        + (0.05 if wants("growTown") else 0)
        + (0.05 if wants("maintainMorale") and snapshot.pressure.hope < policy.LOW_HOPE else 0)
    )
    preferred = policy.clamp(
        0.05 + traits.authority * 0.1 + traits.pragmatism * 0.15 + (1 - traits.prudence) * 0.45 - event * 0.4
    )
    alarm = event * traits.prudence
    shared = {"authority": authority, "pragmatism": pragmatism, "goals": goals}
    options = []
    for quest in snapshot.sideQuests:
        known = quest.complexity
        share = _UNKNOWN_COMPLEXITY if isinstance(known, UnsetType) else known / COMPLEXITY_LIMIT
        fit, readiness = (1 - abs(share - preferred)) * 0.3, alarm * (1 - share) * 0.15
        score = policy.clamp(authority + pragmatism + goals + fit + readiness)
        options.append(policy.Option(quest.id, score, {**shared, "fit": fit, "readiness": readiness}))
    return options


def _offer_project(situation: policy.Situation) -> policy.Offer:
    """The project most worth advancing; of equals, the first in collation order."""
    snapshot = situation.snapshot
    if not snapshot.pressure.threat > HIGH_THREAT:
        return policy.Offer(PROJECT, withheld="threat_is_not_high")
    options = _project_options(situation)
    actionable = [option for option in options if not option.skipped]
    if not actionable:
        return policy.Offer(PROJECT, withheld="no_actionable_project", options=lambda _: options)
    tags: tuple[str, ...] = ("high_threat", "project_available")
    if snapshot.latestNetherEvent:
        tags += ("nether_event_pressure",)
    if any(project.status == "blocked" for project in snapshot.projects):
        tags += ("blocked_projects_skipped",)
    return _best_offer(PROJECT, actionable, options, tags)


def _project_options(situation: policy.Situation) -> list[policy.Option]:
    """Every project: what it adds for its status, its progress, and the event it may answer."""
    snapshot, wants, traits = situation.snapshot, situation.profile.goals.get, situation.profile.traits
    event = policy.event_signal("threat", snapshot.latestNetherEvent)
    goals = (
        (0.08 if wants("defendAgainstThreats") else 0)
        + (0.05 if wants("advanceProjects") else -0.05)
        + (0.07 if wants("protectTownspeople") else 0)
    )
    threat = policy.clamp(snapshot.pressure.threat + event)
    threat *= 0.45 + traits.courage * 0.35 + traits.prudence * 0.1
    options = []
    for project in snapshot.projects:
        if project.status not in _STATUS_PARTS:
            options.append(policy.Option(project.id, 0, {}, f"status_{project.status}"))
            continue
        status, progress = _STATUS_PARTS[project.status], project.progress * (0.08 + traits.prudence * 0.08)
        rush = _EVENT_PART if event > 0 and project.status == "active" else 0
        score = policy.clamp(threat + goals + status + progress + rush)
        parts = {"threat": threat, "goals": goals, "status": status, "progress": progress, "event": rush}
        options.append(policy.Option(project.id, score, parts))
    return options


def _best_offer(
    action_type: str, among: list[policy.Option], options: list[policy.Option], tags: tuple[str, ...]
) -> policy.Offer:
    best = max(among, key=attrgetter("score"))
    return policy.Offer(action_type, best.target, best.score, tags, "", lambda _: options)


class _Strain(msgspec.Struct, gc=False):
    """What the warden feels."""

    added: Mapping[str, float]  # By the latest event.
    relief: float
    scarcity: float
    dread: float
    overall: float


def _offer_salvage(situation: policy.Situation) -> policy.Offer:
    """A salvage plan against scarcity or dread, whichever is felt more."""
    strain = _strain(situation)
    options = _salvage_options(situation, strain)
    if not strain.overall > HIGH_STRAIN:
        return policy.Offer(SALVAGE, withheld="strain_is_not_high", options=lambda _: options)
    tags: tuple[str, ...] = ("high_strain",)
    if strain.added["dread"] > 0 or strain.added["scarcity"] > 0:
        tags += ("nether_event_pressure",)
    if strain.relief > 0:
        tags += ("mission_relief_expected",)
    return _best_offer(SALVAGE, [option for option in options if not option.skipped], options, tags)


def _strain(situation: policy.Situation) -> _Strain:
    wants, snapshot = situation.profile.goals.get, situation.snapshot
    pressure, mission = snapshot.pressure, snapshot.mission
    added = {meter: policy.event_signal(meter, snapshot.latestNetherEvent) for meter in ("scarcity", "dread")}
    reward = 0 if mission is None or mission.reward is UNSET else mission.reward
    relief = policy.clamp(reward / _REWARD_OF_FULL_RELIEF) * 0.2 if reward > 0 else 0
    scarcity = policy.clamp(
        pressure.scarcity
        + added["scarcity"]
        + (0.08 if wants("salvageResources") else 0)
        + (0.07 if wants("maintainSurplus") else 0)
        - relief
    )
    wanted = 0.08 if wants("reducePressure") else 0
    dread = policy.clamp(pressure.dread + added["dread"] + (1 - pressure.hope) * 0.1 + wanted)
    overall = max((pressure.scarcity + pressure.dread) / 2, scarcity, dread)
    return _Strain(added, relief, scarcity, dread, overall)


def _salvage_options(situation: policy.Situation, strain: _Strain) -> list[policy.Option]:
    """Both plans: what strain, goals and event add. If both are felt alike, the pressure decides."""
    wants, traits = situation.profile.goals.get, situation.profile.traits
    pressed = strain.overall * (0.45 + traits.pragmatism * 0.3 + traits.prudence * 0.15)
    surplus = (0.05 if wants("salvageResources") else 0) + (0.04 if wants("maintainSurplus") else 0)
    weighed = {
        "scarcity": (surplus, strain.added["scarcity"] * 0.08),
        "dread": (0.06 if wants("reducePressure") else 0, strain.added["dread"] * 0.1),
    }
    pressure = situation.snapshot.pressure
    felt = max(weighed, key=lambda focus: (getattr(strain, focus), getattr(pressure, focus)))
    options = []
    for focus, (goals, event) in weighed.items():
        parts = {"strain": pressed, "goals": goals, "event": event}
        skipped = "" if focus == felt else f"{felt}_is_felt_more"
        options.append(policy.Option(focus, policy.clamp(pressed + goals + event), parts, skipped))
    return options


_ROLES = {"mayor": _offer_mission, "captain": _offer_project, "warden": _offer_salvage}
RANKED = policy.Policy("ranked", policy.offers_by_role(_ROLES))


def offer_every_option(situation: policy.Situation) -> list[policy.Offer]:
    """The offers of *ranked*, taken apart into their options. What it would never choose is withheld."""
    offers: list[policy.Offer] = []
    for offer in RANKED.offers(situation):
        if offer.score > 0:
            offers += [_option_offer(offer, option) for option in offer.options(situation)]
        else:
            offers.append(offer)
    return offers


def _option_offer(offer: policy.Offer, option: policy.Option) -> policy.Offer:
    score = 0 if option.skipped else option.score
    return policy.Offer(offer.type, option.target, score, offer.tags, option.skipped, lambda _: [option])


def _simple_mission(situation: policy.Situation) -> policy.Offer:
    snapshot, traits = situation.snapshot, situation.profile.traits
    if snapshot.mission is not None:
        return policy.Offer(MISSION, withheld="mission_active")
    if not snapshot.sideQuests:
        return policy.Offer(MISSION, withheld="no_side_quests")
    ids = [quest.id for quest in snapshot.sideQuests]
    return _simple_offer(MISSION, traits.authority * traits.pragmatism, ids, ("no_active_mission",))


def _simple_project(situation: policy.Situation) -> policy.Offer:
    snapshot, traits = situation.snapshot, situation.profile.traits
    if not snapshot.pressure.threat > HIGH_THREAT:
        return policy.Offer(PROJECT, withheld="threat_is_not_high")
    if not snapshot.projects:
        return policy.Offer(PROJECT, withheld="no_projects")
    score = min(1, snapshot.pressure.threat * traits.courage)
    ids = [project.id for project in snapshot.projects]
    return _simple_offer(PROJECT, score, ids, ("high_threat", "project_available"))


def _simple_salvage(situation: policy.Situation) -> policy.Offer:
    pressure, traits = situation.snapshot.pressure, situation.profile.traits
    strain = (pressure.scarcity + pressure.dread) / 2
    if not strain > HIGH_STRAIN:
        return policy.Offer(SALVAGE, withheld="strain_is_not_high")
    focus = "scarcity" if pressure.scarcity >= pressure.dread else "dread"
    return _simple_offer(SALVAGE, min(1, strain * traits.pragmatism), [focus], ("high_strain",))


def _simple_offer(kind: str, score: float, targets: Sequence[str], tags: tuple[str, ...]) -> policy.Offer:
    def options(_: policy.Situation) -> list[policy.Option]:
        return [policy.Option(target, score, {"product": score}) for target in targets]

    return policy.Offer(kind, min(targets, key=code_units), score, tags, "", options)


_SIMPLE_ROLES = {"mayor": _simple_mission, "captain": _simple_project, "warden": _simple_salvage}
SIMPLE = policy.Policy("simple", policy.offers_by_role(_SIMPLE_ROLES))
