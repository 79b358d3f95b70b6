"""Headless ticks: agents walk about, and an OBS is built and written for each. CPU time, by phase.

python bench/voxel_tick.py [--agents 50 200 1000] [--ticks 300] [--scattered]
python bench/voxel_tick.py --absent 2400     a world whose owners are all away, beside an empty one

Bodies stand side by side on the sites of the land's spiral, so that figures of releases compare,
whatever the rules say about where newcomers wake. With --scattered they stay where they have joined.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence

from calibration import REFERENCE_MS, calibration_ms

from thorp.protocol.act import Act
from thorp.protocol.actions import AnyTask, Mine, MoveTo, Place
from thorp.voxel import Acted, AnyInput, Detach, Join, Tuning, World, create_world
from thorp.voxel import tick as ticking
from thorp.voxel.lookups.spawn_points import is_clear, standing
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session
from thorp.voxel.systems.population import SLEEP_AFTER
from thorp.voxel.terrain.columns import site_columns, site_rings
from thorp.voxel.tick import System

WARM_UP_TICKS = 30
STEP = 12

Wishes = Callable[[World], Sequence[AnyInput]]


def walking(world: World, *, working: bool = False) -> list[Acted]:
    """Everyone who stands about is sent somewhere near; workers also dig."""
    acts = []
    for agent in world.agents:
        tasks: list[AnyTask] = []
        draw = world.draws.below(1 << 16, tick=world.tick, subject=agent.id, purpose="bench")
        if agent.move is None:
            dx, dz = draw % (2 * STEP + 1) - STEP, draw // 64 % (2 * STEP + 1) - STEP
            tasks.append(MoveTo(id="m", target=(agent.x + dx, agent.y, agent.z + dz)))
        if working and agent.work is None:
            down = (agent.x, agent.y - 1, agent.z)
            tasks.append(
                Mine(id="w", block_pos=down)
                if draw % 2
                else Place(id="w", block_pos=(agent.x + 1, agent.y, agent.z), item_id="STONE")
            )
        if tasks:
            acts.append(Acted(agent.number, Act(tick=world.tick, tasks=tasks)))
        agent.stamina = 1000
    return acts


def settle(world: World) -> None:
    """Put every body on a site, in the order of the spiral; bodies for which there is none stay."""
    bodies = iter(world.agents)
    for x, z in site_columns(site_rings(world.tuning.world_boundary_r)):
        y = standing(world, x, z)
        if y is not None and is_clear(world, (x, y, z)):
            agent = next(bodies, None)
            if agent is None:
                return
            world.relocate(agent, (x, y, z))
            agent.home = (x, z)


class Phases:
    """The CPU time of each system, and of what else is named, tick by tick, in milliseconds."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, list[float]] = defaultdict(list)

    def timed(self, name: str, work: Callable[[], object]) -> None:
        began = time.process_time()
        work()
        self.spent[name].append(1000 * (time.process_time() - began))

    def around(self, systems: tuple[tuple[str, System], ...]) -> tuple[tuple[str, System], ...]:
        """The same systems, each of which is timed."""
        return tuple((name, self._timing(name, system)) for name, system in systems)

    def _timing(self, name: str, system: System) -> System:
        return lambda world: self.timed(name, lambda: system(world))


