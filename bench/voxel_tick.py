"""Headless ticks: agents walk about, and an OBS is built and written for each. CPU time, by phase.

python bench/voxel_tick.py [--agents 50 200 1000] [--ticks 300]
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections import defaultdict
from itertools import pairwise

from calibration import REFERENCE_MS, calibration_ms

from thorp.protocol.act import Act
from thorp.protocol.actions import Mine, MoveTo, Place
from thorp.voxel import tick as ticking
from thorp.voxel.acting import apply_act
from thorp.voxel.found import found
from thorp.voxel.inputs import Acted, Join
from thorp.voxel.observe import compose
from thorp.voxel.session import Session
from thorp.voxel.world import World

WARM_UP_TICKS = 30
STEP = 12


def wishes(world: World, working: bool) -> list[Acted]:
    """Everyone who stands about is sent somewhere near; workers also dig."""
    acts = []
    for agent in world.agents:
        tasks = []
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


def run(count: int, ticks: int, *, delta: bool, working: bool) -> None:
    world = found(7)
    ticking.step(world, [Join(f"bench{number}", "00") for number in range(count)])
    sessions = [Session(agent.number, delta=delta) for agent in world.agents]
    phases: defaultdict[str, list[float]] = defaultdict(list)
    totals, sizes = [], []
    gc.collect()
    gc.freeze()
    gc.disable()
    slowness = []
    for number in range(WARM_UP_TICKS + ticks):
        acts = wishes(world, working)
        marks = [("", time.process_time())]

        def mark(name: str, marks: list[tuple[str, float]] = marks) -> None:
            marks.append((name, time.process_time()))

        world.tick += 1
        world.ground.changes.clear()
        world.audit.clear()
        for entry in acts:
            apply_act(world, world.agents[entry.agent], entry.act)
        mark("acts")
        for name, system in ticking.SYSTEMS:
            system(world)
            mark(name)
        world.digest()
        mark("digest")
        compose(world, sessions)
        mark("observe")
        frames = [session.take() for session in sessions]
        mark("take")
        gc.collect(0)
        if number >= WARM_UP_TICKS:
            totals.append(1000 * (marks[-1][1] - marks[0][1]))
            sizes.extend(len(frame or b"") for frame in frames)
            for (_, before), (name, after) in pairwise(marks):
                phases[name].append(1000 * (after - before))
            if number % 20 == 0:
                slowness.append(calibration_ms() / REFERENCE_MS)
    gc.enable()
    scale = statistics.median(slowness) if slowness else 1.0
    kind = ("working" if working else "walking") + (" delta" if delta else "")
    middle, late = statistics.median(totals), sorted(totals)[int(len(totals) * 0.99)]
    print(
        f"{count:5d} agents {kind:13s} median {middle:7.2f} ms, p99 {late:7.2f} ms"
        f" (calibrated {middle / scale:7.2f}, {late / scale:7.2f}); OBS {statistics.mean(sizes):,.0f} B"
    )
    slow = sorted(phases.items(), key=lambda entry: -sum(entry[1]))
    print(
        "      " + ", ".join(f"{name} {statistics.mean(times):.2f}" for name, times in slow[:8]), flush=True
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--agents", type=int, nargs="*", default=[1, 10, 50, 200, 1000])
    options.add_argument("--ticks", type=int, default=300)
    chosen = options.parse_args()
    for count in chosen.agents:
        run(count, chosen.ticks, delta=False, working=False)
    run(200, chosen.ticks, delta=True, working=True)


if __name__ == "__main__":
    main()
