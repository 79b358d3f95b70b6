"""How fast the past opens, and what recording it costs: `python bench/tape.py [--ticks N] [--data
DIR]`.

A synthetic tape is written by the product's own recorder and writer: 24 agents that walk all the
time, twice as many changed blocks as in the demo village, talk and buildings. After 240,000 ticks,
which are 40 days, and at the end it is served, and a page's jump to a tick is timed over loopback:
marks of everything, the segment, and the ground of 169 chunks. `--data` does the same for the tape
of a kept world, such as a village's. On a busy machine the CPU time of a jump tells more than its
duration; it is that of server and client together.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
from calibration import REFERENCE_MS, calibration_ms

from thorp.bridges.chronicle.chronicler import FILE
from thorp.bridges.voxel_town import new_city_world as create_world_with_towns
from thorp.observer.tape_recorder import SEGMENT_TICKS, Recorder
from thorp.server.access.principals import Principals
from thorp.server.access.tokens import Role, Tokens
from thorp.server.host import listening
from thorp.server.http.server import Server
from thorp.server.http.tape_view import TapeView
from thorp.server.live.tape_keeper import TapeKeeper
from thorp.server.settings import WORLD
from thorp.store import RealDisk
from thorp.voxel import Agent, World, WorldService, create_world
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.state.agent import agent_bytes
from thorp.voxel.state.unsaved import BlockChange, TickScratch

AGENTS = 24
VILLAGE_TICKS = 240_000
BLOCKS_PER_TICK = 0.6
TALKS_PER_TICK = 0.06
NEAR = 60
"""How far from the middle anyone goes."""
JUMPS = 100
OBSERVER = "/admin/v1/observer"
OPEN_MS, PACKED_BYTES, TICK_MS, CROWD_TICK_MS = 600, 30_000, 0.2, 2.0


def crowd(agents: int) -> World:
    world = create_world(1337)
    for number in range(1, agents + 1):
        x, z = number % 32 - 16, number // 32 - 16
        agent = Agent(number, f"A{number}", f"agent {number}", x, 30, z, (x, z), 0, {})
        agent.attached = agent.acted = True
        agent_bytes(
            agent
        )  # as the digest of a tick does, from which the recorder knows who has changed
        world.agents.put(agent)
    return world


def live(world: World, choice: random.Random) -> None:
    """A tick in which everybody takes a step, and some build or talk."""
    world.tick += 1
    world.scratch = scratch = TickScratch()
    for agent in world.agents:
        if choice.random() < 0.1:
            agent.yaw = choice.choice((0, 90, 180, 270))
        dx, dz = {0: (0, 1), 90: (1, 0), 180: (0, -1), 270: (-1, 0)}[agent.yaw]
        agent.x, agent.z = max(-NEAR, min(NEAR, agent.x + dx)), max(-NEAR, min(NEAR, agent.z + dz))
        agent.stamina = max(0, min(1000, agent.stamina + choice.choice((-8, -8, 5))))
    if choice.random() < BLOCKS_PER_TICK:
        agent = world.agents[choice.randint(1, len(world.agents))]
        place, block = (agent.x, choice.randint(20, 30), agent.z), choice.choice((0, 1, 3))
        before = world.ground.block(*place)
        if before != block:
            world.ground.put(*place, block)
            scratch.block_changes.append(BlockChange(agent.id, "PLACE", place, before, block))
    if choice.random() < TALKS_PER_TICK:
        agent = world.agents[choice.randint(1, len(world.agents))]
        about: dict[str, Any] = {
            "agent": agent.id,
            "blueprint_id": "hut_small",
            "pos": agent.position,
        }
        said: dict[str, Any] = {
            "kind": "CHAT",
            "from": agent.id,
            "channel": "LOCAL",
            "text": "Good day.",
        }
        scratch.public_events.append(choice.choice((said, {"kind": "BUILT", **about})))


def cost(agents: int, ticks: int) -> tuple[float, float]:
    """Milliseconds a tick, and bytes a segment."""
    world, choice, recorder = crowd(agents), random.Random(1), Recorder()
    spent, sizes = 0.0, []
    for _ in range(ticks):
        live(world, choice)
        began = time.thread_time()
        segment = recorder.look(world, ())
        spent += time.thread_time() - began
        if segment is not None:
            sizes.append(len(segment.packed()))
    return 1000 * spent / ticks, sum(sizes) / len(sizes)


async def jumps(data: Path, keeper: TapeKeeper, world: World) -> tuple[list[float], list[float]]:
    """Milliseconds that each of many jumps to any tick took: duration, and CPU time."""
    server = Server(data, Principals(Tokens(data), loopback=Role.ADMIN))
    durable = asyncio.Event()
    durable.set()
    world_with_tape = SimpleNamespace(tape=TapeView(keeper, durable))
    server.stage.begin(cast(Any, world_with_tape))
    choice, times, used = random.Random(2), [], []
    async with listening(server, "127.0.0.1", 0) as port, aiohttp.ClientSession() as http:

        async def get(path: str) -> None:
            async with http.get(f"http://127.0.0.1:{port}{OBSERVER}{path}") as answer:
                assert answer.status == 200, (path, await answer.text())
                await answer.read()

        for _ in range(JUMPS):
            tick = choice.randint(1, world.tick - world.tick % SEGMENT_TICKS - 1)
            began, before = time.perf_counter(), time.process_time()
            await asyncio.gather(
                get(f"/tape/{tick // SEGMENT_TICKS}"),
                get(f"/marks?from=0&to={world.tick}&bins=200"),
                get(f"/ground?tick={tick}&cx=0&cz=0&r=6"),
            )
            times.append(1000 * (time.perf_counter() - began))
            used.append(1000 * (time.process_time() - before))
    return sorted(times), sorted(used)


def report(what: str, data: Path, keeper: TapeKeeper, world: World) -> None:
    times, used = asyncio.run(jumps(data, keeper, world))
    size = sum(file.stat().st_size for file in (data / "tape").iterdir()) / 1e6
    late = JUMPS * 95 // 100
    print(
        f"{what}: {size:.0f} MB; a jump takes {times[JUMPS // 2]:.0f} ms, p95 {times[late]:.0f} "
        "ms (target "
        f"{OPEN_MS}); of CPU {used[JUMPS // 2]:.0f} ms, p95 {used[late]:.0f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ticks", type=int, default=1_000_000)
    parser.add_argument("--data", type=Path, help="a data directory whose tape is complete")
    options = parser.parse_args()
    print(f"this machine: {calibration_ms():.1f} ms (reference {REFERENCE_MS} ms)")
    if options.data is not None:
        with (
            WorldService.open(
                RealDisk(), options.data / WORLD, make_world=create_world_with_towns
            ) as service,
            closing(TapeKeeper(options.data, options.data / WORLD, service.world)) as keeper,
        ):
            report(
                f"{service.world.tick} ticks in {options.data}", options.data, keeper, service.world
            )
        return
    for agents, ticks, target in ((AGENTS, 2_500, TICK_MS), (1_000, 500, CROWD_TICK_MS)):
        spent, size = cost(agents, ticks)
        print(
            f"{agents} agents: {spent:.3f} ms a tick (target {target}), {size / 1000:.1f} kB a "
            "segment"
        )
    with tempfile.TemporaryDirectory() as folder:
        data, world, choice = Path(folder), crowd(AGENTS), random.Random(1)
        (data / WORLD).mkdir()
        (data / WORLD / FILE).write_text("0123456789abcdef\n")
        # The name of a world's first journal says with which tick its tape begins.
        WorldDirectory(RealDisk(), data / WORLD).journal_path(1).touch()
        durable: Future[None] = Future()
        durable.set_result(None)
        with closing(TapeKeeper(data, data / WORLD, world)) as keeper:
            while world.tick < options.ticks:
                live(world, choice)
                keeper.look(world, (), durable)
                while keeper.waiting:  # nothing is left for later
                    time.sleep(0.001)
                if world.tick in (VILLAGE_TICKS, options.ticks):
                    report(f"{world.tick} ticks", data, keeper, world)


if __name__ == "__main__":
    main()
