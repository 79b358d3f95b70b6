"""Plays rows of a suite by one agent, each as a match, and keeps their logs.

A run's directory is that of every run (see `thorp.workers.directory`), with `logs/ROW.jsonl` and
its manifest for each row, so that `thorp match verify` proves each score, and `report.json` at the
end. An interrupted run goes on where it stopped.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from thorp import __version__
from thorp.arena import service
from thorp.arena.contract import Limits, MatchTask, Seat
from thorp.arena.external import Replies
from thorp.arena.manifest import make_manifest
from thorp.arena.service import LOG, MANIFEST, OBSERVATIONS, REPLIES
from thorp.arena.tournament.outcome import Outcome, make_outcome
from thorp.arena.tournament.run import (
    LOGS,
    PlayedMatch,
    TournamentDirectory,
    probe_seats,
    read_results,
)
from thorp.arena.tournament.schedule import Fixture
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import ConflictError, DamagedError, InvalidError, ThorpError
from thorp.models.recording import Spent
from thorp.store import Disk, read_whole, write_atomic
from thorp.tasks.record import Family, Row, Seed, Split, row_id
from thorp.tasks.report import Report, RowScore, make_report
from thorp.tasks.suite import Suite
from thorp.workers import Batcher, RunProgress, WorkerPool, run_recorded
from thorp.workers.directory import RunKind

FORMAT: Final = "thorp.task-run"
RUN: Final = RunKind("run", "version", 1)
REPORT: Final = "report.json"
REVEALED: Final = "revealed.json"
"""Of a finished run over fresh rows: the secret, and the rows that the oracle failed."""
SCENARIO: Final = "task"


class RowPlace(msgspec.Struct, frozen=True):
    """What a run notes of a row: where it stands in the suite, and how to begin it."""

    id: str
    task: str
    """With its version."""
    family: Family
    difficulty: int
    split: Split
    seed: Seed
    max_turns: int
    digest: str


def row_match(row: RowPlace, agent: Seat, limits: Limits) -> MatchTask:
    """A row as a match of one agent. Its seed also decides what the agent itself draws."""
    return MatchTask(
        scenario=SCENARIO,
        seats=(agent,),
        seed=row.seed,
        max_turns=row.max_turns,
        parameters={"task": row_id(row.task, row.seed)},
        match_id=row.id,
        limits=limits,
    )


def place_of(row: Row) -> RowPlace:
    """What a run notes of a row."""
    return RowPlace(
        id=row.id,
        task=row.task_name,
        family=row.family,
        difficulty=row.difficulty,
        split=row.split,
        seed=row.seed,
        max_turns=row.max_turns,
        digest=row.digest,
    )


class RunPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What to play, and by whom: all inputs of a run, as data."""

    suite: str
    suite_digest: str
    agent: Seat
    rows: Annotated[tuple[RowPlace, ...], Meta(min_length=1)]
    limits: Limits = Limits()
    commitment: str = ""
    """Of a run over fresh rows: the digest of the secret that they were drawn from."""

    @property
    def split(self) -> Split:
        """The split of all of its rows."""
        return self.rows[0].split

    def match(self, row: RowPlace) -> MatchTask:
        """A row as a match."""
        return row_match(row, self.agent, self.limits)

    def fixtures(self) -> list[Fixture]:
        """The rows as a schedule."""
        return [Fixture(row.id, 1, (self.agent.id,)) for row in self.rows]

    def manifest(self, code: str | None) -> dict[str, Json]:
        """The content of `manifest.json`. `code` is the digest of the agent's file, if it is
        one."""
        plan: dict[str, Json] = msgspec.json.decode(msgspec.json.encode(self))
        plan["agent"]["sha256"] = code
        return {"format": FORMAT, "version": RUN.version, "thorp": __version__, **plan}


def plan_run(
    suite: Suite,
    rows: Sequence[Row],
    agent: Seat,
    *,
    limits: Limits | None = None,
    commitment: str = "",
) -> RunPlan:
    """The plan of a run. Refuses rows of several splits: a mean over them means nothing."""
    splits = sorted({row.split for row in rows})
    if len(splits) > 1:
        raise InvalidError(
            f"these rows are of {' and '.join(splits)}; choose one with --split", code="splits"
        )
    return RunPlan(
        suite=suite.name,
        suite_digest=suite.digest,
        agent=agent,
        rows=tuple(map(place_of, rows)),
        limits=limits or Limits(),
        commitment=commitment,
    )


def play_row(match: MatchTask) -> PlayedMatch:
    """Play a row; return its outcome, and the files that prove it."""
    replies = Replies()
    try:
        result = service.play(match, replies, tolerant=True)
    except ThorpError as refusal:
        raise InvalidError(f"{match.match_id}: {refusal}", code=refusal.code) from None
    observations = service.observations_file(result) if result.contents else None
    recorded = replies.to_jsonl() or None
    beside = {
        MANIFEST: make_manifest(match, result, observations, recorded).to_bytes(),
        OBSERVATIONS: observations,
        REPLIES: recorded,
    }
    files = {kind: data for kind, data in beside.items() if data is not None}
    return PlayedMatch(
        make_outcome(match, result, files), {LOG: result.jsonl, **files}, result.error
    )


