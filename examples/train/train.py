"""Teach the embedded model to live: `collect`, `tune`, `improve`, `reinforce`, `evaluate`, `export`.

    python train.py collect   RUN
    python train.py tune      RUN --base MODEL.gguf
    python train.py improve   RUN --base MODEL.gguf
    python train.py reinforce RUN --base MODEL.gguf
    python train.py evaluate  RUN --base MODEL.gguf --state improved-2.pt
    python train.py export    RUN --base MODEL.gguf --state improved-2.pt --out adapter.gguf

Each step reads what the one before has left in the folder RUN. A step that was interrupted goes on
where it was. README.md says what each does, and what came out.
"""

import argparse
import math
import os
import random
import statistics
import time
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from games import (
    SCENARIOS,
    SURVIVAL,
    Branch,
    Branching,
    Limits,
    Policy,
    Question,
    Result,
    Setting,
    play_scripted,
    random_letter,
    tables,
)
from run_files import Run

from thorp.arena.registry import scenario_parameters
from thorp.mind import RULES
from thorp.models.recorded_choices import (
    RecordedGame,
    RecordedGames,
    header_of,
    prompt_digits,
)

# Seeds of worlds, by what they are for. No two purposes share one.
COLLECT_SEEDS: Final = 10_000
IMPROVE_SEEDS: Final = 20_000
REINFORCE_SEEDS: Final = 40_000
CHOOSE_SEEDS: Final = 30_000  # Variants are compared on these.
REPORT_SEEDS: Final = 50_000  # What is published is measured on these alone.
# After so many rounds only games are left that stand still: nothing new is learnt from them. They
# count as they stand.
ASKING: Final = Limits(rounds=420)
MOST_ALONE: Final = 280  # A game that is not stuck has so many decisions: it forks before its end.
NORMAL_95: Final = 1.96


