"""Building by blueprint: what it costs, where it fits, and doing it.

Blueprints and their costs are the world's own, from its catalogs. Where something may be built the
world says of the cell in which an agent stands, so a site is walked to before it is promised.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from thorp.client.actions import build as build_action
from thorp.client.actions import move_to
from thorp.client.exploration import WALK_TICKS, Walk
from thorp.client.names import require_name
from thorp.protocol import codes
from thorp.protocol.building_site import EVERYWHERE, ROCK, SOIL, find_site
from thorp.protocol.obs import Position
from thorp.protocol.outcome import Outcome

if TYPE_CHECKING:
    from thorp.client.agent import Agent
    from thorp.client.hearsay import Goods

NEAR_SITE: Final = 4
"""So near to the middle of a site its land is the one underfoot, and all of it is in sight."""
LOOK_EVERY: Final = 5
"""Ticks between two looks for a site while walking."""
TRIES: Final = 5
"""How often to ask again when somebody stands where a block should be."""
PAUSE_TICKS: Final = 10
BUILD_REACH: Final = 32
"""Where the world does not say its own."""

Column = tuple[int, int]
_ANYWHERE: Final = ((-EVERYWHERE, -EVERYWHERE), (EVERYWHERE, EVERYWHERE))


def blueprint_of(agent: Agent, name: str) -> dict[str, Any]:
    """The plan with this name; a wrong name is an UnknownName."""
    plans = {str(plan["id"]): plan for plan in agent.catalogs.get("blueprints", ())}
    plan: dict[str, Any] = plans[require_name("blueprint", name, plans)]
    return plan


def cost(agent: Agent, name: str) -> Goods:
    """The items that a blueprint takes, and how many of each."""
    return {str(stack["item"]): int(stack["count"]) for stack in blueprint_of(agent, name)["cost"]}


def lacking(agent: Agent, name: str) -> Goods:
    """What a blueprint takes beyond what the agent carries."""
    carried = agent.inventory
    missing = {item: count - carried.get(item, 0) for item, count in cost(agent, name).items()}
    return {item: count for item, count in missing.items() if count > 0}


def cells_of(plan: dict[str, Any], rotation: int = 0) -> list[Position]:
    """The cells of a blueprint, counted from its anchor; a quarter turn takes (x, z) to (z, -x)."""
    cells = []
    for block in plan["blocks"]:
        x, y, z = block["pos"]
        for _ in range(rotation % 4):
            x, z = z, -x
        cells.append((x, y, z))
    return cells


async def site_for(agent: Agent, name: str, *, within: int) -> Position | None:
    """An anchor at which a blueprint fits and may be built: on the agent's own plot if there is
    room, else near where it stands."""
    cells = cells_of(blueprint_of(agent, name))
    plot = agent.plot
    if plot is not None:
        x = (plot.low[0] + plot.high[0]) // 2
        z = (plot.low[2] + plot.high[2]) // 2
        middle = (x, plot.pos[1], z)
        await _go_near(agent, middle)
        site = _site_in_sight(agent, cells, middle, (plot.low[::2], plot.high[::2]))
        if site is not None and _may_build(agent):
            return site
    return await _explored_site(agent, cells, within)


async def _explored_site(agent: Agent, cells: list[Position], within: int) -> Position | None:
    x, _, z = agent.position
    allowed = _AllowedGround((x - within, z - within), (x + within, z + within))
    walk = Walk(agent, within)
    looked_tick = agent.tick - LOOK_EVERY
    try:
        while True:
            allowed.step(agent)
            if _may_build(agent) and agent.tick >= looked_tick + LOOK_EVERY:
                looked_tick = agent.tick
                site = _site_in_sight(agent, cells, agent.position, allowed.bounds)
                if site is not None:
                    await walk.stop()
                    await _go_near(agent, _middle(site, cells), near=1)
                    # The land may be another's there, or a body may have come in between.
                    again = _site_in_sight(agent, cells, _middle(site, cells), allowed.bounds)
                    if again is not None and _may_build(agent):
                        return again
            if not await walk.go_on():
                return None
    finally:
        if agent.over is None:
            await walk.stop()


class _AllowedGround:
    """The columns in which an agent may build, as far as it has learned by walking.

    Land is square. If a step leads from a column where building is denied to one where it is
    allowed, the border lies between the two, and everything beyond it is left out.
    """

    def __init__(self, low: Column, high: Column) -> None:
        self._all = (low, high)
        self.bounds = (low, high)
        self._denied: Column | None = None

    def step(self, agent: Agent) -> None:
        x, _, z = agent.position
        if not _may_build(agent):
            self._denied = (x, z)
            self.bounds = self._all
        elif self._denied is not None:
            (west, north), (east, south) = self._all
            before_x, before_z = self._denied
            west = x if before_x < x else west
            east = x if before_x > x else east
            north = z if before_z < z else north
            south = z if before_z > z else south
            self._denied = None
            self.bounds = ((west, north), (east, south))


def _site_in_sight(
    agent: Agent,
    cells: list[Position],
    near: Position,
    bounds: tuple[Column, Column] = _ANYWHERE,
) -> Position | None:
    """A site on soil; on rock only if there is none on soil, because streets are paved with
    rock."""
    bodies = [entity.pos for entity in agent.entities if entity.type == "AGENT"]
    taken = {(x, y + dy, z) for x, y, z in bodies for dy in (0, 1)}
    for ground in (SOIL, SOIL | ROCK):
        site = find_site(
            agent.blocks,
            cells,
            near=near,
            low=bounds[0],
            high=bounds[1],
            taken=taken,
            ground=ground,
        )
        if site is not None:
            return site
    return None


def _may_build(agent: Agent) -> bool:
    return agent.obs.local_rules.permissions.can_build


def _middle(anchor: Position, cells: list[Position]) -> Position:
    x, y, z = anchor
    dx = max(cell[0] for cell in cells) + min(cell[0] for cell in cells)
    dz = max(cell[2] for cell in cells) + min(cell[2] for cell in cells)
    return x + dx // 2, y, z + dz // 2


async def _go_near(agent: Agent, place: Position, near: int = NEAR_SITE) -> None:
    x, _, z = agent.position
    if abs(x - place[0]) + abs(z - place[2]) > near:
        await agent.do(move_to(place, tolerance=near), ticks=10 * WALK_TICKS)


async def build(
    agent: Agent, name: str, *, at: Position | None, rotation: int, within: int
) -> Outcome:
    """Go there, step out of the way and build; a refusal for want of goods says all that lacks."""
    plan = blueprint_of(agent, name)
    anchor = await site_for(agent, name, within=within) if at is None else at
    if anchor is None:
        message = f"no room for {name} within {within} cells"
        return Outcome(ok=False, code=codes.BLOCKED, message=message, deed="BUILD_BLUEPRINT")
    x, y, z = anchor
    cells = [(x + dx, y + dy, z + dz) for dx, dy, dz in cells_of(plan, rotation)]
    outcome = Outcome(ok=False)
    for _ in range(TRIES):
        await _step_beside(agent, cells)
        outcome = await agent.do(build_action(name, anchor, rotation))
        if outcome.code != codes.UNSAFE:
            break
        await agent.pause(PAUSE_TICKS)  # whoever stands there goes on
    if outcome.code == codes.NO_RESOURCE and not outcome.hint:
        return replace(outcome, hint=_shortage(agent, name))
    return outcome


def _shortage(agent: Agent, name: str) -> str:
    price = ", ".join(f"{count} {item}" for item, count in cost(agent, name).items())
    missing = ", ".join(f"{count} {item}" for item, count in lacking(agent, name).items())
    return f"{name} takes {price}; you lack {missing}" if missing else f"{name} takes {price}"


async def _step_beside(agent: Agent, cells: list[Position]) -> None:
    """Go near enough to build, and stand in no cell of it."""
    west = min(x for x, _, _ in cells)
    north = min(z for _, _, z in cells)
    east = max(x for x, _, _ in cells)
    south = max(z for _, _, z in cells)
    x, y, z = agent.position
    is_inside = west <= x <= east and north <= z <= south
    tuning = agent.catalogs.get("tuning", {})
    reach = int(tuning.get("build_reach", BUILD_REACH)) // 2
    is_far = abs(x - (west + east) // 2) + abs(z - (north + south) // 2) > reach
    if not (is_inside or is_far):
        return
    for spot in ((west - 2, north), (east + 2, south), (west, north - 2), (east, south + 2)):
        walked = await agent.do(move_to((spot[0], y, spot[1])), ticks=10 * WALK_TICKS)
        x, _, z = agent.position
        if walked and not (west <= x <= east and north <= z <= south):
            return