class Progress(RunProgress):
    """How far a run has come."""

    noun = "rows"

    def __init__(self, plan: RunPlan, outcomes: Sequence[Outcome]) -> None:
        super().__init__(len(plan.rows), len(outcomes))
        self.plan = plan
        self.scores = [_score(outcome) for outcome in outcomes]

    def add(self, match: PlayedMatch) -> None:
        """Count a row that was played, and note it for people if it failed."""
        self.done += 1
        self.scores.append(_score(match.outcome))
        if match.error is not None:
            self.notes.append(f"failed: {match.outcome.key}: {match.error}")


def run_rows(
    plan: RunPlan,
    path: Path,
    pool: WorkerPool,
    disk: Disk,
    *,
    force: bool = False,
    on_progress: Callable[[Progress], None] = lambda _progress: None,
) -> Report:
    """Play the rows that are left, and finish the directory. The report depends only on the plan,
    as far as the agent does.

    Raises Interrupted on SIGINT and SIGTERM, else a ThorpError; the same call resumes the run.
    """
    code = probe_seats([plan.agent], plan.match(plan.rows[0]))
    manifest = plan.manifest(code.get(plan.agent.id))
    if force:
        RUN.move_aside(disk, path)
    RUN.check_directory(disk, path, manifest)
    with closing(TournamentDirectory(disk, path, manifest, logs=True)) as directory:
        outcomes = directory.outcomes(plan.fixtures())
        progress = Progress(plan, list(outcomes.values()))
        left = [row for row in plan.rows if row.id not in outcomes]

        def record(played: list[PlayedMatch]) -> None:
            directory.record(played)
            for match in played:
                outcomes[match.outcome.key] = match.outcome
                progress.add(match)

        def finish() -> Report:
            ordered = [outcomes[row.id] for row in plan.rows]
            report = _report(plan, ordered, path)
            lines = b"".join(outcome.line() + b"\n" for outcome in ordered)
            directory.write_finished(lines, {REPORT: report.to_bytes()})
            return report

        tasks: Iterator[MatchTask] = map(plan.match, left)
        return run_recorded(
            pool,
            Batcher(play_row, [(tasks, len(left))]),
            progress,
            record=record,
            finish=finish,
            on_progress=on_progress,
        )


def read_plan(disk: Disk, path: Path) -> RunPlan:
    """The plan of a run's directory. Refuses a directory that holds no run of tasks."""
    manifest = RUN.read_manifest(disk, path)
    if manifest.get("format") != FORMAT:
        raise InvalidError(f"{path} holds no run of tasks", code="no_run")
    try:
        return msgspec.convert(manifest, RunPlan)
    except msgspec.ValidationError as problem:
        raise InvalidError(
            f"{path}: its manifest cannot be read: {problem}", code="manifest"
        ) from None


def load_run(disk: Disk, path: Path) -> Report:
    """The report of a finished run, computed again from its results."""
    plan = read_plan(disk, path)
    outcomes = read_results(disk, path, [plan.agent.id])
    if [outcome.key for outcome in outcomes] != [row.id for row in plan.rows]:
        raise ConflictError(f"{path}: its results are not those of its manifest", code="rows")
    report = _report(plan, outcomes, path)
    revealed = _read_revealed(disk, path)
    return report if revealed is None else report.without(revealed.failed)


class Revealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is told of fresh rows after play."""

    secret: str
    failed: dict[str, str]
    """The oracle's score, for each row that it failed."""
    is_judged: bool
    """Whether the oracle has played; it may be elsewhere."""


def reveal(disk: Disk, path: Path, report: Report, revealed: Revealed) -> Report:
    """Keep the secret of a finished run beside its rows; return the report without those that the
    oracle failed."""
    judged = report.without(revealed.failed)
    content: dict[str, Json] = msgspec.to_builtins(revealed)
    write_atomic(disk, path / REVEALED, canonical_bytes(content) + b"\n", replace=True)
    write_atomic(disk, path / REPORT, judged.to_bytes(), replace=True)
    return judged


def _read_revealed(disk: Disk, path: Path) -> Revealed | None:
    if not disk.exists(path / REVEALED):
        return None
    try:
        return msgspec.json.decode(read_whole(disk, path / REVEALED), type=Revealed)
    except msgspec.DecodeError as problem:
        raise DamagedError(f"{path / REVEALED}: damaged: {problem}", code="revealed") from None


def _report(plan: RunPlan, outcomes: Sequence[Outcome], path: Path) -> Report:
    rows = [
        _row_score(place, outcome, path) for place, outcome in zip(plan.rows, outcomes, strict=True)
    ]
    return make_report(
        suite=plan.suite,
        suite_digest=plan.suite_digest,
        agent=plan.agent.id,
        split=plan.split,
        commitment=plan.commitment,
        rows=rows,
    )


def _row_score(place: RowPlace, outcome: Outcome, path: Path) -> RowScore:
    return RowScore(
        id=place.id,
        task=place.task,
        family=place.family,
        difficulty=place.difficulty,
        score=_score(outcome),
        turns=outcome.turns,
        valid=outcome.valid[0],
        invalid=outcome.invalid[0],
        errors=outcome.errors[0],
        spent=_spent(path / LOGS / f"{place.id}.{REPLIES}", outcome),
        failure=outcome.error or "",
    )


def _score(outcome: Outcome) -> float:
    """A row that could not be scored has no points."""
    return 0.0 if outcome.scores is None else outcome.scores[0]


def _spent(path: Path, outcome: Outcome) -> Spent:
    """What a model spent on a row, by the replies that were recorded."""
    return service.read_replies(path).spent if REPLIES in outcome.beside else Spent()