def main() -> None:
    """Run one step."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("run", type=Path)
    parser.add_argument("--base", type=Path, help="the base model, a GGUF")
    parser.add_argument("--games", type=int, default=400, help="games that are collected")
    parser.add_argument("--rounds", type=int, default=2, help="rounds of improvement")
    parser.add_argument("--round-games", type=int, default=200, help="games of each round")
    parser.add_argument("--steps", type=int, default=4, help="rounds of reinforcement")
    parser.add_argument("--groups", type=int, default=48, help="games that fork in each of them")
    parser.add_argument("--ways", type=int, default=8, help="how many ways each goes on")
    parser.add_argument("--horizon", type=int, default=60, help="decisions of each way")
    parser.add_argument("--decisions", type=int, default=60_000, help="decisions of one pass")
    parser.add_argument("--seeds", type=int, default=100, help="games of an evaluation")
    parser.add_argument(
        "--choosing",
        action="store_true",
        help="evaluate on the seeds on which variants are compared",
    )
    parser.add_argument("--scenario", default="voxel-survival", choices=SCENARIOS)
    parser.add_argument("--tries", type=int, default=48, help="games on which a variant is tried")
    parser.add_argument("--ticks", type=int, default=6_000, help="how long a game lasts")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--device", default="")
    parser.add_argument(
        "--seconds", type=float, default=math.inf, help="of one pass, or of an evaluation's play"
    )
    parser.add_argument(
        "--state",
        default="",
        help="the adapter to evaluate or export, or to improve or reinforce, here or as a GGUF",
    )
    parser.add_argument("--out", type=Path, default=Path("adapter.gguf"))
    options = parser.parse_args()
    STEPS[options.step](Run(options.run), options)


# Steps


def collect(run: Run, options: argparse.Namespace) -> None:
    """Play games by the teacher, and keep what it decided."""
    if run.has("collected.jsonl"):
        return
    kept: list[dict[str, Any]] = []
    with tables(options.processes) as hall:
        seeds = range(COLLECT_SEEDS, COLLECT_SEEDS + options.games)
        results = hall.play(
            seeds, lambda asked: [each.expert for each in asked], _keeper(kept), _setting(options)
        )
    run.write_rows("collected.jsonl", kept)
    run.say("collected", decisions=len(kept), games=len(results), **_interval(results))


def tune(run: Run, options: argparse.Namespace) -> None:
    """Imitate the teacher on its own games."""
    from learning import imitate

    if run.has("tuned.pt"):
        return
    model = _model(options)
    decisions = _sample(run, ["collected.jsonl"], options.decisions, seed=1)
    imitate(model, decisions, run, name="tune", seconds=options.seconds)
    run.save("tuned.pt", model.state())
    _try_out(run, options, model, "tuned")


def improve(run: Run, options: argparse.Namespace) -> None:
    """Play by what was learnt, ask the teacher in the moments that it led to, and learn from all."""
    from learning import imitate, policy_of

    model = _model(options)
    files = ["collected.jsonl"]
    before = options.state or "tuned.pt"
    for number in range(1, options.rounds + 1):
        asked = f"asked-{number}.jsonl"
        state = f"improved-{number}.pt"
        if not run.has(state):
            _load(run, model, before)
            if not run.has(asked):
                begin = IMPROVE_SEEDS + (number - 1) * options.round_games
                kept: list[dict[str, Any]] = []
                with tables(options.processes) as hall:
                    results = hall.play(
                        range(begin, begin + options.round_games),
                        policy_of(model, temperature=0.5, seed=number),
                        _keeper(kept),
                        limits=ASKING,
                    )
                run.write_rows(asked, kept)
                run.say(f"asked {number}", decisions=len(kept), **_interval(results))
            decisions = _sample(run, [*files, asked], options.decisions, seed=number)
            name = f"improve {number}"
            limit = options.seconds
            imitate(model, decisions, run, name=name, seed=number, rate=5e-4, seconds=limit)
            run.save(state, model.state())
            _try_out(run, options, model, f"improved-{number}")
        files.append(asked)
        before = state


def reinforce(run: Run, options: argparse.Namespace) -> None:
    """Fork games at a turn, play several ways on from that one state, and make likelier what was
    answered in those that brought more."""
    from learning import encourage, policy_of

    model = _model(options)
    before = options.state or f"improved-{options.rounds}.pt"
    for number in range(1, options.steps + 1):
        state = f"reinforced-{number}.pt"
        if not run.has(state):
            _load(run, model, before)
            begin = REINFORCE_SEEDS + (number - 1) * options.groups
            source = random.Random(number)
            alone = [source.randrange(MOST_ALONE) for _ in range(options.groups)]
            kept: dict[int, list[tuple[Question, str]]] = {}
            with tables(options.processes) as hall:
                branches = hall.branch(
                    range(begin, begin + options.groups),
                    Branching(alone, options.ways, options.horizon),
                    policy_of(model, temperature=1.0, seed=number),
                    _sorter(kept),
                )
            attempts = _attempts(branches, kept, options.ways)
            points = [each.points for each in branches]
            spread = sum(any(each.advantage for each in attempts[way]) for way in attempts)
            run.say(
                f"reinforce {number}",
                points=round(statistics.mean(points), 3),
                ways=len(branches),
                differing=spread,
            )
            every = [each for way in attempts.values() for each in way if each.advantage]
            if every:
                encourage(model, every, run, name=f"reinforced {number}", seed=number)
            run.save(state, model.state())
            _try_out(run, options, model, f"reinforced-{number}")
        before = state


def evaluate(run: Run, options: argparse.Namespace) -> None:
    """Play fresh seeds by one policy, and write each game's result."""
    from learning import policy_of

    first = CHOOSE_SEEDS if options.choosing else REPORT_SEEDS
    seeds = range(first, first + options.seeds)
    name = options.state or f"improved-{options.rounds}.pt"
    label = _labelled(options.scenario, Path(name).stem)
    source = random.Random(0)
    policies: dict[str, Policy] = {
        "idle": lambda asked: ["a" for _ in asked],
        "random": lambda asked: [random_letter(each, source) for each in asked],
        "teacher": lambda asked: [each.expert for each in asked],
    }
    if options.choosing:
        label = f"choosing-{label}"
    file = f"report-{label}.jsonl"
    if run.has(file):
        return
    began = time.monotonic()
    asking = Asking()
    kept: list[dict[str, Any]] = []
    if name == "scripted":
        with get_context("spawn").Pool(options.processes) as pool:
            results = pool.starmap(play_scripted, [(seed, _setting(options)) for seed in seeds], 1)
    else:
        policy = policies.get(name)
        if policy is None:
            model = _model(options, plays=True)
            if name != "base":
                _load(run, model, name)
            policy = policy_of(model)
        keep = _keeper(kept, policy_too=True)
        limits = Limits(seconds=options.seconds)
        with tables(options.processes) as hall:
            results = hall.play(seeds, asking.of(policy), keep, _setting(options), limits)
    run.write_rows(file, [each._asdict() for each in results])
    if name not in policies and kept:
        run.write_rows(f"recorded-{label}.jsonl", kept)
        run.write_packed(
            f"replies-{label}.jsonl.gz", _replies(kept, results, _setting(options)).to_jsonl()
        )
    seconds = time.monotonic() - began
    agreed = sum(each["choice"] == each["taken"] for each in kept) / max(1, len(kept))
    run.say(
        f"evaluated {label}",
        decisions_a_second=round(len(kept) / seconds, 1),
        asking_seconds=round(asking.seconds, 1),
        broken_off=sum(not each.is_over for each in results),
        agreement=round(agreed, 4),
        **_interval(results),
        **_difference(run, results, options.scenario),
    )


