"""MOVE_TO and FOLLOW: a body walks, one column a tick.

A movement task is a path and the wish for one. Each tick ends the tasks that have arrived, serves those who
wait for a path, and lets the others take a step.

Searches are paid from one purse a tick, counted in expanded cells. A search once begun is finished; when the
purse is empty the others wait, and the next tick goes on behind the last one served, by number. So one
agent's hopeless wish costs it and nobody else.

Far targets are walked in legs. A search that gives up for want of cells leads to the nearest cell it saw,
and the next one begins there. Where nothing nearer was seen, the task waits for one patient search, which
may look much further round; if that comes no nearer either, the task ends. Every step is checked against
the world as it is: if it leads elsewhere than it did, a new path is searched for.
"""

from __future__ import annotations

from bisect import bisect_right
from math import ceil
from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.agent import Agent, Movement
from thorp.voxel.catalog import SOLID, WATER
from thorp.voxel.ground import LAYER, Position
from thorp.voxel.refusal import Refusal
from thorp.voxel.society import deeds, sanctions, zones
from thorp.voxel.systems.bodies import SAFE_DROP, cell_index, is_resting, landing
from thorp.voxel.systems.paths import (
    DIRECTIONS,
    ISLAND_CELL_COST,
    ISLAND_CELLS,
    LEG,
    Route,
    is_island,
    nearest_resting_cell,
    search,
    walk,
)
from thorp.voxel.world import World, parse_block_id

STEP_STAMINA: Final = 8
FOLLOW_DISTANCE: Final = 2
MAX_FOLLOW_DISTANCE: Final = 32
# Most ways are found with a part of what a search may cost; the rest is not spent on an island.
FIRST_TRY: Final = 4
# How many times as much a patient search may cost: enough for the way round a lake or a long wall.
PATIENCE: Final = 8


def check(world: World, agent: Agent, task: actions.MoveTask) -> None:
    """Refuse a movement that cannot be begun."""
    if isinstance(task, actions.Follow):
        if not task.target_id:
            raise Refusal(codes.BAD_REQUEST, "missing target_id")
        _followed(world, task)
        return
    if task.target is None:
        raise Refusal(codes.BAD_REQUEST, "missing target")
    x, _, z = task.target
    if not world.ground.inside(x, 0, z):
        limit = world.tuning.world_boundary_r
        raise Refusal(
            codes.INVALID_TARGET, f"target is outside the world, which ends {limit} cells from 0, 0"
        )


def status(world: World, agent: Agent) -> tuple[float, Position, int]:
    """Progress from 0 to 1, target and remaining ticks, as an OBS shows them."""
    move = agent.move
    assert move is not None
    want = _want(move.request)
    try:
        target = _target(world, move.request)
    except Refusal:  # it vanished after this tick's movement; the next one will say so
        return 0.0, agent.position, 0
    left = max(0, _distance(agent.position, target) - want)
    if isinstance(move.request, actions.Follow):
        return float(left == 0), target, left
    whole = max(0, _distance(move.start, target) - want)
    progress = round(max(0, whole - left) / whole, 3) if whole else 1.0
    return progress, target, max(left, len(move.path))


def step(world: World) -> None:
    movers = [(agent, agent.move) for agent in world.agents if agent.move is not None]
    waiting = []
    for agent, move in movers:
        if move.path and isinstance(move.request, actions.MoveTo):
            continue  # on its way: its steps will tell
        try:
            _look(world, agent, move)
        except Refusal as no:
            _fail(world, agent, move, no)
        else:
            if move.waiting and agent.move is move:
                waiting.append((agent, move))
    if waiting:
        _serve(world, waiting)
    if world.weather == "STORM" and world.tick % 2:
        return
    flood = zones.zone_of(world, "FLOOD_WARNING") if world.tick % 3 == 1 else None
    for agent, move in movers:
        if flood is not None and zones.covers(flood, agent.x, agent.z):
            continue
        if move.path and agent.move is move and agent.stamina >= STEP_STAMINA:
            _take_step(world, agent, move)


