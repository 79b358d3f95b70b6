"""How long a world takes to come back: `python bench/voxel_restart.py [--agents 1000] [--chunks
5000]`.

Prints what a snapshot costs the tick it is taken in, what packing it costs in the background, and
the restart of a world of that size; then how much faster than real time a journal of 100 agents is
executed again.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import msgspec
from calibration import REFERENCE_MS, calibration_ms

from thorp.simulator.crowd import Crowd
from thorp.store import RealDisk
from thorp.voxel import Join, Tuning, World, WorldService, create_world, step
from thorp.voxel.persistence.record import RULES, Epoch
from thorp.voxel.persistence.replay import History
from thorp.voxel.persistence.snapshot import encode_state, pack, pack_chunks, restore
from thorp.voxel.service import REST_S
from thorp.voxel.state.agent import KEPT_EVENTS

SPACING = 16
REPLAYED_AGENTS = 100
REPLAYED_TICKS = 1_000


def measured(what: str, work: Callable[[], object], rounds: int = 1) -> float:
    """Run and print the best of several rounds, in seconds of this thread's CPU and of wall
    time."""
    cpus, walls = [], []
    for _ in range(rounds):
        cpu, wall = time.thread_time(), time.perf_counter()
        work()
        cpus.append(time.thread_time() - cpu)
        walls.append(time.perf_counter() - wall)
    print(f"{what:<58}{min(cpus) * 1000:>9.1f} ms CPU{min(walls) * 1000:>9.1f} ms wall")
    return min(walls)


def touch_chunks(world: World, count: int) -> None:
    """Change a block in each of `count` chunks around the middle."""
    side = int(count**0.5) + 1
    for number in range(count):
        cx, cz = number % side - side // 2, number // side - side // 2
        world.ground.put(cx * 16 + 3, 40, cz * 16 + 5, world.catalogs.block_number["BRICK"])


def fill_rings(world: World) -> None:
    for agent in world.agents:
        for number in range(KEPT_EVENTS):
            fields: dict[str, Any] = {
                "from": agent.id,
                "channel": "LOCAL",
                "text": f"message {number}",
            }
            world.emit(agent, "CHAT", **fields)


def bench_snapshot(agents: int, chunks: int) -> None:
    world = create_world(7, 8, Tuning(population_cap=100_000))
    step(world, [Join(f"agent {number}", "00" * 32) for number in range(agents)])
    touch_chunks(world, chunks)
    epoch = Epoch(
        rules=RULES, catalogs=world.catalogs.digest(), seed=7, draw_seed=8, tuning=world.tuning
    )
    digest = world.digest()
    print(f"{agents} agents, {chunks} touched chunks, rings empty")
    measured("  copy the state (in the tick)", lambda: encode_state(world, epoch, digest), rounds=5)
    fill_rings(world)
    digest = world.digest()
    print(f"{agents} agents, {chunks} touched chunks, {KEPT_EVENTS} events an agent")
    measured("  copy the state (in the tick)", lambda: encode_state(world, epoch, digest), rounds=5)
    state = encode_state(world, epoch, digest)
    packed = pack_chunks(state)
    measured("  pack its chunks (in a thread)", lambda: pack_chunks(state))
    measured("  pack the rest (in a thread)", lambda: pack(packed))
    world.ground.adopt(packed.chunks, packed.edits)
    measured(
        "  copy the state again, nothing touched since",
        lambda: encode_state(world, epoch, digest),
        rounds=5,
    )
    longest = longest_pause_beside(lambda: pack(pack_chunks(state, rest=rest), rest=rest))
    print(f"  {'longest pause of another thread meanwhile':<56}{longest * 1000:>9.1f} ms wall")
    data = pack(packed)
    print(f"  {'size':<56}{len(data) / 1e6:>9.1f} MB")
    measured("  restore and compare the digest", lambda: restore(data, create_world))


def rest() -> None:
    time.sleep(REST_S)


def longest_pause_beside(work: Callable[[], object]) -> float:
    """How long a thread that wants the interpreter every 2 ms had to wait for it at most."""
    thread = threading.Thread(target=work)
    longest = 0.0
    thread.start()
    while thread.is_alive():
        before = time.perf_counter()
        time.sleep(0.002)
        longest = max(longest, time.perf_counter() - before - 0.002)
    return longest


def bench_restart(agents: int, chunks: int, directory: Path) -> None:
    service = WorldService.open(RealDisk(), directory, seed=7, draw_seed=8)
    service.tick([Join(f"agent {number}", "00" * 32) for number in range(agents)]).result()
    touch_chunks(service.world, chunks)
    fill_rings(service.world)
    service.close()
    del service

    def restart() -> None:
        opened = WorldService.open(RealDisk(), directory)
        opened.tick([]).result()
        opened.close(snapshot=False)

    seconds = measured("  restart, first tick included", restart)
    assert seconds < 60


def bench_replay(directory: Path) -> None:
    crowd = Crowd(1, REPLAYED_AGENTS, busy=0.2, faults=0.0)
    tuning = msgspec.structs.replace(Tuning(), snapshot_every_ticks=10_000_000)
    with WorldService.open(RealDisk(), directory, seed=7, draw_seed=8, tuning=tuning) as service:
        for _ in range(REPLAYED_TICKS):
            service.tick(crowd.inputs(service.world)).result()
        service.close(snapshot=False)
    real = REPLAYED_TICKS / tuning.tick_rate_hz
    for every, name in (
        (50, "recovery: every 50th digest compared"),
        (1, "verify: every digest compared"),
    ):
        seconds = measured(
            f"  {REPLAYED_TICKS} ticks; {name}",
            lambda every=every: History.begin(RealDisk(), directory, create_world).go(
                check_every=every
            ),  # type: ignore[misc]
        )
        print(f"  {real / seconds:>64.0f} × real time")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", type=int, default=1000)
    parser.add_argument("--chunks", type=int, default=5000)
    options = parser.parse_args()
    print(
        f"calibration: {calibration_ms() / REFERENCE_MS:.2f} × the reference machine, 1 is as fast"
    )
    bench_snapshot(options.agents, options.chunks)
    with tempfile.TemporaryDirectory() as directory:
        bench_restart(options.agents, options.chunks, Path(directory) / "restart")
        print(f"replay of {REPLAYED_AGENTS} agents")
        bench_replay(Path(directory) / "replay")


if __name__ == "__main__":
    main()
