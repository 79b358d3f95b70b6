"""Teach a model that can choose to live in a village: it lives there, and learns from a teacher.

    python dwell.py dwell   RUN --base MODEL.gguf --adapter choices.gguf --out village.gguf
    python dwell.py compare RUN --base MODEL.gguf --adapter choices.gguf

Rounds of DAgger: minds live in villages by what was learnt, the teacher says what it would have
done in each of their moments, and an adapter on top of `--adapter` learns from all rounds. A run
that was interrupted goes on where it was.
"""

import argparse
import os
import random
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from games import Question
from run_files import Run
from villages import Asked, DayLived, Policy, play_villages

# Seeds of villages, by what they are for. No two purposes share one; those of `tests/village` and
# of every table in the documentation are below 10,000.
LEARN_SEEDS: Final = 60_000
CHOOSE_SEEDS: Final = 70_000
RANK: Final = 8
RATE: Final = 5e-4
TEMPERATURE: Final = 0.5


def main() -> None:
    """Run one step."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("run", type=Path)
    parser.add_argument("--base", type=Path, required=True, help="the base model, a GGUF")
    parser.add_argument("--adapter", type=Path, required=True, help="what it builds on, a GGUF")
    parser.add_argument("--out", type=Path, default=Path("village.gguf"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--villages", type=int, default=32, help="villages of each round")
    parser.add_argument("--tries", type=int, default=16, help="villages on which each is tried")
    parser.add_argument("--days", type=int, default=3)
    parser.add_argument("--decisions", type=int, default=24_000, help="decisions of one pass")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--device", default="")
    parser.add_argument("--minds", type=int, default=1, help="minds in each village")
    parser.add_argument("--on", type=int, nargs="*", help="seeds to try it out on")
    options = parser.parse_args()
    STEPS[options.step](Run(options.run), options)


def dwell(run: Run, options: argparse.Namespace) -> None:
    """Live, ask and learn, round after round; then write what was learnt, and try it out."""
    from learning import imitate

    model = _model(options)
    files: list[str] = []
    for number in range(1, options.rounds + 1):
        file = f"asked-{number}.jsonl"
        state = f"dwelt-{number}.pt"
        files.append(file)
        if run.has(state):
            model.load(run.load(state))
            continue
        if not run.has(file):
            begin = LEARN_SEEDS + (number - 1) * options.villages
            seeds = range(begin, begin + options.villages)
            policy = policy_of(model, TEMPERATURE, number)
            kept = _play(run, options, seeds, policy, f"asked {number}")
            run.write_rows(file, kept)
        decisions = _sample(run, files, options.decisions, number)
        imitate(model, decisions, run, name=f"dwell {number}", seed=number, rate=RATE)
        run.save(state, model.state())
        model.write_adapter(options.out, name="thorp village", license="apache-2.0")
    _try_out(run, options, "adapter and village", policy_of(model))


def compare(run: Run, options: argparse.Namespace) -> None:
    """Try out chance, the teacher, and the adapter that is built on."""
    source = random.Random(0)
    _try_out(run, options, "random", lambda asked: [source.choice(each.letters) for each in asked])
    _try_out(run, options, "teacher", lambda asked: [each.expert for each in asked])
    _try_out(run, options, "adapter", policy_of(_model(options)))


STEPS: Final = {"dwell": dwell, "compare": compare}


def policy_of(model: Any, temperature: float = 0.0, seed: int = 0) -> Policy:
    """A model, as it is now, as a policy for villages."""
    from learning import answer

    model.fold()
    source = random.Random(seed)

    def policy(asked: list[Asked]) -> list[str]:
        questions = [Question(0, each.prompt, each.letters, each.expert) for each in asked]
        return answer(model, questions, temperature, source)

    return policy


def _model(options: argparse.Namespace) -> Any:
    import torch
    from language_model import LanguageModel

    torch.manual_seed(0)
    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    model = LanguageModel(options.base, device)
    model.build_on(options.adapter, RANK)
    return model


def _play(
    run: Run, options: argparse.Namespace, seeds: Sequence[int], policy: Policy, label: str
) -> list[dict[str, Any]]:
    """Let minds live in villages, tell how they fared, and return what the teacher said."""
    kept: list[dict[str, Any]] = []

    def keep(asked: list[Asked], letters: list[str]) -> None:
        kept.extend(
            {"prompt": each.prompt, "letters": each.letters, "choice": each.expert}
            for each in asked
        )

    lived = play_villages(
        seeds,
        policy,
        processes=options.processes,
        days=options.days,
        count=options.minds,
        heard=keep,
    )
    run.write_rows(f"lived-{label.replace(' ', '-')}.jsonl", [each._asdict() for each in lived])
    run.say(label, decisions=len(kept), **_figures(lived))
    return kept


def _try_out(run: Run, options: argparse.Namespace, label: str, policy: Policy) -> None:
    """Let it live on the seeds on which variants are compared, or on those that are named."""
    seeds = options.on or range(CHOOSE_SEEDS, CHOOSE_SEEDS + options.tries)
    _play(run, options, seeds, policy, f"tried {label}")


def _figures(lived: Sequence[DayLived]) -> dict[str, float]:
    """How minds stood at their end: the means of what they unlocked and of idle daytime, and all
    samples at hunger 0."""
    last = max(each.day for each in lived)
    ends = [each for each in lived if each.day == last]
    return {
        "minds": len(ends),
        "unlocked": round(statistics.mean(len(each.unlocked) for each in ends), 2),
        "idle": round(statistics.mean(each.idle_day for each in lived), 3),
        "starving": sum(each.starving for each in lived),
    }


def _sample(run: Run, files: Sequence[str], most: int, seed: int) -> list[Any]:
    """Decisions of all rounds, as many of each."""
    from learning import Decision

    source = random.Random(seed)
    chosen: list[Decision] = []
    for file in files:
        rows = [Decision(**row) for row in run.rows(file)]
        source.shuffle(rows)
        chosen += rows[: most // len(files)]
    return chosen


if __name__ == "__main__":
    main()
