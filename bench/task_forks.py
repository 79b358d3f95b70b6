"""How fast a state forks: `python bench/task_forks.py [--village]`.

A lone world of a task is cloned, and opened from a Start, by replay and from the cache. With
`--village` a village of 24 is played to the morning of its third day, which takes a minute, and
forked with its process: the time until a branch has begun, and whether branches and the parent have
one digest 100 turns later, with equal acts.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from thorp.env import World
from thorp.tasks import Episode, Start, Starts, Suite, Task, start_of
from thorp.village.match import VillageWorld
from thorp.workers.forks import run_forked

ROUNDS = 50
TURNS = 10
VILLAGE_TURNS = 100
SETTLED_DAYS = 2


def task() -> Task:
    """A task in a lone world."""
    return Task(
        id="bench-logs",
        family="live",
        difficulty=1,
        title="Gather logs",
        engine="world",
        prompt="Gather 99 logs.",
        goal={"have": {"LOG": 99}},
        max_turns=100,
    ).sealed()


def median_ms(call: Callable[[], object]) -> float:
    """The median time of a call."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times)


def measure_lone() -> None:
    """Clone an episode in a world of one, and open its Start."""
    suite = Suite("bench", [task()], [])
    episode = Episode(suite.task("bench-logs"), 1)
    for _ in range(TURNS):
        episode.act({"action": "mine_nearest", "block": "LOG"})
    start = start_of(episode)
    starts = Starts(suite)
    starts.open(start)
    unkept: Callable[[Start], Episode] = lambda named: Starts(suite).open(named)  # noqa: E731
    print(f"a lone world after {TURNS} turns")
    print(f"  clone                {median_ms(episode.clone):8.2f} ms   at most 2 ms")
    print(f"  open, from the cache {median_ms(lambda: starts.open(start)):8.2f} ms")
    print(f"  open, by replay      {median_ms(lambda: unkept(start)):8.2f} ms")
    print(f"  digest               {median_ms(episode.digest):8.2f} ms")


def walk(world: World, turns: int) -> str:
    """Let an agent walk to and fro among the villagers; return the digest after it."""
    (agent_id,) = world.dones
    for turn in range(turns):
        target = [12 if turn % 20 < 10 else -12, 22, 5]
        world.step({agent_id: {"tasks": [{"type": "MOVE_TO", "target": target, "tolerance": 1.5}]}})
    return world.digest()


def measure_village() -> None:
    """Fork a village on its third morning."""
    world = VillageWorld(1, settled_days=SETTLED_DAYS, busy_ticks=50)
    began = time.perf_counter()
    world.reset()
    print(f"a village of 24 on its third morning, after {time.perf_counter() - began:.0f} s")
    forks = median_ms(lambda: list(run_forked([lambda: b""])))
    print(f"  fork, and its end    {forks:8.2f} ms   at most 50 ms")
    branches = list(run_forked([lambda: walk(world, VILLAGE_TURNS).encode()] * 3, alive=2))
    digests = {branch.decode() for branch in branches} | {walk(world, VILLAGE_TURNS)}
    print(f"  digests of 3 branches and the parent, {VILLAGE_TURNS} turns later: {len(digests)}")


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--village", action="store_true")
    given = parser.parse_args()
    measure_lone()
    if given.village:
        measure_village()


if __name__ == "__main__":
    main()
