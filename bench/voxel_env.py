"""How fast the world is in process: `python bench/voxel_env.py [--beside crafter pettingzoo]`.

`reset` makes a world and lets agents join, `again` does so once more; `step` executes a tick and
gives everyone's observation, as dicts of the wire or as arrays. Medians in CPU time, and as they
would be at the speed of the reference machine.

Then agent-steps for each second of CPU, of agents that choose at random what the mask allows, with
arrays; in the same run, turn by turn, those of Crafter (`pip install crafter==1.8.3`) and of a
PettingZoo game (knights, archers, zombies; `pip install pettingzoo pygame`), if they are asked for.

Last, many small worlds in one process and in two: in real time, which tells something only while
nothing else runs, and in the CPU time of all processes together, of which more processes should not
need more. `--only spread` measures only this.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from calibration import REFERENCE_MS, calibration_ms

import thorp.env
from thorp.env import Worlds

ROUNDS = 9
STEPS = 100
# Of one turn in the comparison, and how many turns each has.
TURN_STEPS = 300
TURNS = 5
AGENTS = 8
# Many small worlds: the more there are, the less one process waits for the other.
WORLDS, SETTLERS = 64, 4
SPREAD_STEPS, SPREAD_TURNS = 5, 120


def acts(tick: int, agents: int) -> dict[str, dict[str, object]]:
    """Everyone walks to and fro."""
    move = {"type": "MOVE_TO", "target": [12 if tick % 40 < 20 else -12, 22, 5], "tolerance": 1.5}
    return (
        {f"A{number}": {"tasks": [move]} for number in range(1, agents + 1)}
        if tick % 20 == 0
        else {}
    )


def measure_world(slowness: float) -> None:
    seeds = itertools.count()
    for arrays in (False, True):
        for agents in (1, 10, 100):
            thorp.env.World(next(seeds), agents, arrays=arrays).reset()
            resets, again, steps = list[float](), list[float](), list[float]()
            for seed in itertools.islice(seeds, ROUNDS):
                env = thorp.env.World(seed, agents, arrays=arrays)
                for times in (resets, again):
                    began = time.process_time()
                    env.reset()
                    times.append((time.process_time() - began) * 1000)
                began = time.process_time()
                for tick in range(STEPS):
                    env.step(acts(tick, agents))
                steps.append((time.process_time() - began) * 1000 / STEPS)
            for what, times in (("reset", resets), ("again", again), ("step", steps)):
                middle = statistics.median(times)
                shown = f"{agents:>4} agents, {'arrays' if arrays else 'wire'}, {what:<6}"
                print(f"{shown}{middle:>9.2f} ms CPU   (calibrated {middle / slowness:.2f})")


def chosen(mask: Any) -> int:
    """A random action that the mask allows."""
    allowed = mask.tobytes()
    number = random.randrange(len(allowed))
    while not allowed[number]:
        number = random.randrange(len(allowed))
    return number


def thorp_turn(agents: int) -> Callable[[], int]:
    env = thorp.env.World(7, agents, arrays=True)
    seen = env.reset()

    def turn() -> int:
        nonlocal seen
        for _ in range(TURN_STEPS):
            seen = env.step({name: chosen(obs["action_mask"]) for name, obs in seen.items()})
        return TURN_STEPS * agents

    return turn


def crafter_turn() -> Callable[[], int]:
    import crafter

    env = crafter.Env(seed=7)
    env.reset()

    def turn() -> int:
        for _ in range(TURN_STEPS):
            if env.step(random.randrange(17))[2]:
                env.reset()
        return TURN_STEPS

    return turn


def pettingzoo_turn() -> Callable[[], int]:
    from pettingzoo.butterfly import knights_archers_zombies_v11

    env = knights_archers_zombies_v11.parallel_env()
    env.reset(seed=7)

    def turn() -> int:
        steps = 0
        for _ in range(TURN_STEPS):
            if not env.agents:
                env.reset()
            steps += len(env.agents)
            env.step({name: env.action_space(name).sample() for name in env.agents})
        return steps

    return turn


BESIDE = {"crafter": crafter_turn, "pettingzoo": pettingzoo_turn}


def compare(beside: list[str]) -> None:
    """Turn by turn, so that what else the machine does slows all alike; the median of the turns."""
    turns = {"thorp, 1 agent": thorp_turn(1), f"thorp, {AGENTS} agents": thorp_turn(AGENTS)}
    turns |= {name: BESIDE[name]() for name in beside}
    rates: dict[str, list[float]] = {name: [] for name in turns}
    for _ in range(TURNS):
        for name, turn in turns.items():
            began = time.process_time()
            steps = turn()
            rates[name].append(steps / (time.process_time() - began))
    first = statistics.median(rates["thorp, 1 agent"])
    for name, each in rates.items():
        rate = statistics.median(each)
        print(
            f"{name:<20}{rate:>9,.0f} agent-steps for a second of CPU   (thorp: "
            f"{first / rate:.1f} ×)"
        )


def cpu_seconds(worlds: Worlds) -> float:
    """Of this process and of those that step with it."""
    pids = [process.pid for process in worlds._processes]
    others = [Path(f"/proc/{pid}/schedstat").read_text().split()[0] for pid in pids]
    return time.process_time() + sum(map(int, others)) / 1e9


def spread() -> None:
    """Both turn by turn in short turns, of which the fastest was disturbed least; the CPU time of
    the median. The first turns warm up."""
    draw = np.random.default_rng(7)
    with ExitStack() as stack:
        runs = {
            count: stack.enter_context(Worlds(range(WORLDS), SETTLERS, processes=count))
            for count in (1, 2)
        }
        seen = {count: worlds.reset() for count, worlds in runs.items()}
        walls, cpus = defaultdict[int, list[float]](list), defaultdict[int, list[float]](list)
        for turn in range(SPREAD_TURNS):
            for count, worlds in runs.items():
                used, began = cpu_seconds(worlds), time.perf_counter()
                for _ in range(SPREAD_STEPS):
                    mask = seen[count]["action_mask"]
                    seen[count] = worlds.step(
                        (draw.random(mask.shape, np.float32) * mask).argmax(axis=-1)
                    )
                if turn >= SPREAD_TURNS // 5:
                    walls[count].append(time.perf_counter() - began)
                    cpus[count].append(cpu_seconds(worlds) - used)
    steps = SPREAD_STEPS * WORLDS * SETTLERS
    print(f"{WORLDS} worlds of {SETTLERS} agents, load average {os.getloadavg()[0]:.1f}:")
    for count in runs:
        fast, rate = min(walls[1]) / min(walls[count]), steps / min(walls[count])
        needed = statistics.median(cpus[count]) * 1e6 / steps
        told = f"{rate:,.0f} agent-steps a second ({fast:.2f} ×), {needed:.0f} µs of CPU each"
        print(f"  {count} process(es): {told}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--beside", nargs="*", default=[], choices=sorted(BESIDE))
    parser.add_argument("--only", choices=["spread"])
    options = parser.parse_args()
    if not options.only:
        slowness = calibration_ms() / REFERENCE_MS
        print(f"calibration: {slowness:.2f} × the time of the reference machine")
        measure_world(slowness)
        compare(options.beside)
    spread()


if __name__ == "__main__":
    main()
