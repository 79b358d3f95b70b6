"""The captain, ranked: which project to push on while the town is threatened.

Only projects that are planned or under way can be advanced. Threat, courage and goals weigh alike for all;
one that is under way, and far along, comes first.
"""

from __future__ import annotations

import msgspec

from thorp.town.cognition.policy import Offer, Option, Situation, clamp, threat_signal
from thorp.town.snapshot import Project

TYPE = "PROJECT_ADVANCE"
HIGH_THREAT = 0.3
"""Up to this the captain has no reason to act."""

_STATUS_PARTS = {"active": 0.12, "planning": 0.05}
_EVENT_PART = 0.03


class _Resolve(msgspec.Struct, gc=False):
    """What is the same for every project."""

    threat: float
    goals: float
    progress_weight: float
    event_part: float


def offer_project(situation: Situation) -> Offer:
    """The project most worth advancing; of equals, the first in collation order."""
    snapshot = situation.snapshot
    if not snapshot.pressure.threat > HIGH_THREAT:
        return Offer(TYPE, withheld="threat_is_not_high")
    event = threat_signal(snapshot.latestNetherEvent)
    resolve = _resolve(situation, event)
    base = resolve.threat + resolve.goals
    best, highest = "", -1.0
    for project in snapshot.projects:
        if project.status in _STATUS_PARTS:
            status, progress, rush = _merits(project, resolve)
            score = base + status + progress + rush
            if score > highest and (score := clamp(score)) > highest:
                best, highest = project.id, score
    if not best:
        return Offer(TYPE, withheld="no_actionable_project", options=_options)
    tags: tuple[str, ...] = ("high_threat", "project_available")
    if event > 0:
        tags += ("nether_event_pressure",)
    if any(project.status == "blocked" for project in snapshot.projects):
        tags += ("blocked_projects_skipped",)
    return Offer(TYPE, best, highest, tags, "", _options)


def _resolve(situation: Situation, event: float) -> _Resolve:
    wants, traits = situation.profile.goals.get, situation.profile.traits
    goals = (
        (0.08 if wants("defendAgainstThreats") else 0)
        + (0.05 if wants("advanceProjects") else -0.05)
        + (0.07 if wants("protectTownspeople") else 0)
    )
    threat = clamp(situation.snapshot.pressure.threat + event)
    return _Resolve(
        threat * (0.45 + traits.courage * 0.35 + traits.prudence * 0.1),
        goals,
        0.08 + traits.prudence * 0.08,
        _EVENT_PART if event > 0 else 0,
    )


def _merits(project: Project, resolve: _Resolve) -> tuple[float, float, float]:
    """What an actionable project adds for its status, its progress, and the event it may answer."""
    rush = resolve.event_part if project.status == "active" else 0
    return _STATUS_PARTS[project.status], project.progress * resolve.progress_weight, rush


def _options(situation: Situation) -> list[Option]:
    snapshot = situation.snapshot
    resolve = _resolve(situation, threat_signal(snapshot.latestNetherEvent))
    options = []
    for project in snapshot.projects:
        if project.status not in _STATUS_PARTS:
            options.append(Option(project.id, 0, {}, f"status_{project.status}"))
            continue
        status, progress, rush = _merits(project, resolve)
        parts = {
            "threat": resolve.threat,
            "goals": resolve.goals,
            "status": status,
            "progress": progress,
            "event": rush,
        }
        score = clamp(resolve.threat + resolve.goals + status + progress + rush)
        options.append(Option(project.id, score, parts))
    return options
