"""Rate limits on actions that are a burden to others. A window opens with the first use."""

from thorp.protocol import codes
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.agent import Agent, Window
from thorp.voxel.state.world import WorldState


def spend(world: WorldState, agent: Agent, action: str) -> None:
    """Count one attempt, or refuse it with the time to wait. Refused attempts count too."""
    limits = world.tuning.rate_limits
    count(world, agent, action, getattr(limits, f"{action}_window_ticks"), getattr(limits, f"{action}_max"))


def count(world: WorldState, agent: Agent, action: str, length: int, allowed: int) -> None:
    """As `spend`, with a limit that is not in the tuning."""
    window = agent.windows.get(action)
    if window is None or world.tick - window.start_tick >= length:
        window = agent.windows[action] = Window(world.tick, 0)
    window.used += 1
    agent.changed()
    if window.used > allowed:
        until = window.start_tick + length
        raise Refusal(
            codes.RATE_LIMIT,
            f"at most {allowed} in {length} ticks; wait until tick {until}",
            cooldown_ticks=until - world.tick,
            cooldown_until_tick=until,
        )
