"""The preconditions of a handoff, held against the town as it is.

A kind that is not in the table counts as not met: a guard that nobody understands guards nothing. The details
are part of a result's id, so their text is part of the interface.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from thorp.kernel.canonical import Json, canonical_text
from thorp.town.action import ACTIONS
from thorp.town.embedded.answers import Block, failure
from thorp.town.embedded.town import Town

_FOCUSES: Final = ACTIONS["SALVAGE_PLAN"].targets
_TALK_TYPES: Final = ACTIONS["TOWNSFOLK_TALK"].targets


def failed_guards(preconditions: Sequence[Json], town: Town) -> list[Block]:
    """Every precondition that is not met, in order, with what is missing."""
    failures = []
    for precondition in preconditions:
        detail = GUARDS.get(precondition["kind"], _unsupported)(precondition, town)
        if detail is not None:
            failures.append(failure(precondition["kind"], detail))
    return failures


def _mission_absent(_: Json, town: Town) -> str | None:
    return None if town.mission is None else "Mission is already active"


def _side_quest_exists(precondition: Json, town: Town) -> str | None:
    target = precondition.get("targetId")
    known = any(quest.id == target for quest in town.quests)
    return None if known else f"Missing side quest: {_told(precondition, 'targetId')}"


def _project_exists(precondition: Json, town: Town) -> str | None:
    target = precondition.get("targetId")
    known = any(project.id == target for project in town.projects)
    return None if known else f"Missing project: {_told(precondition, 'targetId')}"


def _salvage_focus_supported(precondition: Json, _: Town) -> str | None:
    supported = precondition.get("expected") in _FOCUSES
    return None if supported else f"Unsupported salvage focus: {_told(precondition, 'expected')}"


def _talk_type_supported(precondition: Json, _: Town) -> str | None:
    supported = precondition.get("expected") in _TALK_TYPES
    return None if supported else f"Unsupported talk type: {_told(precondition, 'expected')}"


def _unsupported(_: Json, __: Town) -> str:
    return "Unsupported precondition kind"


def _told(precondition: Json, name: str) -> str:
    """A member as the original's text would have it."""
    if name not in precondition:
        return "undefined"
    value = precondition[name]
    return value if isinstance(value, str) else canonical_text(value)


GUARDS: Final[dict[str, Callable[[Json, Town], str | None]]] = {
    "mission_absent": _mission_absent,
    "side_quest_exists": _side_quest_exists,
    "project_exists": _project_exists,
    "salvage_focus_supported": _salvage_focus_supported,
    "talk_type_supported": _talk_type_supported,
}
