"""Rate limits on actions that are a burden to others.

A window opens with the first use. A refused action does not count as a use; refusals have a window
of their own, because they are journaled like every input: an agent that is refused again and again
has to wait a moment.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from thorp.protocol import codes
from thorp.voxel.refusal import Refusal, cooldown
from thorp.voxel.state.agent import Agent, Window
from thorp.voxel.state.world import WorldState

REFUSALS_WINDOW_TICKS: Final = 50
REFUSALS_MAX: Final = 5  # Or as many as uses are allowed, if these are more.


class RateLimit(NamedTuple):
    """How often something may be done in a window of ticks. Its refusals have a limit of their own,
    counted in another window."""

    name: str
    length: int  # How many ticks the window has.
    allowed: int  # How many uses fit into a window.

    @property
    def refusals(self) -> "RateLimit":
        """The limit on refusals of the same action."""
        allowed = max(REFUSALS_MAX, self.allowed)
        return RateLimit(f"{self.name}_refused", REFUSALS_WINDOW_TICKS, allowed)

    def room(self, agent: Agent, tick: int) -> int:
        """How many more uses the window of this tick has room for."""
        window = agent.windows.get(self.name)
        if window is None or tick - window.start_tick >= self.length:
            return self.allowed
        return max(0, self.allowed - window.used)


def tuned_limit(world: WorldState, action: str) -> RateLimit:
    """A rate limit of the tuning, by the name it has there."""
    limits = world.tuning.rate_limits
    return RateLimit(
        action, getattr(limits, f"{action}_window_ticks"), getattr(limits, f"{action}_max")
    )


@contextmanager
def rate_limited(world: WorldState, agent: Agent, limit: RateLimit) -> Iterator[None]:
    """Refuse an action that is over its limit; else count it when its rule is done, as a use or as
    a refusal."""
    require_room(world, agent, limit)
    try:
        yield
    except Refusal:
        _count(world, agent, limit.refusals)
        raise
    _count(world, agent, limit)


def require_room(world: WorldState, agent: Agent, limit: RateLimit) -> None:
    """Refuse an action for which no use, or no refusal, is left in the window."""
    for bound in (limit, limit.refusals):
        if not bound.room(agent, world.tick):
            end = agent.windows[bound.name].start_tick + bound.length
            quota = f"{bound.allowed}" if bound is limit else f"{bound.allowed} refusals"
            wait = cooldown(world.tick, end)
            raise Refusal(
                codes.RATE_LIMIT,
                f"at most {quota} in {bound.length} ticks; wait until tick {end}",
                **wait,
            )


def _count(world: WorldState, agent: Agent, limit: RateLimit) -> None:
    window = agent.windows.get(limit.name)
    if window is None or world.tick - window.start_tick >= limit.length:
        window = agent.windows[limit.name] = Window(world.tick, 0)
    window.used += 1
    agent.changed()
