"""The policy *simple*: one threshold and one product for each role; see `docs/town.md`."""

from collections.abc import Sequence

from thorp.town.cognition import policy
from thorp.town.collation import code_units


def _offer_mission(situation: policy.Situation) -> policy.Offer:
    snapshot = situation.snapshot
    traits = situation.profile.traits
    if snapshot.mission is not None:
        return policy.Offer(type=policy.MISSION, withheld="mission_active")
    if not snapshot.sideQuests:
        return policy.Offer(type=policy.MISSION, withheld="no_side_quests")
    ids = [quest.id for quest in snapshot.sideQuests]
    return _offer(policy.MISSION, traits.authority * traits.pragmatism, ids, ("no_active_mission",))


def _offer_project(situation: policy.Situation) -> policy.Offer:
    snapshot = situation.snapshot
    traits = situation.profile.traits
    if not snapshot.pressure.threat > policy.HIGH_THREAT:
        return policy.Offer(type=policy.PROJECT, withheld="threat_is_not_high")
    if not snapshot.projects:
        return policy.Offer(type=policy.PROJECT, withheld="no_projects")
    score = min(1, snapshot.pressure.threat * traits.courage)
    ids = [project.id for project in snapshot.projects]
    return _offer(policy.PROJECT, score, ids, ("high_threat", "project_available"))


def _offer_salvage(situation: policy.Situation) -> policy.Offer:
    pressure = situation.snapshot.pressure
    traits = situation.profile.traits
    strain = (pressure.scarcity + pressure.dread) / 2
    if not strain > policy.HIGH_STRAIN:
        return policy.Offer(type=policy.SALVAGE, withheld="strain_is_not_high")
    focus = "scarcity" if pressure.scarcity >= pressure.dread else "dread"
    return _offer(policy.SALVAGE, min(1, strain * traits.pragmatism), [focus], ("high_strain",))


def _offer(kind: str, score: float, targets: Sequence[str], tags: tuple[str, ...]) -> policy.Offer:
    """An offer of the lowest of some targets, all of which have the same score."""

    def options(_: policy.Situation) -> list[policy.Option]:
        return [policy.Option(target, score, {"product": score}) for target in targets]

    return policy.Offer(
        type=kind,
        target=min(targets, key=code_units),
        score=score,
        tags=tags,
        withheld="",
        options=options,
    )


_ROLES = {"mayor": _offer_mission, "captain": _offer_project, "warden": _offer_salvage}
SIMPLE = policy.Policy("simple", policy.offers_by_role(_ROLES))