def export(run: Run, options: argparse.Namespace) -> None:
    """Write an adapter as llama.cpp reads it."""
    model = _model(options)
    _load(run, model, options.state or f"improved-{options.rounds}.pt")
    model.write_adapter(options.out, name="thorp choices", license="apache-2.0")
    run.say("exported", bytes=options.out.stat().st_size)


STEPS: Final = {
    "collect": collect,
    "tune": tune,
    "improve": improve,
    "reinforce": reinforce,
    "evaluate": evaluate,
    "export": export,
}


# Parts of steps


def _labelled(scenario: str, name: str) -> str:
    """What the files of a policy's games are called."""
    return name if scenario == SURVIVAL.scenario else f"{scenario}-{name}"


def _setting(options: argparse.Namespace) -> Setting:
    return Setting(options.scenario, options.ticks)


def _model(options: argparse.Namespace, *, plays: bool = False) -> Any:
    import torch
    from language_model import LanguageModel

    torch.manual_seed(0)
    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    return LanguageModel(options.base, device, dtype=torch.float16 if plays else torch.bfloat16)


def _load(run: Run, model: Any, name: str) -> None:
    """Take over the weights of an adapter: of this run, or of a GGUF anywhere."""
    if name.endswith(".gguf"):
        model.load_adapter(Path(name))
    else:
        model.load(run.load(name))


