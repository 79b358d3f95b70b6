"""The fun score: six totals that only grow within a season, and lose their worth when farmed.

The n-th award for the same thing within a window is worth base × decay^(n-1), rounded; an award of 0 is not
given.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from thorp.voxel.state.agent import Agent, Window
from thorp.voxel.state.world import World

Dimension = Literal["novelty", "creation", "social", "influence", "narrative", "risk_rescue"]
DIMENSIONS: Final[tuple[Dimension, ...]] = get_args(Dimension)


def award(
    world: World, agent: Agent, dimension: Dimension, base: int, *, reason: str, key: str | None = None
) -> None:
    """Give points. With a `key` they decay with each award for the same key in a window."""
    points = base if key is None else _decayed(world, agent, base, key)
    if points <= 0:
        return
    if not agent.fun:
        agent.fun = dict.fromkeys(DIMENSIONS, 0)
    agent.fun[dimension] += points
    agent.changed()
    total = agent.fun[dimension]
    world.emit(agent, "FUN", dim=dimension.upper(), delta=points, total=total, reason=reason)


def _decayed(world: World, agent: Agent, base: int, key: str) -> int:
    length = world.tuning.fun_decay_window_ticks
    window = agent.fun_windows.get(key)
    if window is None or world.tick - window.start_tick >= length:
        window = agent.fun_windows[key] = Window(world.tick, 0)
    worth = decayed(base, world.tuning.fun_decay_permille, window.used)
    window.used += 1
    agent.changed()
    return worth


def decayed(base: int, permille: int, times: int, divisor: int = 1) -> int:
    """base / divisor × (permille/1000)^times, rounded half up, without fractions."""
    whole, part = divisor, base
    for _ in range(times):
        whole, part = whole * 1000, part * permille
    return (2 * part + whole) // (2 * whole)
