"""How fast bodies find and walk their ways: `python bench/voxel_paths.py`.

The ground is flat with pillars in 15 % of the columns. Times are CPU time, each figure beside a
calibration: a path of about 40 steps, cold and warm; a search that finds nothing; one step of one
of a thousand walkers; and a tick, digest included, in which a thousand agents want to go where
nobody can.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from calibration import REFERENCE_MS, calibration_ms

from thorp.voxel import Position

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.voxel.flat import STAND, flat_world, put_agent, put_block

from thorp.protocol import actions
from thorp.voxel import Agent, World, default_catalogs
from thorp.voxel.state.agent import MAX_STAMINA, Movement, PathSearch
from thorp.voxel.state.ground import Ground
from thorp.voxel.state.unsaved import TickScratch
from thorp.voxel.systems import bodies, movement
from thorp.voxel.systems.pathfinding import Route, Searcher

PILLARS_PERCENT = 15
RADIUS = 150
PATHS = 200
WALKERS = 1000
ROUNDS = 7
TICKS = 5
PATH_TARGET_US = 1000
CELL_TARGET_US = 3
REST_TARGET_US = 0.2
STEP_TARGET_US = 5
TICK_TARGET_MS = 100
PATIENT_TICKS = 400


def search(
    ground: Ground, medium: bytes, start: Position, target: Position, want: int, limit: int
) -> Route:
    """A search in one go."""
    route = Searcher(ground, medium, PathSearch(start, target, want)).advance(limit, limit)
    assert route is not None
    return route


def pillared_world(rng: random.Random) -> World:
    world = flat_world(default_catalogs())
    for x in range(-RADIUS, RADIUS):
        for z in range(-RADIUS, RADIUS):
            if rng.randrange(100) < PILLARS_PERCENT:
                for y in range(STAND, STAND + 3):
                    put_block(world, x, y, z, "STONE")
    world.scratch = TickScratch()
    return world


def free_cell(world: World, rng: random.Random, reach: int = RADIUS) -> tuple[int, int, int]:
    while True:
        x, z = rng.randrange(-reach, reach), rng.randrange(-reach, reach)
        if world.ground.block(x, STAND, z) == 0:
            return x, STAND, z


def measure(label: str, unit: str, work: Callable[[], int], target: float) -> None:
    """Time `work`, which returns how much it did, several times; print the median of one,
    calibrated."""
    times = []
    for _ in range(ROUNDS):
        slowness = calibration_ms() / REFERENCE_MS
        start = time.process_time()
        done = work()
        times.append((time.process_time() - start) / done / slowness)
    scale = {"us": 1e6, "ms": 1e3}[unit]
    median = statistics.median(times) * scale
    print(f"{label:52s} {median:9.2f} {unit} calibrated   target {target:g}", flush=True)


def paths(world: World, rng: random.Random) -> None:
    """Ways of 37 to 60 cells."""
    medium = world.catalogs.medium
    pairs: list[tuple[Position, Position]] = []
    while len(pairs) < PATHS:
        start, goal = free_cell(world, rng), free_cell(world, rng)
        if 37 <= abs(start[0] - goal[0]) + abs(start[2] - goal[2]) <= 50:
            route = search(world.ground, medium, start, goal, 1, 1200)
            if route.outcome == "arrived" and 37 <= len(route.path) <= 60:
                pairs.append((start, goal))
    routes = [search(world.ground, medium, start, goal, 1, 1200) for start, goal in pairs]
    steps = statistics.mean(len(route.path) for route in routes)
    spent = statistics.mean(route.spent for route in routes)
    print(f"{PATHS} paths of {steps:.0f} steps on average, {spent:.0f} cells expanded")

    def run() -> int:
        for start, goal in pairs:
            search(world.ground, medium, start, goal, 1, 1200)
        return PATHS

    measure("path of about 40 steps", "us", run, PATH_TARGET_US)


def expansions(world: World) -> None:
    """A target walled in: everything around the wall is looked at."""
    wall(world, 40, 40)
    medium = world.catalogs.medium

    def run() -> int:
        return sum(
            search(world.ground, medium, (20, STAND, 20), (40, STAND, 40), 1, 1200).spent
            for _ in range(20)
        )

    put_block(world, 20, STAND, 20, "AIR")
    measure("one expanded cell of a hopeless search", "us", run, CELL_TARGET_US)


def wall(world: World, x: int, z: int) -> None:
    for dx in range(-2, 3):
        for dz in range(-2, 3):
            for dy in range(4):
                inside = max(abs(dx), abs(dz)) < 2 and dy < 3
                put_block(world, x + dx, STAND + dy, z + dz, "AIR" if inside else "STONE")
    world.scratch = TickScratch()


def walkers(world: World, rng: random.Random) -> None:
    """A thousand bodies with paths long enough for all rounds."""
    agents: list[Agent] = []
    while len(agents) < WALKERS:
        start, goal = free_cell(world, rng), free_cell(world, rng)
        route = search(world.ground, world.catalogs.medium, start, goal, 1, 1200)
        if route.outcome == "arrived" and len(route.path) > TICKS * ROUNDS:
            agent = put_agent(world, start[0], start[2])
            agent.move = Movement(
                "T000001", actions.MoveTo(target=goal), 0, start, route.path, goal, False
            )
            agents.append(agent)

    def steps_left() -> int:
        return sum(len(agent.move.path) for agent in agents if agent.move is not None)

    def walk() -> int:
        before = steps_left()
        for _ in range(TICKS):
            world.tick += 1
            movement.step(world)
        return before - steps_left()

    def fall() -> int:
        for agent in agents:
            agent.at_rest = False
        bodies.step(world)
        return WALKERS

    measure("one step of one of a thousand walkers", "us", walk, STEP_TARGET_US)
    measure("looking at one body that moved", "us", fall, STEP_TARGET_US)

    def rest() -> int:
        bodies.step(world)
        return WALKERS

    measure("passing over one body at rest", "us", rest, REST_TARGET_US)


def unreachable(world: World, rng: random.Random) -> None:
    """Everyone wants into the walled place, which a short look from there shows to be closed."""
    everyone_wants(world, rng, (40, STAND, 40))
    report("1,000 unreachable MOVE_TOs, p99 of a tick", ticks_until_answered(world))


def patient(world: World, rng: random.Random) -> None:
    """Everyone wants behind a wall that is longer than any search: all of them need a patient
    one."""
    for z in range(-600, 601):
        for y in range(STAND, STAND + 3):
            put_block(world, RADIUS + 8, y, z, "STONE")
    world.scratch = TickScratch()
    everyone_wants(world, rng, (RADIUS + 16, STAND, 0), near=RADIUS + 7)
    report("the same behind a long wall, patiently", ticks_until_answered(world, PATIENT_TICKS))


def everyone_wants(
    world: World, rng: random.Random, target: tuple[int, int, int], near: int = 0
) -> None:
    for agent in world.agents:
        start = (near, STAND, rng.randrange(-20, 20)) if near else free_cell(world, rng, 60)
        world.relocate(agent, start)
        agent.move = Movement("T000001", actions.MoveTo(target=target), world.tick, start)


def ticks_until_answered(world: World, most: int | None = None) -> list[float]:
    """CPU milliseconds of movement, bodies and digest, tick by tick."""
    times: list[float] = []
    while any(agent.move is not None for agent in world.agents) and len(times) != most:
        for agent in world.agents:
            agent.stamina = MAX_STAMINA
        slowness = calibration_ms() / REFERENCE_MS
        start = time.process_time()
        world.tick += 1
        movement.step(world)
        bodies.step(world)
        world.digest()
        times.append((time.process_time() - start) * 1000 / slowness)
    return times


def report(label: str, times: list[float]) -> None:
    worst = sorted(times)[len(times) * 99 // 100]
    print(
        f"{label:52s} {worst:9.2f} ms calibrated   target {TICK_TARGET_MS}; {len(times)} ticks",
        flush=True,
    )


def main() -> None:
    rng = random.Random(11)
    world = pillared_world(rng)
    paths(world, rng)
    expansions(world)
    walkers(world, rng)
    unreachable(world, rng)
    patient(world, rng)


if __name__ == "__main__":
    main()
