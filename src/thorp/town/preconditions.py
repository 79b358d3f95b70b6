"""The preconditions of a handoff, held against the town as it is.

A kind that is not in the table counts as not met: a guard that nobody understands guards nothing. The details
are part of a result's id, so their text is part of the interface.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Final, NamedTuple

from thorp.kernel.canonical import Json, canonical_text
from thorp.town.action import ACTIONS
from thorp.town.fast_results import Block, failure

_FOCUSES: Final = ACTIONS["SALVAGE_PLAN"].targets
_TALK_TYPES: Final = ACTIONS["TOWNSFOLK_TALK"].targets


class Standing(NamedTuple):
    """What guards can ask of a town."""

    has_mission: bool
    quest_ids: Container[str]
    project_ids: Container[str]


def failed_guards(preconditions: Sequence[Json], town: Standing) -> list[Block]:
    """Every precondition that is not met, in order, with what is missing."""
    failures = []
    for precondition in preconditions:
        detail = GUARDS.get(precondition["kind"], _unsupported)(precondition, town)
        if detail is not None:
            failures.append(failure(precondition["kind"], detail))
    return failures


def _mission_absent(_: Json, town: Standing) -> str | None:
    return "Mission is already active" if town.has_mission else None


def _side_quest_exists(precondition: Json, town: Standing) -> str | None:
    known = precondition.get("targetId") in town.quest_ids
    return None if known else f"Missing side quest: {_told(precondition, 'targetId')}"


def _project_exists(precondition: Json, town: Standing) -> str | None:
    known = precondition.get("targetId") in town.project_ids
    return None if known else f"Missing project: {_told(precondition, 'targetId')}"


def _salvage_focus_supported(precondition: Json, _: Standing) -> str | None:
    supported = precondition.get("expected") in _FOCUSES
    return None if supported else f"Unsupported salvage focus: {_told(precondition, 'expected')}"


def _talk_type_supported(precondition: Json, _: Standing) -> str | None:
    supported = precondition.get("expected") in _TALK_TYPES
    return None if supported else f"Unsupported talk type: {_told(precondition, 'expected')}"


def _unsupported(_: Json, __: Standing) -> str:
    return "Unsupported precondition kind"


def _told(precondition: Json, name: str) -> str:
    """A member as the original's text would have it."""
    if name not in precondition:
        return "undefined"
    value = precondition[name]
    return value if isinstance(value, str) else canonical_text(value)


GUARDS: Final[dict[str, Callable[[Json, Standing], str | None]]] = {
    "mission_absent": _mission_absent,
    "side_quest_exists": _side_quest_exists,
    "project_exists": _project_exists,
    "salvage_focus_supported": _salvage_focus_supported,
    "talk_type_supported": _talk_type_supported,
}
