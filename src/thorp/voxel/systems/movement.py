"""MOVE_TO and FOLLOW: a body walks, one column a tick.

Each tick ends the movements that have arrived, searches paths for those that wait for one, and lets
the others take a step. Paths come from `path_queue`, which searches within the tick's budget. Every
step is checked against the world as it is: if it leads elsewhere than planned, a new path is
searched for.
"""

from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.catalog import SOLID, WATER
from thorp.voxel.lookups import event_zones, land
from thorp.voxel.refusal import Refusal, given
from thorp.voxel.state.agent import MAX_BREATH, Agent, Movement, Status
from thorp.voxel.state.ground import LAYER
from thorp.voxel.state.world import World, WorldState
from thorp.voxel.systems import enforcement, path_queue
from thorp.voxel.systems.bodies import SAFE_DROP, cell_index, is_resting, landing
from thorp.voxel.systems.pathfinding import DIRECTIONS, horizontal

STEP_STAMINA: Final = 8


def check(world: WorldState, agent: Agent, task: actions.MoveTask) -> None:
    """Refuse a movement without a target, or with one that cannot be reached."""
    if isinstance(task, actions.Follow):
        given(task.target_id, "target_id")
        path_queue.target(world, task)
        return
    x, _, z = given(task.target, "target")
    if not world.ground.inside(x, 0, z):
        limit = world.tuning.world_boundary_r
        raise Refusal(
            codes.INVALID_TARGET, f"target is outside the world, which ends {limit} cells from 0, 0"
        )


def status(world: WorldState, agent: Agent) -> Status:
    """Progress from 0 to 1, target and remaining ticks, as an OBS shows them."""
    move = agent.move
    assert move is not None
    request = move.request
    if not isinstance(request, actions.MoveTo):
        return _follow_status(world, agent, request)
    target = request.target
    assert target is not None
    want = path_queue.arrival_distance(request)
    left = max(0, horizontal(agent.position, target) - want)
    whole = max(0, horizontal(move.start, target) - want)
    progress = round(max(0, whole - left) / whole, 3) if whole else 1.0
    return progress, target, max(left, len(move.path))


def _follow_status(world: WorldState, agent: Agent, request: actions.Follow) -> Status:
    try:
        target = path_queue.target(world, request)
    except Refusal:  # it vanished after this tick's movement; the next one will say so
        return 0.0, agent.position, 0
    left = max(0, horizontal(agent.position, target) - path_queue.arrival_distance(request))
    return float(left == 0), target, left


def step(world: World) -> None:
    """End the movements that have arrived, search paths within the tick's budget, and let every
    body with a path take a step."""
    movers = [(agent, agent.move) for agent in world.agents.awake if agent.move is not None]
    waiting = []
    for agent, move in movers:
        if move.path and isinstance(move.request, actions.MoveTo):
            continue  # its target cannot move, and a step that is blocked drops the path
        try:
            _look(world, agent, move)
        except Refusal as no:
            world.fail_task(agent, move, no)
        else:
            if move.waiting and agent.move is move:
                waiting.append((agent, move))
    if waiting:
        for agent, move, why in path_queue.serve(world, waiting):
            if not (isinstance(why, path_queue.NoWay) and _is_let_out(world, agent, move, why)):
                world.fail_task(agent, move, why)
    if world.weather == "STORM" and world.tick % 2:
        return
    flood = event_zones.zone_of(world, "FLOOD_WARNING") if world.tick % 3 == 1 else None
    for agent, move in movers:
        if flood is not None and event_zones.covers(flood, agent.x, agent.z):
            continue
        if move.path and agent.move is move and agent.stamina >= STEP_STAMINA:
            _take_step(world, agent, move)


def _is_let_out(world: World, agent: Agent, move: Movement, why: Refusal) -> bool:
    """Put an agent that finds no way out of another's land beyond it, to go on from there; return
    whether that was done. The agent must be enclosed for certain, or have set out on that land, so
    that a movement leaves a land in this way only once."""
    set_out_here = land.at(world, move.start[0], move.start[2]) is land.at(world, agent.x, agent.z)
    if not (set_out_here or isinstance(why, path_queue.Enclosed)):
        return False
    x, _, z = path_queue.target(world, move.request)
    if not enforcement.let_out(world, agent, x, z):
        return False
    move.restart(agent.position)
    return True


def _look(world: WorldState, agent: Agent, move: Movement) -> None:
    """End a movement that has arrived, and decide whether it needs a new path."""
    target = path_queue.target(world, move.request)
    # Whether what is followed has moved so far that half of the path may be for nothing.
    strays = move.goal is None or horizontal(move.goal, target) > len(move.path) // 2
    if path_queue.has_arrived(agent.position, target, move.request):
        if isinstance(move.request, actions.Follow):
            move.pause()
        else:
            world.finish_task(agent, move)
    elif not move.path:
        move.waiting = True
    elif isinstance(move.request, actions.Follow) and strays:
        move.clear_path()


def _take_step(world: World, agent: Agent, move: Movement) -> None:
    """Go into the next column of the path, if the ground there is still as the search saw it."""
    ground = world.ground
    cells = world.ground.cells
    medium = world.catalogs.medium
    x = agent.x
    y = agent.y
    z = agent.z
    step = move.path[-1]
    dx, dz = DIRECTIONS[step >> 6]
    here = cell_index(ground, x, y, z)
    beside = here + dx + 16 * dz
    if (x + dx ^ x) >> 4 or (z + dz ^ z) >> 4:
        # The next chunk may have to be loaded, and may evict this one: so `here` is looked up last.
        beside = cell_index(ground, x + dx, y, z + dz)
        here = cell_index(ground, x, y, z)
    if not is_resting(cells, medium, here) or (medium[cells[here]] == WATER and world.tick % 2):
        return
    there = landing(cells, medium, here, beside)
    in_water = medium[cells[there]] == WATER
    drowns = medium[cells[there + LAYER]] == WATER != medium[cells[here + LAYER]]
    hurts = beside - there > SAFE_DROP * LAYER and not in_water
    if there == here or there >> 8 & 63 != step & 63 or drowns or hurts:
        move.clear_path()
        return
    try:
        enforcement.enter(world, agent, x + dx, z + dz)
    except Refusal as no:
        is_same_land = land.at(world, x, z) is land.at(world, x + dx, z + dz)
        if not (is_same_land and _is_let_out(world, agent, move, no)):
            world.fail_task(agent, move, no)
        return
    agent.stamina -= STEP_STAMINA
    agent.yaw = (step >> 6) * 90
    climbs = medium[cells[beside]] == SOLID
    is_dry = not in_water and medium[cells[there + LAYER]] != WATER
    position = (x + dx, y + climbs, z + dz)
    world.relocate(agent, position)
    # On firm ground `bodies` has nothing to do, until something changes this column.
    is_firm = there == beside + LAYER * climbs and is_dry
    agent.at_rest = is_firm and not agent.fallen and agent.breath == MAX_BREATH
    world.listeners.on_step(world, agent)
    move.path = move.path[:-1]
    request = move.request
    if isinstance(request, actions.MoveTo) and path_queue.has_arrived(
        position, path_queue.target(world, request), request
    ):
        world.finish_task(agent, move)
