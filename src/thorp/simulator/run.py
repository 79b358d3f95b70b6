"""Runs seeds: every engine lives its lives, and a promise that is broken is a failure with a step.

Each engine gets a seed of its own, derived from that of the run, so that its lives are the same
whatever the other engines do. The modules of the lives say what the seed decides. Nothing else is
random, no clock is read, and threads take turns, so a seed gives the same report in every process.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.identity import seed_from
from thorp.kernel.text import one_line
from thorp.simulator.lives import BrokenPromise, Lives
from thorp.store.testing import PowerLost

ENGINES: Final = {
    "journal": "thorp.simulator.journal_lives:JournalLives",
    "database": "thorp.simulator.database_lives:DatabaseLives",
    "log": "thorp.simulator.log_lives:LogLives",
    "town": "thorp.simulator.town_lives:TownLives",
    "story": "thorp.simulator.story_lives:StoryLives",
    "world": "thorp.simulator.world_lives:WorldLives",
}
"""The lives of each engine, from the store upwards, so that a defect below is reported first.

They are imported when they are needed, because some need the extra `thorp[simulate]`.
"""

PACKAGE: Final = Path(__file__).parents[1]


class SimulationFailure(msgspec.Struct, frozen=True):
    """A promise that was not kept, or an error that no accident explains."""

    engine: str
    step: int
    """The step of that engine, counted from 1."""
    doing: str
    """What the step was."""
    message: str


class Report(msgspec.Struct, kw_only=True):
    """What happened in one seed."""

    seed: int
    steps: int = 0
    faults: int = 0
    """Changes to a disk that failed, and frames that a network damaged."""
    kills: int = 0
    """Processes that were killed, with or without the power."""
    checks: int = 0
    failures: list[SimulationFailure] = []


def run_seed(seed: int, engines: Iterable[str] = tuple(ENGINES)) -> Report:
    """Run the lives of a seed, of all engines or of some."""
    report = Report(seed=seed, failures=[])
    for engine in engines:
        lives = _make_lives(engine, seed)
        failure = _live(engine, lives)
        if failure is not None:
            report.failures.append(failure)
        _add(report, lives.tally)
    return report


def _make_lives(engine: str, seed: int) -> Lives:
    module, _, name = ENGINES[engine].partition(":")
    lives: Lives = getattr(import_module(module), name)(seed_from("thorp.simulator", engine, seed))
    return lives


def _live(engine: str, lives: Lives) -> SimulationFailure | None:
    try:
        lives.run()
    except BrokenPromise as broken:
        message = str(broken)
    except (Exception, PowerLost) as error:
        message = f"{type(error).__name__}{_place(error)}: {error}"
    else:
        return None
    return SimulationFailure(
        engine=engine,
        step=lives.tally["steps"],
        doing=lives.doing,
        message=one_line(message),
    )


def _place(error: BaseException) -> str:
    """Where in Thorp an error came from, the same on every machine."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(PACKAGE):
            return f" in {path.relative_to(PACKAGE.parent)}:{frame.lineno}"
    return ""


def _add(report: Report, tally: Counter[str]) -> None:
    report.steps += tally["steps"]
    report.faults += tally["faults"]
    report.kills += tally["kills"]
    report.checks += tally["checks"]