def measure(
    title: str, world: World, sessions: Sequence[Session], wishes: Wishes, ticks: int
) -> None:
    """Run the world for a number of ticks, and print what they cost."""
    systems = ticking.BEFORE_ACTS, ticking.SYSTEMS
    totals: list[float] = []
    sizes: list[int] = []
    slowness: list[float] = []
    gc.collect()
    gc.freeze()
    gc.disable()
    for number in range(-WARM_UP_TICKS, ticks):
        if number in (-WARM_UP_TICKS, 0):
            phases = Phases()
            before, after = map(phases.around, systems)
            ticking.BEFORE_ACTS, ticking.SYSTEMS = before, after  # type: ignore[misc]
        inputs = wishes(world)
        began = time.process_time()
        phases.timed("step", lambda inputs=inputs: ticking.step(world, inputs))  # type: ignore[misc]
        phases.timed("digest", world.digest)
        phases.timed("observe", lambda: compose(world, sessions))
        frames: list[bytes | None] = []
        phases.timed("take", lambda frames=frames: frames.extend(one.take() for one in sessions))  # type: ignore[misc]
        total = 1000 * (time.process_time() - began)
        gc.collect(0)
        if number >= 0:
            totals.append(total)
            sizes.extend(len(frame or b"") for frame in frames)
            if number % 20 == 0:
                slowness.append(calibration_ms() / REFERENCE_MS)
    ticking.BEFORE_ACTS, ticking.SYSTEMS = systems  # type: ignore[misc]
    gc.enable()
    report(title, totals, sizes, phases, statistics.median(slowness) if slowness else 1.0)


def report(
    title: str, totals: list[float], sizes: list[int], phases: Phases, slowness: float
) -> None:
    middle, late = statistics.median(totals), sorted(totals)[int(len(totals) * 0.99)]
    print(
        f"{title:27s} median {middle:7.2f} ms, p99 {late:7.2f}, most {max(totals):7.2f}"
        f" (calibrated {middle / slowness:.2f}, {late / slowness:.2f}, "
        f"{max(totals) / slowness:.2f});"
        f" OBS {statistics.mean(sizes):,.0f} B"
    )
    costly = sorted(phases.spent.items(), key=lambda entry: -sum(entry[1]))
    shown = [f"{name} {statistics.mean(times):.2f}/{max(times):.1f}" for name, times in costly[:12]]
    print("      mean/most: " + ", ".join(shown), flush=True)


def run(
    count: int,
    ticks: int,
    *,
    scattered: bool = False,
    delta: bool = False,
    working: bool = False,
) -> None:
    world = create_world(7, tuning=Tuning(population_cap=max(count, Tuning().population_cap)))
    ticking.step(world, [Join(f"bench{number}", "00") for number in range(count)])
    if not scattered:
        settle(world)
    sessions = [Session(agent.number, delta=delta) for agent in world.agents]
    kind = ("working" if working else "walking") + (" delta" if delta else "")
    title = f"{count:5d} agents {kind}"
    measure(title, world, sessions, lambda world: walking(world, working=working), ticks)


def run_absent(count: int, ticks: int) -> None:
    """What a tick costs when nobody is there: in an empty world, and in one with sleeping
    bodies."""
    medians = []
    for absent in (0, count):
        world = create_world(7, tuning=Tuning(population_cap=2 * count + 10, guest_ticks=10**6))
        ticking.step(world, [Join(f"bench{number}", "00") for number in range(absent)])
        ticking.step(world, [Detach(agent.number) for agent in world.agents])
        for _ in range(2 * SLEEP_AFTER):
            ticking.step(world, [])
            world.digest()
        assert world.agents.asleep == absent
        totals = []
        for _ in range(ticks):
            began = time.process_time_ns()
            ticking.step(world, [])
            world.digest()
            totals.append((time.process_time_ns() - began) / 1000)
        medians.append(statistics.median(totals))
        print(
            f"{absent:5d} absent: median {medians[-1]:.0f} us, mean {statistics.mean(totals):.0f} "
            "us"
        )
    print(f"{count} absent bodies cost {medians[1] / medians[0]:.2f} times an idle tick")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--agents", type=int, nargs="*", default=[1, 10, 50, 200, 1000])
    options.add_argument("--ticks", type=int, default=300)
    options.add_argument(
        "--absent", type=int, help="measure only a world of this many absent bodies"
    )
    options.add_argument("--scattered", action="store_true", help="bodies stay where they joined")
    chosen = options.parse_args()
    if chosen.absent is not None:
        run_absent(chosen.absent, chosen.ticks)
        return
    for count in chosen.agents:
        run(count, chosen.ticks, scattered=chosen.scattered)
    run(200, chosen.ticks, scattered=chosen.scattered, delta=True, working=True)


if __name__ == "__main__":
    main()
