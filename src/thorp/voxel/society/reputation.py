"""Reputation in four kinds, from 0 to 1,000. It is earned and lost by deeds; law-abiding days restore law."""

from __future__ import annotations

from typing import Final, Literal

from thorp.voxel.agent import MAX_REPUTATION, START_REPUTATION, Agent
from thorp.voxel.world import World

# Who has broken the law gets back a point of law reputation every so many ticks, up to where everyone began.
LAW_RECOVERY_EVERY: Final = 300

Kind = Literal["trade", "build", "social", "law"]


def change(agent: Agent, kind: Kind, by: int) -> None:
    agent.reputation[kind] = max(0, min(MAX_REPUTATION, agent.reputation[kind] + by))
    agent.changed()


def step(world: World) -> None:
    if world.tick % LAW_RECOVERY_EVERY == 0:
        for agent in world.agents.awake:
            if agent.reputation["law"] < START_REPUTATION:
                change(agent, "law", 1)
