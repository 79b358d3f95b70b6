"""Scores of agents: fun, which only grows within a season, and reputation, which is earned and lost.

Fun has six totals. The n-th award for the same thing within a window is worth base × decay^(n-1), rounded; an
award of 0 is not given. Reputation has four kinds, from 0 to 1,000; that for law recovers with time.
"""

from typing import Final, Literal, get_args

from thorp.voxel.state.agent import MAX_REPUTATION, START_REPUTATION, Agent, Window
from thorp.voxel.state.world import WorldState

Dimension = Literal["novelty", "creation", "social", "influence", "narrative", "risk_rescue"]
DIMENSIONS: Final[tuple[Dimension, ...]] = get_args(Dimension)

# How often a lost point of law reputation comes back, up to the value that everyone starts with.
LAW_RECOVERY_EVERY: Final = 300
# Dealings that are remembered, by kind and partner: more than anyone has in a day of play.
PARTNERS_KEPT: Final = 256
# After this many deals nothing is left to decay.
MOST_DECAYED: Final = 32

Reputation = Literal["trade", "build", "social", "law"]


def award_fun(
    world: WorldState, agent: Agent, dimension: Dimension, base: int, *, reason: str, key: str | None = None
) -> None:
    """Give points. With a `key` they decay with each award for the same key in a window."""
    points = base
    if key is not None:
        window = agent.fun_windows.get(key)
        if window is None or world.tick - window.start_tick >= world.tuning.fun_decay_window_ticks:
            window = agent.fun_windows[key] = Window(world.tick, 0)
        points = decayed(base, world.tuning.fun_decay_permille, window.used)
        window.used += 1
        agent.changed()
    if points <= 0:
        return
    if not agent.fun:
        agent.fun = dict.fromkeys(DIMENSIONS, 0)
    agent.fun[dimension] += points
    agent.changed()
    total = agent.fun[dimension]
    world.emit(agent, "FUN", dim=dimension.upper(), delta=points, total=total, reason=reason)


def decayed(base: int, permille: int, times: int, divisor: int = 1) -> int:
    """base / divisor × (permille/1000)^times, rounded half up, without fractions."""
    whole, part = divisor, base
    for _ in range(times):
        whole, part = whole * 1000, part * permille
    return (2 * part + whole) // (2 * whole)


def change_reputation(agent: Agent, kind: Reputation, by: int) -> None:
    agent.reputation[kind] = max(0, min(MAX_REPUTATION, agent.reputation[kind] + by))
    agent.changed()


def earn_reputation(
    world: WorldState, agent: Agent, kind: Reputation, base: int, *, partner: str, worth: int
) -> None:
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
    change_reputation(agent, kind, by)


def step(world: WorldState) -> None:
    if world.tick % LAW_RECOVERY_EVERY == 0:
        for agent in world.agents.awake:
            if agent.reputation["law"] < START_REPUTATION:
                change_reputation(agent, "law", 1)