def _look(world: World, agent: Agent, move: Movement) -> None:
    """End what has arrived, and see whether a new path is needed."""
    target = _target(world, move.request)
    if _is_near(agent.position, target, move.request):
        if isinstance(move.request, actions.Follow):
            move.path, move.waiting = b"", False
        else:
            _done(world, agent, move)
    elif not move.path:
        move.waiting = True
    elif isinstance(move.request, actions.Follow) and _strays(move, target):
        move.path, move.waiting = b"", True


def _strays(move: Movement, target: Position) -> bool:
    """Whether a path's end is no longer much nearer to who is followed than its beginning."""
    return move.goal is None or _distance(move.goal, target) > len(move.path) // 2


def _is_near(position: Position, target: Position, request: actions.MoveTask) -> bool:
    return abs(position[0] - target[0]) + abs(position[2] - target[2]) <= _want(request)


def _want(request: actions.MoveTask) -> int:
    """The horizontal distance at which a movement has arrived."""
    if isinstance(request, actions.MoveTo):
        tolerance = request.tolerance
        return ceil(tolerance) if tolerance and tolerance > 1 else 1
    distance = request.distance
    return ceil(min(distance, MAX_FOLLOW_DISTANCE)) if distance and distance > 0 else FOLLOW_DISTANCE


def _target(world: World, request: actions.MoveTask) -> Position:
    if isinstance(request, actions.MoveTo):
        assert request.target is not None
        return request.target
    return _followed(world, request)


def _followed(world: World, request: actions.Follow) -> Position:
    """Where the agent or container is that someone follows."""
    target_id = request.target_id or ""
    agent = world.agent_by_id(target_id)
    if agent is not None:
        return agent.position
    named = parse_block_id(target_id)
    container = world.containers.get(named[1]) if named is not None else None
    if container is None or container.id != target_id:
        raise Refusal(codes.INVALID_TARGET, "target not found")
    return container.position


def _distance(a: Position, b: Position) -> int:
    """Horizontal Manhattan distance."""
    return abs(a[0] - b[0]) + abs(a[2] - b[2])


def _done(world: World, agent: Agent, move: Movement) -> None:
    agent.move = None
    world.emit(agent, "TASK_DONE", own=True, task_id=move.id, kind=move.kind)


def _fail(world: World, agent: Agent, move: Movement, no: Refusal) -> None:
    agent.move = None
    fields = {"task_id": move.id, "kind": move.kind, "code": no.code, "message": no.message, **no.extra}
    world.emit(agent, "TASK_FAIL", own=True, **fields)


# Paths


def _serve(world: World, waiting: list[tuple[Agent, Movement]]) -> None:
    """Search for those who wait, from the one behind the last one served, until the purse is empty.

    One patient search is done behind the others if there is still something in it, so that it keeps nobody
    waiting.
    """
    purse = world.tuning.path_expansions_per_tick
    first = bisect_right(waiting, world.path_cursor, key=lambda pair: pair[0].number)
    turns = waiting[first:] + waiting[:first]
    for agent, move in sorted(turns, key=lambda turn: turn[1].patient):
        if purse <= 0:
            break
        here = cell_index(world.ground, *agent.position)
        if is_resting(world.ground.cells, world.catalogs.medium, here):  # else it is not yet where it will be
            world.path_cursor = agent.number
            was_patient = move.patient
            purse -= _plan(world, agent, move)
            if was_patient:
                break


def _plan(world: World, agent: Agent, move: Movement) -> int:
    """Give an agent a path, or have it wait for a patient search, or end its task. Returns what that cost."""
    goal, want = _target(world, move.request), _want(move.request)
    distance = _distance(agent.position, goal)
    if isinstance(move.request, actions.MoveTo) and distance - want <= LEG:
        goal = nearest_resting_cell(world.ground, world.catalogs.medium, goal) or goal
    route, is_lost, cost = _find(world, agent.position, goal, want, patient=move.patient)
    comes_nearer = route.outcome == "spent" and route.distance < distance and not is_lost
    if comes_nearer or route.outcome in ("arrived", "leg"):
        move.goal, move.path, move.waiting, move.patient = goal, route.path, False, False
        return cost
    if route.outcome == "spent" and not is_lost and not move.patient:
        move.patient = True
        return cost
    dangers, deadly = "", False
    if not is_lost:
        dared = _search(world, agent.position, goal, want, submerged=True, deadly=True)
        cost += dared.spent
        if dared.outcome in ("arrived", "leg"):
            dangers, deadly = _dangers(world, agent, dared)
    _fail(world, agent, move, _unreachable(route.end, dangers, deadly))
    return cost


