"""Reputation in four kinds, from 0 to 1,000, earned and lost by deeds; law reputation recovers with time."""

from __future__ import annotations

from typing import Final, Literal

from thorp.voxel.society.fun import decayed
from thorp.voxel.state.agent import MAX_REPUTATION, START_REPUTATION, Agent, Window
from thorp.voxel.state.world import World

# How often a lost point of law reputation comes back, up to the value that everyone starts with.
LAW_RECOVERY_EVERY: Final = 300
# Dealings that are remembered, by kind and partner: more than anyone has in a day of play.
PARTNERS_KEPT: Final = 256
# After this many deals nothing is left to decay.
MOST_DECAYED: Final = 32

Kind = Literal["trade", "build", "social", "law"]


def change(agent: Agent, kind: Kind, by: int) -> None:
    agent.reputation[kind] = max(0, min(MAX_REPUTATION, agent.reputation[kind] + by))
    agent.changed()


def earn(world: World, agent: Agent, kind: Kind, base: int, *, partner: str, worth: int) -> None:
    """Reward a deal: less for a small one, and less each time with the same partner within a window."""
    full, length = world.tuning.reputation_full_worth, world.tuning.fun_decay_window_ticks
    key = f"{kind}:{partner}"
    window = agent.dealt.get(key)
    if window is None or world.tick - window.start_tick >= length:
        if len(agent.dealt) >= PARTNERS_KEPT:
            del agent.dealt[min(agent.dealt, key=lambda name: (agent.dealt[name].start_tick, name))]
        window = agent.dealt[key] = Window(world.tick, 0)
    times = min(window.used, MOST_DECAYED)
    by = decayed(base * min(worth, full), world.tuning.reputation_decay_permille, times, full)
    window.used += 1
    change(agent, kind, by)


def step(world: World) -> None:
    if world.tick % LAW_RECOVERY_EVERY == 0:
        for agent in world.agents.awake:
            if agent.reputation["law"] < START_REPUTATION:
                change(agent, "law", 1)
