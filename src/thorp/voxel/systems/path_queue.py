"""Decides whose path is searched next, within the tick's budget; and where a movement leads.

    try       a part of what a search may cost: most ways are found with it. If not, the target may
              be an island, and nothing leads there
    whole     all of it. Leads to the goal, or to the nearest cell that was seen, where the next one
              begins
    patient   much more, if that was no nearer: enough for the way round a lake or a long wall.
              Takes what the others leave of the budget, one agent at a time, so that a hopeless
              search keeps nobody waiting
    dare      there is no safe path. Searches for a dangerous one, so that the answer can say why

Searches under way are state, at most two: one of those whose turn it is, and a patient one.
`docs/world-movement.md` says how agents take turns.
"""

from bisect import bisect_right
from dataclasses import dataclass
from math import ceil
from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.catalog import WATER
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.agent import Agent, Movement, Search, Stage
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import WorldState
from thorp.voxel.systems import pathfinding
from thorp.voxel.systems.bodies import SAFE_DROP, cell_index, is_resting
from thorp.voxel.systems.containers import find_container
from thorp.voxel.systems.pathfinding import (
    ISLAND_CELL_COST,
    LEG,
    Route,
    Searcher,
    horizontal,
    is_island,
)

FOLLOW_DISTANCE: Final = 2
MAX_FOLLOW_DISTANCE: Final = 32

Waiting = tuple[Agent, Movement]

# What a search may cost in each stage: `path_expansions_per_search`, times the first, divided by
# the second.
LIMITS: Final = {"try": (1, 4), "whole": (1, 1), "patient": (8, 1), "dare": (1, 1)}
# The next stage when a search runs out of budget. Any other dead end goes to `dare`.
LONGER: Final[dict[Stage, Stage]] = {"try": "whole", "whole": "patient", "patient": "dare"}


class NoWay(Refusal):
    """There is no way, as far as a patient search has looked."""


class Enclosed(NoWay):
    """There is no way, and everything that can be reached was looked at."""


@dataclass(slots=True)
class Budget:
    """What searches may still cost in this tick."""

    cells: int  # That may still be expanded in this tick.


def serve(world: WorldState, waiting: list[Waiting]) -> list[tuple[Agent, Movement, Refusal]]:
    """Search for waiting agents within the budget; return those for whom there is no path, and
    why."""
    budget = Budget(world.tuning.path_expansions_per_tick)
    failed = []
    for agent, move in _in_turn(world, waiting):
        if not budget.cells:
            break
        search, move.search = move.search, None
        here = cell_index(world.ground, *agent.position)
        if not is_resting(world.ground.cells, world.catalogs.medium, here):
            continue  # it is not yet where it will be
        if search is None or search.start != agent.position:
            search = _begin(world, agent, move)
        world.path_cursor = agent.number
        searcher = Searcher(world.ground, world.catalogs.medium, search)
        try:
            goes_on = _pursue(world, agent, move, searcher, budget)
        except Refusal as no:
            # Its traceback would tie this frame and those of its callers, with all inputs, into a
            # cycle.
            failed.append((agent, move, no.with_traceback(None)))
            continue
        if goes_on is not None:
            move.search = goes_on.suspend()
            world.path_cursor -= not move.patient
    return failed


def _in_turn(world: WorldState, waiting: list[Waiting]) -> list[Waiting]:
    """Round robin from the last one served; patient searches last, the one under way first among
    them."""
    first = bisect_right(waiting, world.path_cursor, key=lambda turn: turn[0].number)
    turns = waiting[first:] + waiting[:first]
    return sorted(
        turns, key=lambda turn: (turn[1].patient, turn[1].patient and turn[1].search is None)
    )


def _pursue(
    world: WorldState, agent: Agent, move: Movement, searcher: Searcher, budget: Budget
) -> Searcher | None:
    """Search for one agent until it has a path or becomes patient; return a search that must go on
    later. Raises Refusal if there is no path."""
    while (route := _advance(world, searcher, budget)) is not None:
        search = searcher.search
        if search.nearest is not None:
            no = _unreachable(search.nearest, *_dangers(world, agent, route))
            raise (Enclosed if search.enclosed else NoWay)(no.code, no.message, **no.extra)
        if _leads_on(search, route):
            move.take_path(search.target, route.path)
            return None
        start = search.start
        target = search.target
        want = search.want
        if search.stage == "try" and horizontal(start, target) - want <= LEG:
            cells = min(
                pathfinding.ISLAND_CELLS, world.tuning.path_expansions_per_tick // ISLAND_CELL_COST
            )
            if budget.cells < cells * ISLAND_CELL_COST:
                budget.cells = 0
                break
            budget.cells -= cells * ISLAND_CELL_COST
            if is_island(world.ground, world.catalogs.medium, start, target, want, cells):
                raise _unreachable(route.end)
        search.stage = LONGER[search.stage] if route.outcome == "spent" else "dare"
        if search.stage == "patient":
            move.patient = True
            return None
        if search.stage == "dare":
            enclosed = route.outcome == "exhausted"
            # The same search once more, with deadly falls and deep water allowed.
            search = Search(
                start=start,
                target=target,
                want=want,
                stage="dare",
                nearest=route.end,
                submerged=True,
                deadly=True,
                enclosed=enclosed,
            )
            searcher = Searcher(world.ground, world.catalogs.medium, search)
    return searcher


