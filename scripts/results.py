"""Makes `docs/results.md`: what known agents score in the voxel world, on a fixed suite of seeds.

python scripts/results.py                        # plays every match, and writes the page
python scripts/results.py --only voxel-village   # of one scenario, printed only
python scripts/results.py --seeds 3              # a quick look, printed only
python scripts/results.py --replay               # the models' games again, from what they answered
python scripts/results.py --replay 3             # of each of them so many
python scripts/results.py --minds                # the page's part about models, from rows.jsonl
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import repeat
from math import exp, log1p, sqrt
from pathlib import Path
from statistics import mean, stdev
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "examples"))

from learner import Learner  # type: ignore[import-not-found]  # noqa: E402

from thorp.arena import MatchConfig, run_match, service  # noqa: E402
from thorp.arena.contract import USUAL_MAX_TURNS, MatchTask  # noqa: E402
from thorp.arena.external import parse_seats  # noqa: E402
from thorp.bridges.voxel_bots import IdleSurvivor, RandomSurvivor, ScriptedSurvivor  # noqa: E402
from thorp.bridges.voxel_match import VoxelSurvival  # noqa: E402
from thorp.village.match import VoxelVillage  # noqa: E402
from thorp.voxel import Tuning  # noqa: E402
from thorp.voxel.achievements import IDS, TECH, score, success_rates  # noqa: E402

PAGE = ROOT / "docs/results.md"
MINDS = ROOT / "suites/minds-1"
"""What models have answered, game by game, and what came out."""
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
CURVE = (ROOT / "examples/learner.txt").read_text()
MODELS = ("base", "tuned", "improved")
MAX_TURNS = 5_000
NORMAL_95 = 1.96
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

Language models have a table of their own, on other seeds: [first below](#language-models). What bots and the embedded
model reach in the graded tasks is on [a page of its own](task-results.md).
"""

MINDS_HEAD = """## Language models

SmolLM2-135M-Instruct chooses one of at most 52 options each turn ([how it learned](minds.md)): `base` as it comes, `tuned`
after {tuned_steps} of 1,056 steps of imitation, `improved` with the adapter that is shipped. `tuned` is the same recipe cut short, **not** what
`improved` was made from. The models answered in PyTorch on an H200, in 16 bits, the likeliest letter. *Random over the same options* draws
from what the model is offered; `teacher` is the program that the model learned from, and reads what it reads; `scripted` is the scenario's bot.
No world here was trained on or used to choose a variant. Points are means with their 95 % interval; the difference is to `scripted` in the same worlds.
"""
MINDS_TAIL = """
*Legal*: the share of actions that the world took, in the games played again here. *Tokens* are those of a whole prompt, of which
178 are the same every time. *Seconds of the card* are those in which it answered, shared out over all decisions; {shared}
The shipped way, llama.cpp on a CPU, takes 0.62 CPU seconds a decision ([more](minds.md#the-same-model-by-llamacpp)).

{broken_off}

**Again, without the model**: what it answered lies in `suites/minds-1`, one letter and eight digits of the prompt's
SHA-256 a decision. `thorp match run voxel-survival --agent local --seed 50000 --replies suites/minds-1/voxel-survival-improved.jsonl.gz`
plays a game of it on any machine, and notices a prompt that is another one than was asked then. `python scripts/results.py --replay` plays
all {games} and compares their points with this page: {replay_time}.

{past_words}.

**Published** in a signed log: `thorp log audit suites/minds-1/log --key suites/minds-1/log/log.vkey` finds it whole, and
`suites/minds-1/proofs` has a proof for each file. It says what was published, not what was tried before. Its key is `{key}`.
"""


def head() -> list[str]:
    """How the page begins."""
    minutes = CURVE.splitlines()[-1].rpartition(", ")[2].removesuffix(" CPU minutes")
    return [*HEAD.format(minutes=minutes).splitlines(), ""]


def rows_of_minds() -> list[dict[str, Any]]:
    """What came out, a row for each agent and scenario."""
    return [json.loads(line) for line in (MINDS / "rows.jsonl").read_text().splitlines()]


def normal(scores: list[float], sign: str = "") -> str:
    """The mean of many games, and its 95 % interval."""
    reach = NORMAL_95 * stdev(scores) / sqrt(len(scores))
    return f"{mean(scores):{sign}.1f} ± {reach:.1f}".replace("-", "−")


