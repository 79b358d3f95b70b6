"""Plays rows of a suite by one agent, each as a match, and keeps their logs.

A run's directory is that of every run (see `thorp.workers.directory`), with `logs/ROW.jsonl` and
its manifest for each row, so that `thorp match verify` proves each score, and `report.json` at the
end. An interrupted run goes on where it stopped.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from thorp.arena import service
from thorp.arena.contract import MatchResult, MatchTask
from thorp.arena.external import Replies
from thorp.arena.external.spec import ModelSpec, parse_spec
from thorp.arena.manifest import make_manifest
from thorp.arena.service import LOG, MANIFEST, OBSERVATIONS, REPLIES
from thorp.arena.tournament.outcome import Outcome, make_outcome
from thorp.arena.tournament.run import (
    LOGS,
    PlayedMatch,
    TournamentDirectory,
    probe_seats,
    read_results,
    recorded_replies,
)
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import ConflictError, DamagedError, InvalidError, ThorpError
from thorp.models.recording import Spent
from thorp.store import Disk, read_whole, write_atomic
from thorp.tasks.audit import audit_dropped, audit_logs, audit_rows
from thorp.tasks.plan import FORMAT, RUN, Revealed, RowPlace, RunPlan
from thorp.tasks.proof import Oracles
from thorp.tasks.report import Report, RowScore, make_report
from thorp.tasks.suite import Suite, default_suite
from thorp.workers import Batcher, RunProgress, WorkerPool, run_recorded

REPORT: Final = "report.json"
REVEALED: Final = "revealed.json"
"""Of a finished run over fresh rows: the secret, and the rows that the oracle failed."""
Play = Callable[[MatchTask], PlayedMatch]
"""Plays a row."""


def play_row(match: MatchTask, recorded: str | None = None) -> PlayedMatch:
    """Play a row; return its outcome, and the files that prove it. With the folder of a recording,
    a model's replies come from there."""
    try:
        replies = Replies() if recorded is None else recorded_replies(Path(recorded), match)
        result = service.play(match, replies, tolerant=True)
    except ThorpError as refusal:
        raise InvalidError(f"{match.match_id}: {refusal}", code=refusal.code) from None
    return played_row(match, result, replies.to_jsonl() or None)


def played_row(match: MatchTask, result: MatchResult, said: bytes | None = None) -> PlayedMatch:
    """The outcome of a row that was played, and the files that prove it; `said` is what models
    replied."""
    observations = service.observations_file(result) if result.contents else None
    beside = {
        MANIFEST: make_manifest(match, result, observations, said).to_bytes(),
        OBSERVATIONS: observations,
        REPLIES: said,
    }
    files = {kind: data for kind, data in beside.items() if data is not None}
    return PlayedMatch(
        make_outcome(match, result, files), {LOG: result.jsonl, **files}, result.error
    )


class TaskProgress(RunProgress):
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
    play: Play | None = None,
    on_progress: Callable[[TaskProgress], None] = lambda _progress: None,
) -> Report:
    """Play the rows that are left, and finish the directory. If the agent depends only on the plan,
    so does the report.

    `play` plays a row otherwise than by opening the plan's agent, such as by what was recorded.
    Raises Interrupted on SIGINT and SIGTERM, else a ThorpError; the same call resumes the run.
    """
    code = {} if play else probe_seats([plan.agent], plan.match(plan.rows[0]))
    manifest = plan.manifest(code.get(plan.agent.id))
    if force:
        RUN.move_aside(disk, path)
    RUN.check_directory(disk, path, manifest)
    with closing(TournamentDirectory(disk, path, manifest, logs=True)) as directory:
        outcomes = directory.outcomes(plan.fixtures())
        progress = TaskProgress(plan, list(outcomes.values()))
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
            Batcher(play or play_row, [(tasks, len(left))]),
            progress,
            record=record,
            finish=finish,
            on_progress=on_progress,
        )


def play_recorded(plan: RunPlan, folder: Path) -> Play:
    """Plays rows again from a model's recorded replies, in a folder with those of every row; no
    model is asked. Refuses an agent that is not a model, and a row without a recording."""
    if not isinstance(parse_spec(plan.agent.spec), ModelSpec):
        raise InvalidError(
            f"{plan.agent.spec!r:.80} is no model, and has no replies; leave out --replies",
            code="usage",
        )
    for row in plan.rows:
        recorded_replies(folder, plan.match(row))
    return partial(play_row, recorded=str(folder))


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


def load_run(
    disk: Disk,
    path: Path,
    suite: Suite | None = None,
    *,
    replay: bool = False,
    oracles: Oracles | None = None,
) -> Report:
    """The report of a finished run, computed again from its results, which must be what its logs
    say. With `replay` every log is proven by its actions, and with `oracles` the choice of fresh
    rows, too."""
    plan = read_plan(disk, path)
    outcomes = read_results(disk, path, [plan.agent.id])
    if [outcome.key for outcome in outcomes] != [row.id for row in plan.rows]:
        raise ConflictError(f"{path}: its results are not those of its manifest", code="rows")
    suite = suite or default_suite()
    revealed = _read_revealed(disk, path)
    audit_rows(suite, path, plan, revealed)
    audit_logs(disk, path, plan, outcomes, replay=replay)
    report = _report(plan, outcomes, path)
    if revealed is None:
        return report
    if replay and oracles is not None:
        audit_dropped(suite, path, plan, revealed, oracles)
    return report.without(revealed.failed)


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
        kind=plan.kind,
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