class Asking:
    """How long a policy takes."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def of(self, policy: Policy) -> Policy:
        """The same policy, timed."""

        def timed(questions: list[Question]) -> list[str]:
            began = time.monotonic()
            letters = policy(questions)
            self.seconds += time.monotonic() - began
            return letters

        return timed


def _sorter(kept: dict[int, list[tuple[Question, str]]]) -> Any:
    """Keeps what was asked and answered in each way after the fork."""

    def keep(questions: list[Question], letters: list[str]) -> None:
        for question, letter in zip(questions, letters, strict=True):
            if question.game >= 0:
                kept.setdefault(question.game, []).append((question, letter))

    return keep


def _attempts(
    branches: Sequence[Branch], kept: dict[int, list[tuple[Question, str]]], ways: int
) -> dict[int, list[Any]]:
    """What was answered in each way, with how much better it was than the others of its state."""
    from learning import Attempt

    attempts = {}
    for branch in branches:
        group = [each.points for each in branches if each.game == branch.game]
        spread = statistics.pstdev(group)
        worth = (branch.points - statistics.mean(group)) / spread if spread else 0.0
        way = branch.game * ways + branch.way
        attempts[way] = [
            Attempt(question.prompt, question.letters, letter, worth)
            for question, letter in kept.get(way, [])
        ]
    return attempts


def _keeper(kept: list[dict[str, Any]], *, policy_too: bool = False) -> Any:
    """Keeps every question with the teacher's letter, and with the one that was taken."""

    def keep(questions: list[Question], letters: list[str]) -> None:
        for question, letter in zip(questions, letters, strict=True):
            row = {
                "prompt": question.prompt,
                "letters": question.letters,
                "choice": question.expert,
            }
            more = {"taken": letter, "game": question.game} if policy_too else {}
            kept.append({**row, **more})

    return keep


def _replies(
    kept: Sequence[dict[str, Any]], results: Sequence[Result], setting: Setting
) -> RecordedGames:
    """The games as `thorp match run --replies` plays them again: the letters that were taken, and
    the beginnings of the prompts' digests."""
    asked: dict[int, list[dict[str, Any]]] = {}
    for row in kept:
        asked.setdefault(row["game"], []).append(row)
    games = {}
    for number, result in enumerate(results):
        rows = asked.get(number, [])
        games[result.seed] = RecordedGame(
            seed=result.seed,
            turns=None if result.is_over else result.turns,
            letters="".join(row["taken"] for row in rows),
            prompts="".join(prompt_digits(row["prompt"]) for row in rows),
        )
    parameters = scenario_parameters(setting.scenario, {"ticks": setting.ticks})
    return RecordedGames(header_of(setting.scenario, parameters, RULES), games)


def _sample(run: Run, files: Sequence[str], most: int, seed: int) -> list[Any]:
    """Decisions of several files, the newest file in full as far as there is room."""
    from learning import Decision

    source = random.Random(seed)
    chosen: list[Decision] = []
    for place, file in enumerate(reversed(files)):
        rows = [Decision(**row) for row in run.rows(file)]
        source.shuffle(rows)
        share = (most - len(chosen)) // (len(files) - place)
        chosen += rows[: max(share, most // 2) if place == 0 else share]
    return chosen


def _try_out(run: Run, options: argparse.Namespace, model: Any, label: str) -> None:
    """Play the seeds on which variants are compared."""
    from learning import policy_of

    if not options.tries:
        return
    with tables(options.processes) as hall:
        seeds = range(CHOOSE_SEEDS, CHOOSE_SEEDS + options.tries)
        results = hall.play(seeds, policy_of(model), limits=ASKING)
    run.say(f"tried {label}", **_interval(results))


def _interval(results: Sequence[Result]) -> dict[str, float]:
    """Mean points, and half the width of its interval."""
    scores = [each.points for each in results]
    spread = statistics.stdev(scores) if len(scores) > 1 else 0.0
    return {
        "points": round(statistics.mean(scores), 2),
        "within": round(NORMAL_95 * spread / math.sqrt(len(scores)), 2),
    }


def _difference(run: Run, results: Sequence[Result], scenario: str) -> dict[str, float]:
    """By how much a policy is better than the scripted bot in the same worlds."""
    file = f"report-{_labelled(scenario, 'scripted')}.jsonl"
    if not run.has(file):
        return {}
    bot = {row["seed"]: row["points"] for row in run.rows(file)}
    gaps = [each.points - bot[each.seed] for each in results if each.seed in bot]
    if len(gaps) < 2:
        return {}
    return {
        "difference": round(statistics.mean(gaps), 2),
        "difference_within": round(NORMAL_95 * statistics.stdev(gaps) / math.sqrt(len(gaps)), 2),
    }


if __name__ == "__main__":
    main()