def _begin(world: WorldState, agent: Agent, move: Movement) -> Search:
    ground = world.ground
    medium = world.catalogs.medium
    start = agent.position
    goal = target(world, move.request)
    want = arrival_distance(move.request)
    if isinstance(move.request, actions.MoveTo) and horizontal(start, goal) - want <= LEG:
        goal = pathfinding.nearest_resting_cell(ground, medium, goal) or goal
    submerged = (
        medium[ground.block(start[0], start[1] + 1, start[2])] == WATER
    )  # then any way out is good
    return Search(
        start=start,
        target=goal,
        want=want,
        stage="patient" if move.patient else "try",
        submerged=submerged,
    )


def _advance(world: WorldState, searcher: Searcher, budget: Budget) -> Route | None:
    search = searcher.search
    times, share = LIMITS[search.stage]
    before = search.spent
    route = searcher.advance(world.tuning.path_expansions_per_search * times // share, budget.cells)
    budget.cells -= search.spent - before
    return route


def _leads_on(search: Search, route: Route) -> bool:
    """Whether to go where a search has led: to the goal, or after all it may cost to somewhere
    nearer."""
    if route.outcome == "spent" and search.stage != "try":
        return route.distance < horizontal(search.start, search.target)
    return route.outcome in ("arrived", "leg")


def _unreachable(nearest: Position, dangers: str = "", deadly: bool = False) -> Refusal:
    reached = f"the nearest reachable point is {list(nearest)}"
    because = f"only reachable {dangers}" if dangers else "blocked"
    return Refusal(
        codes.UNSAFE if deadly else codes.BLOCKED, f"{because}; {reached}", nearest=nearest
    )


def _dangers(world: WorldState, agent: Agent, route: Route) -> tuple[str, bool]:
    """What makes a path dangerous, and whether it is deadly."""
    if route.outcome not in ("arrived", "leg"):
        return "", False
    block = world.ground.block
    medium = world.catalogs.medium
    deepest = 0
    under_water = False
    height = agent.y
    for x, y, z in pathfinding.walk(agent.position, route.path):
        if medium[block(x, y, z)] != WATER:
            deepest = max(deepest, height - y)
        under_water |= medium[block(x, y + 1, z)] == WATER
        height = y
    damage = deepest - SAFE_DROP
    if damage <= 0:
        return "under water, where it would drown", True
    kills = damage >= agent.hp
    loss = "would kill" if kills else f"would cost {damage} of {agent.hp} hp"
    wet = ", and under water" if under_water else ""
    return f"by a fall of {deepest} cells, which {loss}{wet}", kills or under_water


# Where a movement leads


def target(world: WorldState, request: actions.MoveTask) -> Position:
    """The current target of a movement; refused when the followed agent or container is gone."""
    if isinstance(request, actions.MoveTo):
        assert request.target is not None
        return request.target
    target_id = request.target_id or ""
    agent = world.agent_by_id(target_id)
    if agent is not None:
        return agent.position
    container = find_container(world, target_id)
    if container is None:
        raise Refusal(codes.INVALID_TARGET, "target not found")
    return container.position


def arrival_distance(request: actions.MoveTask) -> int:
    """The horizontal distance from the target at which a movement ends."""
    if isinstance(request, actions.MoveTo):
        tolerance = request.tolerance
        return ceil(tolerance) if tolerance and tolerance > 1 else 1
    distance = request.distance
    return (
        ceil(min(distance, MAX_FOLLOW_DISTANCE)) if distance and distance > 0 else FOLLOW_DISTANCE
    )


def has_arrived(position: Position, goal: Position, request: actions.MoveTask) -> bool:
    """Whether a body is as near to its target as its movement asks."""
    return horizontal(position, goal) <= arrival_distance(request)
