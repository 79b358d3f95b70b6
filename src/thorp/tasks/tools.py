"""The tools of tasks: those of the world's actions, and a few for ledgers and towns.

A call is flat, as small models need it. `as_action` makes of it what an engine takes: only a
proposal to a town is nested there.
"""

from typing import Any, Final

from thorp.kernel.canonical import Json
from thorp.language.tools import SIMPLE as WORLD_SIMPLE
from thorp.language.tools import TOOLS as WORLD_TOOLS
from thorp.language.tools import WAIT, Schema, Tool
from thorp.tasks.record import Task
from thorp.town.proposal import ACTIONS

PROPOSE: Final = "propose"


def _tool(name: str, description: str, **fields: Schema) -> Tool:
    """A tool all of whose fields are needed."""
    parameters = {"type": "object", "properties": fields, "required": list(fields)}
    return Tool(name, description, {**parameters, "additionalProperties": False})


def _text(description: str, **more: Any) -> Schema:
    return {"type": "string", "description": description, **more}


_ENTRIES: Final[Schema] = {
    "type": "array",
    "items": {"type": "string"},
    "description": "the ids of the entries that say so, such as e:00000007",
}
_OWN: Final = (
    _tool("search", "Look for entries of the ledger by their words.", text=_text("words")),
    _tool("latest", "Look at the newest entries of the ledger."),
    _tool(
        "answer",
        "Answer the question, once, and name the entries that say so.",
        text=_text("the answer alone, such as 7"),
        cites=_ENTRIES,
    ),
    _tool(
        PROPOSE,
        "Have the town do something: MAYOR_ACCEPT_MISSION a quest's id, PROJECT_ADVANCE a "
        "project's id, SALVAGE_PLAN a need, TOWNSFOLK_TALK a manner.",
        type=_text("what to do", enum=list(ACTIONS)),
        target=_text("of what, such as sq-1, wall-1, scarcity or morale-boost"),
    ),
    _tool("end_day", "Let the day end at once, with the acts that are left unused."),
)
_BY_NAME: Final = {tool.name: tool for tool in (*WORLD_SIMPLE, *WORLD_TOOLS, WAIT, *_OWN)}


def tools_of(task: Task) -> list[Tool]:
    """The tools of a task, in the task's order."""
    return [_BY_NAME[name] for name in task.tools if name in _BY_NAME]


def as_action(call: Json) -> Json:
    """The action that a flat call stands for; anything else as it is. What it is worth, the task's
    engine judges."""
    if not isinstance(call, dict) or call.get("action") != PROPOSE:
        return call
    kind = call.get("type")
    action = ACTIONS.get(kind) if isinstance(kind, str) else None
    args = {} if action is None else {action.argument: call.get("target")}
    return {"type": kind, "args": args}
