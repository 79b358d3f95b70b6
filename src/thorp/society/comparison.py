"""Runs a comparison into a directory: `results.jsonl` has a row for each life, in the order of the
plan, and `comparison.json` what follows from them.

A row has the figures of each day and the digest of the world at the end. Any process computes the
same, so neither workers nor interruptions change a byte.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from math import fsum
from pathlib import Path
from typing import Any, Final

import msgspec

from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.errors import (
    DamagedError,
    IllegalError,
    InvalidError,
    LimitError,
    ThorpError,
    item,
)
from thorp.kernel.identity import digest
from thorp.society.contrasts import Contrast, Pairs, judge
from thorp.society.figures import BY_KEY, Figure
from thorp.society.plan import AS_IT_IS, VERSION, Cell, ComparePlan, Life
from thorp.society.statistics import mean, rounded
from thorp.store import Disk, read_whole
from thorp.store.record import MAX_RECORD_BYTES
from thorp.workers import Batcher, RunDirectory, RunKind, RunProgress, WorkerPool, run_recorded
from thorp.workers.directory import MANIFEST, RESULTS
from thorp.workers.dispatch import MAX_TRIES

RUN = RunKind("comparison", "comparison_version", VERSION)
SUMMARY: Final = "comparison.json"

Days = Sequence[Mapping[str, float]]


class LifeDone(msgspec.Struct, frozen=True):
    """The row of a life, as a line of canonical JSON; and why it failed, if it did."""

    number: int
    line: bytes
    error: str | None


def live(life: Life) -> LifeDone:
    """Live one life. One that fails has a row that says so."""
    try:
        line = canonical_bytes({**life.head, **life.society.live()})
        if len(line) > MAX_RECORD_BYTES:
            raise LimitError(f"its row has {len(line)} bytes, {MAX_RECORD_BYTES} are the most")
        return LifeDone(life.number, line, None)
    except ThorpError as refusal:
        return failed_life(life, refusal.code, str(refusal))


def failed_life(life: Life, code: str, message: str) -> LifeDone:
    """The row of a life that failed."""
    error = {"code": code, "message": message}
    return LifeDone(life.number, canonical_bytes({**life.head, "error": error}), message)


class CompareProgress(RunProgress):
    """How far a comparison has come."""

    noun = "lives"

    def __init__(self, lives: Sequence[Life], lines: Mapping[int, bytes]) -> None:
        super().__init__(len(lives), len(lines))
        self.lives = lives
        self.lines = dict(lines)
        self.failed: set[int] = set()

    def add(self, done: LifeDone, life: Life) -> None:
        """Count a life that is over, and note it for people if it failed."""
        self.lines[done.number] = done.line
        self.done += 1
        if done.error is not None:
            self.failed.add(done.number)
            where = f"seed {life.society.seed}, {life.condition}"
            self.notes.append(f"{where} failed: {done.error}")


class Course(msgspec.Struct, frozen=True):
    """The means of all lives under a condition, by day."""

    name: str
    texts: list[str]
    """Its differences from the rest of the plan, in words."""
    lives: int
    days: list[dict[str, float]]


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What a comparison found."""

    v: int = VERSION
    question: str
    seeds: int
    days: int
    lives: int
    failed: list[str]
    """Lives that failed, each with its reason. Their pairs do not count."""
    figures: list[Figure]
    conditions: list[Course]
    contrasts: list[Contrast]
    perturbations: list[Contrast]
    """What ought not to matter; each is the mean over all conditions."""


def run_comparison(
    plan: ComparePlan,
    path: Path,
    pool: WorkerPool,
    disk: Disk,
    *,
    force: bool = False,
    replay: Path | None = None,
    on_progress: Callable[[CompareProgress], None] = lambda _progress: None,
) -> Comparison:
    """Live the lives that are left, and finish the directory. Rows depend only on the plan, and on
    what models replied: with `replay`, what they did in the finished run there.

    Raises Interrupted on SIGINT and SIGTERM (in the main thread), else a ThorpError; in either case
    the same call goes on where it stopped.
    """
    manifest = plan.manifest()
    replies = {} if replay is None else _replies(plan, disk, replay)
    if replies:
        manifest["replies"] = digest(canonical_bytes(sorted(replies.values())))
    if not force:
        RUN.check_directory(disk, path, manifest)
    if force or not disk.exists(path / MANIFEST):
        _rehearse(plan)
    if force:
        RUN.move_aside(disk, path)
        RUN.check_directory(disk, path, manifest)
    lives = {life.number: life for life in plan.lives(replies)}
    with closing(RunDirectory(disk, path, manifest)) as directory:
        finished = _finished_rows(directory.lines(), lives)
        progress = CompareProgress(list(lives.values()), finished)
        left = [life for life in lives.values() if life.number not in finished]

        def record(done: list[LifeDone]) -> None:
            directory.append([life_done.line for life_done in done])
            for life_done in done:
                progress.add(life_done, lives[life_done.number])

        def finish() -> Comparison:
            comparison = compare(plan, progress.lines)
            directory.write_finished(
                b"".join(progress.lines[number] + b"\n" for number in lives),
                {SUMMARY: msgspec.json.encode(comparison) + b"\n"},
            )
            return comparison

        return run_recorded(
            pool,
            Batcher(live, [(iter(left), len(left))]),
            progress,
            record=record,
            finish=finish,
            on_progress=on_progress,
            give_up=lambda life: failed_life(
                life, "worker", f"its workers died, {MAX_TRIES} times"
            ),
        )


