"""Starter goods: a limit on how much others may take from the kits of new bodies by trade.

Every new body has a kit, and bodies cost nothing: without a limit, somebody could let many of them
in and collect their kits. `starter_goods_per_day` is how many such goods one body may take in a day
from bodies that have been present for less than a day. Goods that recipes make of starter goods
alone count too; otherwise a kit would be traded as sticks and benches. Contracts, terminals and
chests are not limited: there the goods are earned or carried. Nor does a kit stay behind when such
a body is retired; see `systems.population` and `docs/society-trade.md`.
"""

from typing import Final

from thorp.protocol import codes
from thorp.voxel.lookups.starter_goods import kit_of
from thorp.voxel.refusal import Refusal, cooldown
from thorp.voxel.state.agent import Agent, Window
from thorp.voxel.state.records import Items
from thorp.voxel.state.world import WorldState

WINDOW: Final = "starter_goods"  # The name of its window among those of the rate limits.


def require_allowed(
    world: WorldState, giver: Agent, taker: Agent, swapped: Items, who: str
) -> None:
    """Refuse goods with which the taker would have more from new bodies today than it may. `who`
    begins the message."""
    count = _counted(world, giver, swapped)
    if not count:
        return
    window = _window(world, taker)
    most = world.tuning.starter_goods_per_day
    if window.used + count > most:
        end = window.start_tick + world.tuning.day_ticks
        raise Refusal(
            codes.RATE_LIMIT,
            f"{who} at most {most} starter goods a day from newcomers; {window.used} were taken "
            f"since tick {window.start_tick}, wait until tick {end}",
            **cooldown(world.tick, end),
        )


def note_taken(world: WorldState, giver: Agent, taker: Agent, swapped: Items) -> None:
    """Count goods that have changed hands."""
    count = _counted(world, giver, swapped)
    if count:
        window = _window(world, taker)
        taker.windows[WINDOW] = Window(window.start_tick, window.used + count)
        taker.changed()


def _counted(world: WorldState, giver: Agent, swapped: Items) -> int:
    """How many of the goods are of the giver's kit."""
    kit = kit_of(world, giver)
    return sum(count for item, count in swapped.items() if item in kit)


def _window(world: WorldState, taker: Agent) -> Window:
    """The day that is running for a taker; a new one begins with the first goods it takes."""
    window = taker.windows.get(WINDOW)
    if window is None or world.tick - window.start_tick >= world.tuning.day_ticks:
        return Window(world.tick, 0)
    return window
