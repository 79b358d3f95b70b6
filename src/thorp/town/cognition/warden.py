"""The warden, ranked: whether to send for salvage, and against what.

Scarcity and dread are each felt more or less than they are measured, by events, goals and what a mission
will bring in. The worst of it is the strain; above a limit the warden acts on whichever is felt more.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from thorp.town.cognition.policy import Offer, Option, Situation, clamp, dread_signal, scarcity_signal
from thorp.town.profile import Profile
from thorp.town.snapshot import Snapshot

TYPE = "SALVAGE_PLAN"
HIGH_STRAIN = 0.4
"""Up to this the warden waits."""

_REWARD_OF_FULL_RELIEF = 200


class _Strain(msgspec.Struct, gc=False):
    """What the warden feels."""

    scarcity_signal: float
    dread_signal: float
    relief: float
    scarcity: float
    dread: float
    overall: float


def offer_salvage(situation: Situation) -> Offer:
    """A salvage plan against scarcity or dread, whichever is felt more."""
    strain = _strain(situation)
    if not strain.overall > HIGH_STRAIN:
        return Offer(TYPE, withheld="strain_is_not_high", options=_options)
    focus = _focus(situation.snapshot, strain)
    pressed, goals, event = _parts(focus, situation.profile, strain)
    tags: tuple[str, ...] = ("high_strain",)
    if strain.dread_signal > 0 or strain.scarcity_signal > 0:
        tags += ("nether_event_pressure",)
    if strain.relief > 0:
        tags += ("mission_relief_expected",)
    return Offer(TYPE, focus, clamp(pressed + goals + event), tags, "", _options)


def _strain(situation: Situation) -> _Strain:
    wants, snapshot = situation.profile.goals.get, situation.snapshot
    pressure, mission, event = snapshot.pressure, snapshot.mission, snapshot.latestNetherEvent
    scarcity_added, dread_added = scarcity_signal(event), dread_signal(event)
    reward = 0 if mission is None or mission.reward is UNSET else mission.reward
    relief = clamp(reward / _REWARD_OF_FULL_RELIEF) * 0.2 if reward > 0 else 0
    scarcity = clamp(
        pressure.scarcity
        + scarcity_added
        + (0.08 if wants("salvageResources") else 0)
        + (0.07 if wants("maintainSurplus") else 0)
        - relief
    )
    dread = clamp(
        pressure.dread + dread_added + (1 - pressure.hope) * 0.1 + (0.08 if wants("reducePressure") else 0)
    )
    overall = max((pressure.scarcity + pressure.dread) / 2, scarcity, dread)
    return _Strain(scarcity_added, dread_added, relief, scarcity, dread, overall)


def _focus(snapshot: Snapshot, strain: _Strain) -> str:
    if strain.scarcity != strain.dread:
        return "scarcity" if strain.scarcity > strain.dread else "dread"
    return "scarcity" if snapshot.pressure.scarcity >= snapshot.pressure.dread else "dread"


def _parts(focus: str, profile: Profile, strain: _Strain) -> tuple[float, float, float]:
    """What the strain, the goals and the event add to a plan with this focus."""
    wants, traits = profile.goals.get, profile.traits
    pressed = strain.overall * (0.45 + traits.pragmatism * 0.3 + traits.prudence * 0.15)
    if focus == "dread":
        return pressed, 0.06 if wants("reducePressure") else 0, strain.dread_signal * 0.1
    goals = (0.05 if wants("salvageResources") else 0) + (0.04 if wants("maintainSurplus") else 0)
    return pressed, goals, strain.scarcity_signal * 0.08


def _options(situation: Situation) -> list[Option]:
    strain = _strain(situation)
    felt = _focus(situation.snapshot, strain)
    options = []
    for focus in ("scarcity", "dread"):
        pressed, goals, event = _parts(focus, situation.profile, strain)
        parts = {"strain": pressed, "goals": goals, "event": event}
        skipped = "" if focus == felt else f"{felt}_is_felt_more"
        options.append(Option(focus, clamp(pressed + goals + event), parts, skipped))
    return options
