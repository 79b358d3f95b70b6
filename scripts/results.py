"""Makes `docs/results.md`: what known agents score in the voxel world, on a fixed suite of seeds.

python scripts/results.py                        # plays every match, and writes the page
python scripts/results.py --only voxel-village   # of one scenario, printed only
python scripts/results.py --seeds 3              # a quick look, printed only
"""

import argparse
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import repeat
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "examples"))

from learner import Learner  # type: ignore[import-not-found]  # noqa: E402

from thorp.arena import MatchConfig, run_match  # noqa: E402
from thorp.bridges.voxel_bots import IdleSurvivor, RandomSurvivor, ScriptedSurvivor  # noqa: E402
from thorp.bridges.voxel_match import VoxelSurvival  # noqa: E402
from thorp.village.match import VoxelVillage  # noqa: E402
from thorp.voxel import Tuning  # noqa: E402
from thorp.voxel.achievements import IDS, TECH, score, success_rates  # noqa: E402

PAGE = ROOT / "docs/results.md"
AGENTS: dict[str, Any] = {
    "idle": IdleSurvivor,
    "random": RandomSurvivor,
    "learner": Learner,
    "scripted": ScriptedSurvivor,
}
SUITES: dict[str, Any] = {
    "voxel-survival": (VoxelSurvival, 30, TECH),
    "voxel-village": (partial(VoxelVillage, ticks=1_200, settled_days=0), 5, IDS),
}
"""Each scenario, how many seeds it has (1, 2, 3, …), and the achievements that S is of."""
MAX_TURNS = 5_000
# Two-sided, 95 %, by degrees of freedom; for more of them 2 is near enough.
STUDENT = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 9: 2.26, 19: 2.09, 29: 2.05}


def interval(scores: list[float]) -> str:
    """The mean, and how far off it may be."""
    if len(scores) < 2:
        return f"{mean(scores):.1f}"
    reach = STUDENT.get(len(scores) - 1, 2.0) * stdev(scores) / sqrt(len(scores))
    return f"{mean(scores):.1f} ± {reach:.1f}"


def play(name: str, agent: str, seeds: range) -> str:
    """Play an agent's matches; return its row of the table."""
    scenario, _, achievements = SUITES[name]
    scores, unlocked, ticks, began = [], [], 0, time.process_time()
    for seed in seeds:
        config = MatchConfig(seed=seed, max_turns=MAX_TURNS)
        result = run_match(scenario(), [AGENTS[agent]("agent")], config)
        last = next(event for event in reversed(result.events) if "summary" in event)["summary"]
        scores.append(result.scores["agent"])
        unlocked.append(set(last["achievements"]))
        ticks += last["tick"]
    seconds = (time.process_time() - began) / len(seeds)
    real_seconds = ticks / Tuning().tick_rate_hz / len(seeds)
    rates = sorted(success_rates(unlocked, achievements).items(), key=lambda each: -each[1])
    common = ", ".join(f"{one} {rate:.0f} %" for one, rate in rates[:6] if rate) or "–"
    told = [interval(scores), f"{score(unlocked, achievements):.1f}", common, f"{seconds:.1f}"]
    return f"| {agent} | {' | '.join(told)} | {real_seconds / seconds:.0f} |"


def table(name: str, seeds: range, rows: Iterator[str]) -> list[str]:
    lines = [
        f"## {name}",
        "",
        f"Seeds 1 to {len(seeds)}. {INTRODUCTIONS[name]}",
        "",
        "| agent | points | S | most often unlocked | CPU seconds a match | × real time |",
        "|---|---|---|---|---|---|",
    ]
    for row in rows:
        print(row, flush=True)
        lines.append(row)
    return [*lines, ""]


INTRODUCTIONS = {
    "voxel-survival": "Points with their 95 % interval; S is Crafter's score, of the tech tree.",
    "voxel-village": "Among 24 villagers who are founding their village, for its first 1,200 ticks "
    "(`--set ticks=1200 --set settled_days=0`); points with what others gained, and S of all "
    "achievements. "
    "Everyone begins with some goods there, which the learner has never seen.",
}

HEAD = """# Results

What known agents score in the two scenarios of the [voxel world](scenarios.md#voxel-survival). Anyone
can repeat it: `python scripts/results.py` plays every match and writes this page; the points are the
same on every machine, the seconds are not: of one core, and how many times faster than in real time its
ticks were, those before the agent came included. `idle` does nothing, `random` anything that is possible,
`scripted` follows a list, and `learner` is a policy trained by `examples/learner.py` in `thorp.env` on
other seeds: the cross-entropy method, {minutes} CPU minutes.

**Not yet run with a real model.** `thorp match run voxel-survival --agent model:NAME` does it, and
[`thorp bots --agent model:NAME`](models.md) lets one live in a served world.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Play the suites; write docs/results.md.")
    parser.add_argument("--seeds", type=int, help="only so many, and print instead of writing")
    parser.add_argument("--processes", type=int, help="as many as there are cores by default")
    parser.add_argument("--only", choices=SUITES, help="one of the scenarios")
    chosen = parser.parse_args()
    curve = (ROOT / "examples/learner.txt").read_text()
    minutes = curve.splitlines()[-1].rpartition(", ")[2].removesuffix(" CPU minutes")
    page = [*HEAD.format(minutes=minutes).splitlines(), ""]
    with ProcessPoolExecutor(chosen.processes) as pool:
        names = [chosen.only] if chosen.only else list(SUITES)
        seeds = {name: range(1, (chosen.seeds or SUITES[name][1]) + 1) for name in names}
        rows = {name: pool.map(play, repeat(name), AGENTS, repeat(seeds[name])) for name in names}
        for name in names:
            page += table(name, seeds[name], rows[name])
    page += ["## How the learner learned", "", "```", *curve.splitlines(), "```", ""]
    if chosen.seeds is None and chosen.only is None:
        PAGE.write_text("\n".join(page))


if __name__ == "__main__":
    main()
