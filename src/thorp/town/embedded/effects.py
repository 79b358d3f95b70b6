"""Executes proposals in an embedded town. `docs/town-engine.md` has the numbers.

These are the engine's own rules: they hold whatever preconditions a handoff carries.
"""

from collections.abc import Callable
from typing import Final

from thorp.town.embedded import tuning
from thorp.town.embedded.projects import advance_project
from thorp.town.embedded.quests import accept_mission
from thorp.town.embedded.town import Happening, Town

_AGAINST: Final = {"scarcity": "want", "dread": "dread", "general": "want and dread"}
_MANNER: Final = {"morale-boost": "heartening", "casual": "passing"}


def _salvage(town: Town, focus: str) -> list[Happening]:
    """The proposal `SALVAGE_PLAN`. The second of a day brings half, the third a third."""
    town.today.salvages += 1
    turn = town.today.salvages
    town.store("food", tuning.SALVAGE_FOOD[focus] // turn)
    town.store("timber", tuning.SALVAGE_TIMBER[focus] // turn)
    town.store("iron", tuning.SALVAGE_IRON[focus] // turn)
    for meter, pushes in (("scarcity", tuning.SALVAGE_SCARCITY), ("dread", tuning.SALVAGE_DREAD)):
        if pushes[focus]:
            town.meters.push(meter, -max(1, pushes[focus] // turn))
    return [Happening("salvage", f"A party goes out to salvage, against {_AGAINST[focus]}.")]


def _talk(town: Town, talk_type: str) -> list[Happening]:
    """The proposal `TOWNSFOLK_TALK`. The second of a day does half, the third a third."""
    town.today.talks += 1
    turn = town.today.talks
    town.meters.push("hope", max(1, tuning.TALK_HOPE[talk_type] // turn))
    town.meters.push("dread", -max(1, tuning.TALK_DREAD[talk_type] // turn))
    person = town.folk[town.today.talks % len(town.folk)] if town.folk else None
    hearer = f"{person.name} the {person.trade}" if person else "whoever is left"
    return [Happening("talk", f"A {_MANNER[talk_type]} word with {hearer} at the well.")]


ACTIONS: Final[dict[str, Callable[[Town, str], list[Happening]]]] = {
    "MAYOR_ACCEPT_MISSION": accept_mission,
    "PROJECT_ADVANCE": advance_project,
    "SALVAGE_PLAN": _salvage,
    "TOWNSFOLK_TALK": _talk,
}


def apply_action(town: Town, action_type: str, target: str) -> list[Happening]:
    """Change the town as a proposal of this type asks. Refuses with `RuleRefused`, and then the
    town is as it was."""
    return ACTIONS[action_type](town, target)
