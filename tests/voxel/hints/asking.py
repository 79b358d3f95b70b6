"""Actions sent as a client sends them, and what the world said of them last."""

from __future__ import annotations

import json
from typing import Any

from tests.protocol.samples import act as act_message
from tests.voxel.flat import events
from thorp.protocol.act import read_act
from thorp.voxel.inputs import Acted
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import World
from thorp.voxel.tick import step

ENDINGS = ("ACTION_RESULT", "TASK_DONE", "TASK_FAIL")
TASKS = {
    *("MOVE_TO", "FOLLOW", "MINE", "GATHER", "PLACE", "OPEN", "TRANSFER", "CRAFT", "SMELT"),
    *("BUILD_BLUEPRINT", "STOP", "CLAIM_LAND"),
}


def send(world: World, agent: Agent, **message: Any) -> list[dict[str, Any]]:
    """One tick, in which an agent's ACT arrives as bytes. Returns its results, in order."""
    frame = json.dumps(act_message(tick=world.tick, **message)).encode()
    step(world, [Acted(agent.number, read_act(frame))])
    return [
        event for event in events(agent) if event["type"] in ENDINGS and event["t"] == world.tick
    ]


def answer(world: World, agent: Agent, **action: Any) -> dict[str, Any]:
    """The last thing that the world says of an action in the tick in which it arrives."""
    part = "tasks" if action.get("type") in TASKS else "instants"
    return send(world, agent, **{part: [action]})[-1]


def hint(world: World, agent: Agent, **action: Any) -> str:
    """The hint of an action that must be refused."""
    told = answer(world, agent, **action)
    assert "code" in told, told
    return str(told.get("hint", ""))