def minds_table(scenario: str, rows: list[dict[str, Any]]) -> Iterator[str]:
    """What models did in a scenario, beside agents that are none."""
    (bot,) = (row for row in rows if (row["scenario"], row["agent"]) == (scenario, "scripted"))
    count = len(bot["points"])
    first = bot["first_seed"]
    _, _, achievements = SUITES[scenario]
    yield f"### {scenario}, 6,000 ticks, worlds {first:,} to {first + count - 1:,}"
    yield ""
    yield "| agent | points | difference | S | decisions a game | legal | tokens | ms of the card |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in rows:
        if row["scenario"] != scenario:
            continue
        gaps = [mine - its for mine, its in zip(row["points"], bot["points"], strict=True)]
        rates = {each: 100 * row["unlocked"].get(each, 0) / count for each in achievements}
        decisions = sum(row["decisions"])
        card = f"{1000 * row['gpu_seconds'] / decisions:.1f}" if "gpu_seconds" in row else ""
        cells = (
            f"**{row['agent']}**" if row["agent"] in MODELS else row["agent"],
            normal(row["points"]),
            "" if row is bot else normal(gaps, "+"),
            f"{score_of(rates):.1f}",
            f"{decisions / count:.0f}",
            f"{row['legal']:.1%}".replace("%", " %") if "legal" in row else "",
            f"{row['tokens']:.0f}" if "tokens" in row else "",
            card,
        )
        yield f"| {' | '.join(cells)} |"
    yield ""


def score_of(rates: dict[str, float]) -> float:
    """Crafter's score of success rates in percent."""
    return exp(mean(log1p(rate) for rate in rates.values())) - 1


def minds_page() -> list[str]:
    """The page's part about models."""
    rows = rows_of_minds()
    about = json.loads((MINDS / "about.json").read_text())
    about["key"] = (MINDS / "log/log.vkey").read_text().strip()
    lines = [*MINDS_HEAD.format(**about).splitlines(), ""]
    for scenario in SUITES:
        lines += minds_table(scenario, rows)
    return [*lines, about["village_random"], *MINDS_TAIL.format(**about).splitlines(), ""]


def replay(job: tuple[str, int]) -> tuple[str, int, float, list[str]]:
    """Play one recorded game again: its name and seed, its points, and what went wrong."""
    name, seed = job
    path = MINDS / f"{name}.jsonl.gz"
    scenario, _, _ = name.rpartition("-")
    asked = MatchTask(scenario, parse_seats(["local"]), seed, USUAL_MAX_TURNS)
    task, replies = service.replayed_match(asked, path)
    result = service.play(task, replies)
    failed = [event["message"] for event in result.events if event["type"] == "AgentError"]
    return name, seed, sum(result.scores.values()), failed


def replay_all(most: int, processes: int | None) -> int:
    """Play recorded games again, so many of each file; return how many are not what they were."""
    began = time.monotonic()
    wanted = {}
    past = json.loads((MINDS / "about.json").read_text())["past"]
    for row in rows_of_minds():
        name = f"{row['scenario']}-{row['agent']}"
        if row["scenario"] in past:
            print(f"{name}: of a world that has changed since, passed by")
        elif (MINDS / f"{name}.jsonl.gz").exists():
            for number, points in enumerate(row["points"][: most or None]):
                wanted[name, row["first_seed"] + number] = points
    wrong = 0
    with ProcessPoolExecutor(processes) as pool:
        for name, seed, points, failed in pool.map(replay, wanted):
            if failed or points != wanted[name, seed]:
                wrong += 1
                why = failed[0] if failed else "other points"
                print(f"{name} {seed}: {points:g}, not {wanted[name, seed]}: {why}", flush=True)
    seconds = time.monotonic() - began
    print(f"{len(wanted) - wrong} of {len(wanted)} games as they were, in {seconds:.0f} s")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description="Play the suites; write docs/results.md.")
    parser.add_argument("--replay", type=int, nargs="?", const=0, help="models' games, or so many")
    parser.add_argument("--minds", action="store_true", help="only the part about models")
    parser.add_argument("--seeds", type=int, help="only so many, and print instead of writing")
    parser.add_argument("--processes", type=int, help="as many as there are cores by default")
    parser.add_argument("--only", choices=SUITES, help="one of the scenarios")
    chosen = parser.parse_args()
    if chosen.replay is not None:
        sys.exit(1 if replay_all(chosen.replay, chosen.processes) else 0)
    if chosen.minds:
        first = f"## {next(iter(SUITES))}\n"
        rest = PAGE.read_text().partition(f"\n{first}")[2]
        PAGE.write_text("\n".join([*head(), *minds_page(), first]) + rest)
        return
    page = [*head(), *minds_page()]
    with ProcessPoolExecutor(chosen.processes) as pool:
        names = [chosen.only] if chosen.only else list(SUITES)
        seeds = {name: range(1, (chosen.seeds or SUITES[name][1]) + 1) for name in names}
        rows = {name: pool.map(play, repeat(name), AGENTS, repeat(seeds[name])) for name in names}
        for name in names:
            page += table(name, seeds[name], rows[name])
    page += ["## How the learner learned", "", "```", *CURVE.splitlines(), "```", ""]
    if chosen.seeds is None and chosen.only is None:
        PAGE.write_text("\n".join(page))


if __name__ == "__main__":
    main()
