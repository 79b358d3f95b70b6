"""Makes `docs/results.md`: what known agents score in the voxel world, on a fixed suite of seeds.

python scripts/results.py                        # plays every match, and writes the page
python scripts/results.py --only voxel-survival  # of one scenario
python scripts/results.py --seeds 3              # a quick look, printed only
"""

import argparse
import sys
import time
from math import sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "examples"))

from learner import Learner  # type: ignore[import-not-found]  # noqa: E402

from thorp.arena import MatchConfig, run_match  # noqa: E402
from thorp.bridges.voxel_bots import IdleSurvivor, RandomSurvivor, ScriptedSurvivor  # noqa: E402
from thorp.bridges.voxel_match import VoxelSurvival, VoxelVillage  # noqa: E402
from thorp.voxel.achievements import TECH, score, success_rates  # noqa: E402

PAGE = ROOT / "docs/results.md"
AGENTS: dict[str, Any] = {
    "idle": IdleSurvivor,
    "random": RandomSurvivor,
    "learner": Learner,
    "scripted": ScriptedSurvivor,
}
SUITES = {"voxel-survival": (VoxelSurvival, 30), "voxel-village": (VoxelVillage, 3)}
"""Each scenario, and how many seeds it has: 1, 2, 3, …"""
MAX_TURNS = 5_000
# Two-sided, 95 %, by degrees of freedom; for more of them 2 is near enough.
STUDENT = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 9: 2.26, 19: 2.09, 29: 2.05}


def interval(scores: list[float]) -> str:
    """The mean, and how far off it may be."""
    if len(scores) < 2:
        return f"{mean(scores):.1f}"
    reach = STUDENT.get(len(scores) - 1, 2.0) * stdev(scores) / sqrt(len(scores))
    return f"{mean(scores):.1f} ± {reach:.1f}"


def play(scenario: Any, make: Any, seeds: range) -> tuple[list[float], list[set[str]], float]:
    """The scores, what was unlocked, and the CPU seconds of one match."""
    scores, unlocked, began = [], [], time.process_time()
    for seed in seeds:
        result = run_match(scenario(), [make("agent")], MatchConfig(seed=seed, max_turns=MAX_TURNS))
        last = next(event for event in reversed(result.events) if "summary" in event)
        scores.append(result.scores["agent"])
        unlocked.append(set(last["summary"]["achievements"]))
    return scores, unlocked, (time.process_time() - began) / len(seeds)


def table(name: str, count: int | None) -> list[str]:
    scenario, usual = SUITES[name]
    seeds = range(1, (count or usual) + 1)
    lines = [
        f"## {name}",
        "",
        f"Seeds 1 to {len(seeds)}. Points with their 95 % interval; S is Crafter's score.",
        "",
        "| agent | points | S | most often unlocked of the tech tree | CPU seconds a match |",
        "|---|---|---|---|---|",
    ]
    for agent, make in AGENTS.items():
        scores, unlocked, seconds = play(scenario, make, seeds)
        rates = {one: rate for one, rate in success_rates(unlocked, TECH).items() if rate}
        common = ", ".join(
            f"{one} {rate:.0f} %" for one, rate in sorted(rates.items(), key=lambda each: -each[1])[:6]
        )
        crafter = f"{score(unlocked, TECH):.1f}"
        lines.append(f"| {agent} | {interval(scores)} | {crafter} | {common or '–'} | {seconds:.1f} |")
        print(lines[-1], flush=True)
    return [*lines, ""]


HEAD = """# Results

What known agents score in the two scenarios of the [voxel world](scenarios.md#voxel-survival). Anyone
can repeat it: `python scripts/results.py` plays every match and writes this page; the points are the
same on every machine, the seconds are not. `idle` does nothing, `random` anything that is possible,
`scripted` follows a list, and `learner` is a policy trained by `examples/learner.py` in `thorp.env` on
other seeds: the cross-entropy method, {minutes} CPU minutes.

**Not yet run with a real model.** `thorp match run voxel-survival --agent model:NAME` does it, and
[`thorp bots --agent model:NAME`](models.md) lets one live in a served world.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description="Play the suites; write docs/results.md.")
    parser.add_argument("--seeds", type=int, help="only so many, and print instead of writing")
    parser.add_argument("--only", choices=SUITES, help="one of the scenarios")
    chosen = parser.parse_args()
    curve = (ROOT / "examples/learner.txt").read_text()
    minutes = curve.splitlines()[-1].rpartition(", ")[2].removesuffix(" CPU minutes")
    page = [*HEAD.format(minutes=minutes).splitlines(), ""]
    for name in [chosen.only] if chosen.only else SUITES:
        page += table(name, chosen.seeds)
    page += ["## How the learner learned", "", "```", *curve.splitlines(), "```", ""]
    if chosen.seeds is None:
        PAGE.write_text("\n".join(page))


if __name__ == "__main__":
    main()