def _replies(plan: ComparePlan, disk: Disk, path: Path) -> dict[Cell, str]:
    """What models replied in the lives of a finished run. Refuses a run that lacks any of them."""
    RUN.read_manifest(disk, path)
    if plan.people is None or not disk.exists(path / RESULTS):
        why = "has no replies" if plan.people is not None else "cannot be replayed: nobody is asked"
        raise InvalidError(f"{path} {why}; leave --replay out", code="replay")
    rows = [
        msgspec.json.decode(line, type=dict[str, Any])
        for line in read_whole(disk, path / RESULTS).splitlines()
    ]
    replies = {
        (row["seed"], row["condition"], row["perturbation"]): row["replies"]
        for row in rows
        if "replies" in row
    }
    for life in plan.lives():
        cell = (life.society.seed, life.condition, life.perturbation)
        if cell not in replies:
            why = f"{path} has no replies for seed {cell[0]}, {life.condition}"
            raise InvalidError(f"{why}; give the run of this plan", code="replay")
    return replies


def _rehearse(plan: ComparePlan) -> None:
    """Make every change once in the world of the first seed, before anything is written. A plan
    whose change does not fit there is refused."""
    first = plan.lives()[: len(plan.conditions)]
    for number, life in enumerate(first):
        try:
            life.society.rehearse()
        except ThorpError as refusal:
            where = f"{item('$.condition', number)}.change"
            why = f"{where}: with seed {life.society.seed} {refusal.message}"
            raise IllegalError(why, code=refusal.code) from None


def _finished_rows(lines: Sequence[bytes], lives: Mapping[int, Life]) -> dict[int, bytes]:
    """The rows of lives that did not fail. If a life has several, the last one counts."""
    rows: dict[int, bytes] = {}
    for line in lines:
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            row = msgspec.json.decode(line, type=dict[str, Any])
            life = lives.get(row.get("run", 0))
            if life is not None and "days" in row and {**row, **life.head} == row:
                rows[life.number] = line
    return rows


def compare(plan: ComparePlan, lines: Mapping[int, bytes]) -> Comparison:
    """What follows from the rows of a plan, by their numbers."""
    rows = {number: msgspec.json.decode(lines[number], type=dict[str, Any]) for number in lines}
    lived: dict[Cell, Days] = {}
    failed = []
    for life in plan.lives():
        row = rows[life.number]
        if "error" in row:
            name = f"{life.condition}, {life.perturbation}" if life.perturbation else life.condition
            failed.append(f"seed {life.society.seed}, {name}: {row['error']['message']}")
        elif len(row["days"]) == plan.days and all(key in row["days"][-1] for key in BY_KEY):
            lived[life.society.seed, life.condition, life.perturbation] = row["days"]
        else:
            raise DamagedError("a result is not as it was written; start over with --force")
    table = _Table(plan, lived)
    return Comparison(
        question=plan.question,
        seeds=len(plan.seeds),
        days=plan.days,
        lives=len(rows),
        failed=failed,
        figures=[BY_KEY[key] for key in plan.figures],
        conditions=[
            Course(each.name, each.texts, *table.course(each.name)) for each in plan.conditions
        ],
        contrasts=judge(table.condition_contrasts(), plan.figures),
        perturbations=judge(table.perturbation_contrasts(), plan.figures),
    )


class _Table:
    """The lives of a plan, by what they were lived under."""

    def __init__(self, plan: ComparePlan, lived: Mapping[Cell, Days]) -> None:
        self._plan = plan
        self._lived = lived
        self._values = {
            cell: {key: over_days(key, days) for key in plan.figures}
            for cell, days in lived.items()
        }
        self._conditions = [each.name for each in plan.conditions]
        self._perturbations = [AS_IT_IS, *(each.name for each in plan.perturbations)]

    def course(self, condition: str) -> tuple[int, list[dict[str, float]]]:
        """How many lives there were under a condition, and their means by day."""
        lives = [days for cell, days in self._lived.items() if cell[1] == condition]
        by_day = [
            {key: rounded(mean([days[day][key] for days in lives])) for key in self._plan.figures}
            for day in range(self._plan.days if lives else 0)
        ]
        return len(lives), by_day

    def condition_contrasts(self) -> list[Pairs]:
        """Each condition against the first: seed by seed, the mean over all perturbations."""
        first = self._conditions[0]
        return [
            self._pairs(
                name, first, [((first, each), (name, each)) for each in self._perturbations]
            )
            for name in self._conditions[1:]
        ]

    def perturbation_contrasts(self) -> list[Pairs]:
        """Each perturbation against none: seed by seed, the mean over all conditions."""
        return [
            self._pairs(
                name, AS_IT_IS, [((each, AS_IT_IS), (each, name)) for each in self._conditions]
            )
            for name in self._perturbations[1:]
        ]

    def _pairs(
        self, name: str, against: str, sides: Sequence[tuple[tuple[str, str], tuple[str, str]]]
    ) -> Pairs:
        """The pairs of some conditions and perturbations: what stands on both sides, a seed each.
        A life that failed takes its other half with it."""
        base: dict[str, list[float]] = {key: [] for key in self._plan.figures}
        other: dict[str, list[float]] = {key: [] for key in self._plan.figures}
        for seed in self._plan.seeds:
            whole = [
                (self._values[seed, *first], self._values[seed, *second])
                for first, second in sides
                if (seed, *first) in self._values and (seed, *second) in self._values
            ]
            for key in self._plan.figures if whole else ():
                base[key].append(mean([first[key] for first, _ in whole]))
                other[key].append(mean([second[key] for _, second in whole]))
        return Pairs(name, against, base, other)


def over_days(key: str, days: Days) -> float:
    """A figure over all days: the last one, their sum, or their mean."""
    values = [day[key] for day in days]
    taken = BY_KEY[key].taken
    if taken == "last":
        return values[-1]
    return fsum(values) if taken == "sum" else mean(values)
