"""Decides whose path is searched next, within the tick's budget; and where a movement leads.

A search goes through stages, each with more budget or fewer scruples than the one before:

    try       a quarter of what a search may cost, which is enough for most ways. If it is not, the
              target may be an island to which nothing leads, and that is checked first
    whole     all that a search may cost. It leads to the goal, or to the nearest cell that it saw,
              from which the next search begins
    patient   eight times as much, if `whole` came no nearer: enough for the way round a lake or a
              long wall. It takes what the others leave of the budget, one agent at a time, so that
              a hopeless search keeps nobody waiting
    dare      there is no safe path. Searches for a dangerous one, so that the answer can say why

From stage to stage, by how a search ended:

    arrived, leg   the body sets out
    spent          after `try`: whole. Else the body sets out if it comes nearer to the target, and
                   if it does not: whole → patient → dare
    exhausted      dare: all that can be reached safely was looked at
    `dare` itself  the movement is refused, however that search ended

At most two searches are under way at the end of a tick: one of the usual ones and one patient one.
They are state, so a restart does not lose them. `docs/world-movement.md` says how agents take
turns.
"""

from bisect import bisect_right
from dataclasses import dataclass
from math import ceil
from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.catalog import WATER
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.agent import Agent, Movement, PathSearch, Stage
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

# What a search may cost in each stage: `path_expansions_per_search`, times the first number,
# divided by the second.
LIMITS: Final = {"try": (1, 4), "whole": (1, 1), "patient": (8, 1), "dare": (1, 1)}
# The next stage when a search runs out of budget. Any other dead end goes to `dare`.
LONGER: Final[dict[Stage, Stage]] = {"try": "whole", "whole": "patient", "patient": "dare"}


class NoWay(Refusal):
    """There is no way within what a patient search has looked at."""


class Enclosed(NoWay):
    """There is no way: everything that can be reached was looked at."""


@dataclass(slots=True)
class Budget:
    """What all searches of this tick together may still cost."""

    cells: int  # How many may still be expanded.


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
            continue  # a body that falls or rises will begin somewhere else
        if search is None or search.start != agent.position:
            search = _begin(world, agent, move)
        world.path_cursor = agent.number
        searcher = Searcher(world.ground, world.catalogs.medium, search)
        try:
            unfinished = _pursue(world, agent, move, searcher, budget)
        except Refusal as no:
            # With its traceback the refusal would hold this frame and those of its callers, with
            # all inputs, in a reference cycle.
            failed.append((agent, move, no.with_traceback(None)))
            continue
        if unfinished is not None:
            move.search = unfinished.suspend()
            # The turn is not over: in the next tick the same agent comes first.
            world.path_cursor -= not move.patient
    return failed


def _in_turn(world: WorldState, waiting: list[Waiting]) -> list[Waiting]:
    """Agents in turn, after the one that was served last; those with patient searches come last,
    and among them the one whose search is under way comes first."""
    first = bisect_right(waiting, world.path_cursor, key=lambda turn: turn[0].number)
    turns = waiting[first:] + waiting[:first]
    return sorted(
        turns, key=lambda turn: (turn[1].patient, turn[1].patient and turn[1].search is None)
    )


def _pursue(
    world: WorldState, agent: Agent, move: Movement, searcher: Searcher, budget: Budget
) -> Searcher | None:
    """Search for one agent, stage after stage, until it has a path or must wait for a patient
    search. Returns a search that ran out of this tick's budget. Raises Refusal if there is no
    path."""
    while (route := _advance(world, searcher, budget)) is not None:
        search = searcher.search
        if search.nearest is not None:  # `dare` has ended, and says why there is no safe path
            no = _unreachable(search.nearest, *_dangers(world, agent, route))
            raise (Enclosed if search.enclosed else NoWay)(no.code, no.message, **no.extra)
        if _leads_on(search, route):
            move.take_path(search.target, route.path)
            return None
        start = search.start
        target = search.target
        want = search.want
        if search.stage == "try" and horizontal(start, target) - want <= LEG:
            # A walled-in target would cost a whole and a patient search to find out. Searched from
            # the other side it is a handful of cells.
            cells = min(
                pathfinding.ISLAND_CELLS, world.tuning.path_expansions_per_tick // ISLAND_CELL_COST
            )
            if budget.cells < cells * ISLAND_CELL_COST:
                budget.cells = 0
                break
            budget.cells -= cells * ISLAND_CELL_COST
            if is_island(world.ground, world.catalogs.medium, start, target, want=want, most=cells):
                raise _unreachable(route.end)
        search.stage = LONGER[search.stage] if route.outcome == "spent" else "dare"
        if search.stage == "patient":
            move.patient = True
            return None
        if search.stage == "dare":
            enclosed = route.outcome == "exhausted"
            # The same search once more, with deadly falls and deep water allowed. It is not walked:
            # it tells the agent what the way would cost.
            search = PathSearch(
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


def _begin(world: WorldState, agent: Agent, move: Movement) -> PathSearch:
    ground = world.ground
    medium = world.catalogs.medium
    start = agent.position
    goal = target(world, move.request)
    want = arrival_distance(move.request)
    if isinstance(move.request, actions.MoveTo) and horizontal(start, goal) - want <= LEG:
        goal = pathfinding.nearest_resting_cell(ground, medium, goal) or goal
    # A body whose head is under water may go on through water: any way out is good.
    submerged = medium[ground.block(start[0], start[1] + 1, start[2])] == WATER
    return PathSearch(
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


def _leads_on(search: PathSearch, route: Route) -> bool:
    """Whether the body sets out on a route: one to the goal, or, when a search longer than `try`
    has spent its limit, one that ends nearer to the target."""
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