def _find(
    world: World, start: Position, goal: Position, want: int, *, patient: bool
) -> tuple[Route, bool, int]:
    """A route, whether it is sure that none leads to the goal, and how many cells that cost."""
    ground, medium = world.ground, world.catalogs.medium
    submerged = medium[ground.block(start[0], start[1] + 1, start[2])] == WATER  # then any way out is good
    if patient:
        route = _search(world, start, goal, want, times=PATIENCE, submerged=submerged)
        return route, False, route.spent
    route = _search(world, start, goal, want, share=FIRST_TRY, submerged=submerged)
    cost, is_lost = route.spent, False
    if route.outcome in ("spent", "exhausted") and _distance(start, goal) - want <= LEG:
        is_lost = is_island(ground, medium, start, goal, want)
        cost += ISLAND_CELLS * ISLAND_CELL_COST
    if route.outcome == "spent" and not is_lost:
        route = _search(world, start, goal, want, submerged=submerged)
        cost += route.spent
    return route, is_lost, cost


def _search(
    world: World,
    start: Position,
    goal: Position,
    want: int,
    *,
    share: int = 1,
    times: int = 1,
    submerged: bool,
    deadly: bool = False,
) -> Route:
    limit = world.tuning.path_expansions_per_search * times // share
    medium = world.catalogs.medium
    return search(world.ground, medium, start, goal, want, limit, submerged=submerged, deadly=deadly)


def _unreachable(nearest: Position, dangers: str, deadly: bool) -> Refusal:
    reached = f"the nearest reachable point is {list(nearest)}"
    because = f"only reachable {dangers}" if dangers else "blocked"
    return Refusal(codes.UNSAFE if deadly else codes.BLOCKED, f"{because}; {reached}", nearest=nearest)


def _dangers(world: World, agent: Agent, route: Route) -> tuple[str, bool]:
    """What a body would have to bear on a way, and whether it could not."""
    block, medium = world.ground.block, world.catalogs.medium
    deepest, under_water, height = 0, False, agent.y
    for x, y, z in walk(agent.position, route.path):
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


# Steps


def _take_step(world: World, agent: Agent, move: Movement) -> None:
    """Go into the next column, if the way is still as it was when the path was found."""
    ground, cells, medium = world.ground, world.ground.cells, world.catalogs.medium
    x, y, z = agent.x, agent.y, agent.z
    step = move.path[-1]
    dx, dz = DIRECTIONS[step >> 6]
    here = cell_index(ground, x, y, z)
    beside = here + dx + 16 * dz
    if (x + dx ^ x) >> 4 or (z + dz ^ z) >> 4:
        beside = cell_index(ground, x + dx, y, z + dz)  # in the next chunk, for which this one may be evicted
        here = cell_index(ground, x, y, z)
    if not is_resting(cells, medium, here) or (medium[cells[here]] == WATER and world.tick % 2):
        return
    there = landing(cells, medium, here, beside)
    in_water = medium[cells[there]] == WATER
    drowns = medium[cells[there + LAYER]] == WATER != medium[cells[here + LAYER]]
    hurts = beside - there > SAFE_DROP * LAYER and not in_water
    if there == here or there >> 8 & 63 != step & 63 or drowns or hurts:
        move.path, move.waiting = b"", True
        return
    try:
        sanctions.enter(world, agent, x + dx, z + dz)
    except Refusal as no:
        _fail(world, agent, move, no)
        return
    agent.stamina -= STEP_STAMINA
    agent.yaw = (step >> 6) * 90
    position = (x + dx, y + (medium[cells[beside]] == SOLID), z + dz)
    world.relocate(agent, position)
    deeds.stepped(world, agent)
    move.path = move.path[:-1]
    request = move.request
    if isinstance(request, actions.MoveTo) and _is_near(position, _target(world, request), request):
        _done(world, agent, move)
