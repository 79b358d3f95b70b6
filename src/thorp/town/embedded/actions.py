"""What each of the four proposals does to a town.

An action first asks whether it may (`RuleRefused`, and nothing has changed) and only then changes the town it
was given. These are the engine's own rules: they hold whatever preconditions a handoff carries.
"""

from collections.abc import Callable
from typing import Final

from thorp.town.embedded import tuning
from thorp.town.embedded.catalogue import KINDS
from thorp.town.embedded.projects import blocked_by
from thorp.town.embedded.town import Happening, Mission, Town, push_meter, relieve, store
from thorp.town.execution import RuleRefused


def apply_action(town: Town, action_type: str, target: str) -> list[Happening]:
    """Change the town as a proposal of this type asks for; refuse with `RuleRefused`."""
    return ACTIONS[action_type](town, target)


def _accept_mission(town: Town, quest_id: str) -> list[Happening]:
    if town.mission is not None:
        raise RuleRefused(
            f"{town.mission.title!r} is under way; one mission at a time", code="mission_active"
        )
    quest = next((each for each in town.quests if each.id == quest_id), None)
    if quest is None:
        raise RuleRefused(f"no quest {quest_id!r} is open here", code="quest_unknown")
    town.quests.remove(quest)
    town.mission = Mission(
        id=quest.id,
        title=quest.title,
        description=f"{quest.giver} asks for it.",
        need=quest.need,
        complexity=quest.complexity,
        reward=quest.reward,
        progress=0,
        due=town.day + tuning.MISSION_DAYS + quest.complexity,
    )
    push_meter(town.meters, "hope", tuning.ACCEPT_HOPE)
    return [Happening("mission_accepted", f"The town takes on: {quest.title}.")]


def _advance_project(town: Town, project_id: str) -> list[Happening]:
    project = next((each for each in town.projects if each.id == project_id), None)
    if project is None:
        raise RuleRefused(f"there is no project {project_id!r} here", code="project_unknown")
    if project.step >= project.steps:
        raise RuleRefused(f"{project.name!r} is complete", code="project_complete")
    reason = blocked_by(project, town)
    if reason is not None:
        raise RuleRefused(f"{project.name!r} is blocked: {reason}", code="project_blocked")
    store(town, "timber", -tuning.STEP_TIMBER)
    store(town, "iron", -tuning.STEP_IRON)
    project.step += 1
    push_meter(town.meters, "threat", -tuning.STEP_THREAT)
    push_meter(town.meters, "hope", tuning.STEP_HOPE)
    if project.step < project.steps:
        return [
            Happening("project_advanced", f"{project.name}: stage {project.step} of {project.steps} stands.")
        ]
    project.finished = town.day
    town.works[project.kind] = town.works.get(project.kind, 0) + 1
    relieve(town.meters, KINDS[project.kind].meter, tuning.DONE_PUSH)
    push_meter(town.meters, "hope", tuning.DONE_HOPE)
    return [Happening("project_completed", f"{project.name} is complete.")]


def _salvage(town: Town, focus: str) -> list[Happening]:
    town.today.salvages += 1
    turn = town.today.salvages
    store(town, "food", tuning.SALVAGE_FOOD[focus] // turn)
    store(town, "timber", tuning.SALVAGE_TIMBER[focus] // turn)
    store(town, "iron", tuning.SALVAGE_IRON[focus] // turn)
    for meter, pushes in (("scarcity", tuning.SALVAGE_SCARCITY), ("dread", tuning.SALVAGE_DREAD)):
        if pushes[focus]:
            push_meter(town.meters, meter, -max(1, pushes[focus] // turn))
    return [Happening("salvage", f"A party goes out to salvage, against {_AGAINST[focus]}.")]


def _talk(town: Town, talk_type: str) -> list[Happening]:
    town.today.talks += 1
    turn = town.today.talks
    push_meter(town.meters, "hope", max(1, tuning.TALK_HOPE[talk_type] // turn))
    push_meter(town.meters, "dread", -max(1, tuning.TALK_DREAD[talk_type] // turn))
    person = town.folk[town.today.talks % len(town.folk)] if town.folk else None
    hearer = f"{person.name} the {person.trade}" if person else "whoever is left"
    return [Happening("talk", f"A {_MANNER[talk_type]} word with {hearer} at the well.")]


_AGAINST: Final = {"scarcity": "want", "dread": "dread", "general": "want and dread"}
_MANNER: Final = {"morale-boost": "heartening", "casual": "passing"}

ACTIONS: Final[dict[str, Callable[[Town, str], list[Happening]]]] = {
    "MAYOR_ACCEPT_MISSION": _accept_mission,
    "PROJECT_ADVANCE": _advance_project,
    "SALVAGE_PLAN": _salvage,
    "TOWNSFOLK_TALK": _talk,
}
