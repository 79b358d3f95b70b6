"""What a chronicle costs a tick: `python bench/chronicle.py [--agents N] [--ticks N]`.

A thousand agents stand about in groups of ten. Three kinds of ticks are looked at: quiet ones; busy
ones, in which as much happens as in a market (the demo village has one happening in a hundred
ticks); and full ones, in which something happens to every agent, and the first 16 of each kind are
noticed. Also what a digest of a busy range costs, which is made in a thread of its own.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

from calibration import REFERENCE_MS, calibration_ms

from thorp.bridges.chronicle import Notice, WorldObserver
from thorp.bridges.chronicle.digest import digest
from thorp.bridges.chronicle.observer import MAX_NOTICES
from thorp.bridges.chronicle.wording import TickRange
from thorp.voxel import Agent, World, create_world

GROUP = 10
APART = 40
BUSY = 8
"""Happenings of a busy tick."""
TARGET_MS = 1.0


def crowd(agents: int) -> World:
    world = create_world(1337)
    for number in range(1, agents + 1):
        group = number // GROUP
        x, z = APART * (group % 32) + number % GROUP, APART * (group // 32)
        world.counters.agent = number
        agent = Agent(number, f"A{number}", f"agent {number}", x, 30, z, (x, z), 0, {})
        agent.attached = agent.acted = True
        world.agents.put(agent)
    return world


def happenings(world: World, choice: random.Random, count: int) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for _ in range(count):
        one, other = (world.agents[choice.randint(1, len(world.agents))] for _ in range(2))
        trade = {"kind": "TRADE", "actor": one.id, "with": other.id, "pos": one.position}
        goods = {"offer": [("PLANK", 2)], "request": [("COAL", 1)]}
        built = {"kind": "BUILT", "agent": one.id, "blueprint_id": "hut_small", "pos": one.position}
        said = {"kind": "CHAT", "from": one.id, "channel": "LOCAL", "text": "Good day."}
        made.append(
            choice.choice(
                [
                    {**trade, **goods},
                    built,
                    said,
                    {"kind": "DOWNED", "agent": one.id, "pos": one.position},
                ]
            )
        )
    return made


def measure(
    world: World, noticing: WorldObserver, ticks: int, count: int
) -> tuple[list[float], list[Notice]]:
    choice, spent, notices = random.Random(count), [], []
    for _ in range(ticks):
        world.tick += 1
        world.scratch.public_events[:] = happenings(world, choice, count)
        began = time.thread_time()
        notices += noticing.look()
        spent.append((time.thread_time() - began) * 1000)
    return spent, notices


def report(what: str, spent: list[float], target: float | None = None) -> None:
    ordered = sorted(spent)
    p50, p99 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    aim = "" if target is None else f"  (target p50 {target})"
    print(f"{what}: p50 {p50:.3f} ms, p99 {p99:.3f} ms, worst {ordered[-1]:.3f} ms of CPU{aim}")


def timed(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return (time.thread_time() - began) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--agents", type=int, default=1_000)
    parser.add_argument("--ticks", type=int, default=2_000)
    arguments = parser.parse_args()
    print(f"calibration: {calibration_ms() / REFERENCE_MS:.2f} of the reference")
    world = crowd(arguments.agents)
    noticing = WorldObserver(world)
    report("quiet tick", measure(world, noticing, arguments.ticks, 0)[0], TARGET_MS)
    spent, notices = measure(world, noticing, arguments.ticks, BUSY)
    report(f"busy tick, {BUSY} happenings", spent, TARGET_MS)
    report("full tick", measure(world, noticing, arguments.ticks // 10, arguments.agents)[0])
    told, range_of = notices[:MAX_NOTICES], TickRange(1, 1499)
    print(f"{len(told)} notices")
    spent = [
        timed(lambda: digest(range_of, told, 6000, "GEORGE", stands=lambda text: True, most=64))
        for _ in range(20)
    ]
    report("digest of a busy range, in its own thread", spent)


if __name__ == "__main__":
    main()
