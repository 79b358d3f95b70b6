"""Runs a fleet into a directory: `results.jsonl` has a row for each job, in the order of the plan.

A row has the job's number, kind and seeds, and its `result`, or an `error`. Jobs that failed are run again by
the next run; what did not fail is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from thorp.bridges.fleet.jobs import JobDone, failed_job, figures, run_job
from thorp.bridges.fleet.plan import VERSION, Fleet, Job
from thorp.kernel.errors import DamagedError
from thorp.store import Disk
from thorp.workers import Batcher, Progress, RunDirectory, RunKind, WorkerPool, run_recorded
from thorp.workers.pools import MAX_TRIES

FLEET = RunKind("fleet", "fleet_version", VERSION)


class FleetProgress(Progress):
    """How far a fleet is; of each table of the plan how many jobs are done, and have failed."""

    def __init__(self, groups: Sequence[Sequence[Job]], known: Mapping[int, bytes]) -> None:
        super().__init__(sum(map(len, groups)), len(known))
        self.groups = groups
        self.lines = dict(known)
        self.failed: set[int] = set()

    def add(self, done: JobDone, job: Job) -> None:
        self.lines[done.number] = done.line
        self.done += 1
        if done.error is not None:
            self.failed.add(done.number)
            self.notes.append(f"job {job.number} ({job.kind}, seed {job.seeds[0]}) failed: {done.error}")


class TableSummary(msgspec.Struct, frozen=True):
    """The jobs of one table of the plan, and the means of their figures."""

    kind: str
    jobs: int
    failed: int
    means: dict[str, float]

    @property
    def told(self) -> str:
        return ", ".join(f"{name} {mean:.4g}" for name, mean in self.means.items())


class FinishedFleet(msgspec.Struct, frozen=True):
    """What came of a fleet."""

    jobs: int
    failed: int
    tables: list[TableSummary]


def run_fleet(
    fleet: Fleet,
    path: Path,
    pool: WorkerPool,
    disk: Disk,
    *,
    force: bool = False,
    on_progress: Callable[[FleetProgress], None] = lambda _progress: None,
) -> FinishedFleet:
    """Run the jobs that are left, and finish the directory. Rows depend only on the plan.

    Raises Interrupted on SIGINT and SIGTERM (in the main thread), else a ThorpError; in either case the same
    call goes on where it stopped.
    """
    manifest = fleet.manifest()
    if force:
        FLEET.move_aside(disk, path)
    FLEET.check_directory(disk, path, manifest)
    groups = fleet.jobs()
    jobs = {job.number: job for group in groups for job in group}
    with closing(RunDirectory(disk, path, manifest)) as directory:
        progress = FleetProgress(groups, _known(directory.lines(), jobs))
        left = [[job for job in group if job.number not in progress.lines] for group in groups]

        def record(done: list[JobDone]) -> None:
            directory.append([one.line for one in done])
            for one in done:
                progress.add(one, jobs[one.number])

        def finish() -> FinishedFleet:
            directory.write_finished(b"".join(progress.lines[number] + b"\n" for number in jobs))
            return summarize(progress)

        return run_recorded(
            pool,
            Batcher(run_job, [(iter(group), len(group)) for group in left]),
            progress,
            record=record,
            finish=finish,
            on_progress=on_progress,
            give_up=lambda job: failed_job(job, "worker", f"its workers died, {MAX_TRIES} times"),
        )


def _known(lines: Sequence[bytes], jobs: Mapping[int, Job]) -> dict[int, bytes]:
    """The rows of jobs that did not fail; of several of a job the last one counts."""
    known: dict[int, bytes] = {}
    for line in lines:
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            row = msgspec.json.decode(line, type=dict[str, Any])
            job = jobs.get(row.get("job", 0))
            if job is not None and "result" in row and {**row, **job.head} == row:
                known[job.number] = line
    return known


def summarize(progress: FleetProgress) -> FinishedFleet:
    """The table of what was done."""
    tables = [_summary(group, progress) for group in progress.groups]
    return FinishedFleet(progress.total, len(progress.failed), tables)


def _summary(group: Sequence[Job], progress: FleetProgress) -> TableSummary:
    done = [job for job in group if job.number not in progress.failed]
    try:
        rows = [figures(job.kind, msgspec.json.decode(progress.lines[job.number])["result"]) for job in done]
        means = {name: fmean(row[name] for row in rows) for name in (rows[0] if rows else ())}
    except (LookupError, TypeError, AttributeError):
        raise DamagedError("a result is not as it was written; start over with --force") from None
    return TableSummary(group[0].kind, len(group), len(group) - len(done), means)
