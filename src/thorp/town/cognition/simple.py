"""The policy *simple*: one threshold and one product a role. Events, goals and the details of quests and
projects play no part, and the target is the lowest id by code units, not by collation."""

from collections.abc import Sequence

from thorp.town.cognition import ranked
from thorp.town.cognition.policy import Offer, Option, Policy, Situation, offers_by_role
from thorp.town.collation import code_units


def _offer_mission(situation: Situation) -> Offer:
    snapshot, traits = situation.snapshot, situation.profile.traits
    if snapshot.mission is not None:
        return Offer(ranked.MISSION, withheld="mission_active")
    if not snapshot.sideQuests:
        return Offer(ranked.MISSION, withheld="no_side_quests")
    score = traits.authority * traits.pragmatism
    ids = [quest.id for quest in snapshot.sideQuests]
    return _offer(ranked.MISSION, score, ids, ("no_active_mission",))


def _offer_project(situation: Situation) -> Offer:
    snapshot, traits = situation.snapshot, situation.profile.traits
    if not snapshot.pressure.threat > ranked.HIGH_THREAT:
        return Offer(ranked.PROJECT, withheld="threat_is_not_high")
    if not snapshot.projects:
        return Offer(ranked.PROJECT, withheld="no_projects")
    score = min(1, snapshot.pressure.threat * traits.courage)
    ids = [project.id for project in snapshot.projects]
    return _offer(ranked.PROJECT, score, ids, ("high_threat", "project_available"))


def _offer_salvage(situation: Situation) -> Offer:
    pressure, traits = situation.snapshot.pressure, situation.profile.traits
    strain = (pressure.scarcity + pressure.dread) / 2
    if not strain > ranked.HIGH_STRAIN:
        return Offer(ranked.SALVAGE, withheld="strain_is_not_high")
    focus = "scarcity" if pressure.scarcity >= pressure.dread else "dread"
    return _offer(ranked.SALVAGE, min(1, strain * traits.pragmatism), [focus], ("high_strain",))


def _offer(action_type: str, score: float, targets: Sequence[str], tags: tuple[str, ...]) -> Offer:
    def options(_: Situation) -> list[Option]:
        return [Option(target, score, {"product": score}) for target in targets]

    return Offer(action_type, min(targets, key=code_units), score, tags, "", options)


_ROLES = {"mayor": _offer_mission, "captain": _offer_project, "warden": _offer_salvage}
SIMPLE = Policy("simple", offers_by_role(_ROLES))
