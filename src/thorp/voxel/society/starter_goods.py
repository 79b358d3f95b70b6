"""Starter goods: how much of what new bodies wake up with others may take off them by trade.

Every new body has a kit, and bodies cost nothing. Without a limit whoever lets many of them in
collects their kits. `starter_goods_per_day` is how many such goods one body may take in a day from
bodies that have been present for less than a day. What recipes make of starter goods alone counts
too: else a kit would be traded as sticks and benches. Contracts, terminals and chests are not
concerned: there the goods are earned or carried. See `docs/society-trade.md`.
"""

from typing import Final

from thorp.protocol import codes
from thorp.voxel.refusal import Refusal, cooldown
from thorp.voxel.state.agent import Agent, Window
from thorp.voxel.state.records import Items
from thorp.voxel.state.world import WorldState

WINDOW: Final = "starter_goods"  # The window's name beside those of rate limits.


def require_allowed(
    world: WorldState, giver: Agent, taker: Agent, swapped: Items, who: str
) -> None:
    """Refuse goods by which the taker would have more from new bodies today than it may. `who`
    names it."""
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
    """How many of the goods count; none if there is no limit, or the giver has been present for a
    day."""
    if (
        not world.tuning.starter_goods_per_day
        or giver.presence(world.tick) >= world.tuning.day_ticks
    ):
        return 0
    starters = _starters(world)
    return sum(count for item, count in swapped.items() if item in starters)


def _window(world: WorldState, taker: Agent) -> Window:
    """The day that is running for a taker; a new one begins with what it takes first."""
    window = taker.windows.get(WINDOW)
    if window is None or world.tick - window.start_tick >= world.tuning.day_ticks:
        return Window(world.tick, 0)
    return window


def _starters(world: WorldState) -> dict[str, None]:
    """The goods of a kit, and all that can be made of nothing else."""
    starters = dict.fromkeys(world.tuning.starter_items)
    size = 0
    while size != len(starters):
        size = len(starters)
        for recipe in world.catalogs.recipes.values():
            if all(stack.item in starters for stack in recipe.inputs):
                starters.update(dict.fromkeys(stack.item for stack in recipe.outputs))
    return starters
