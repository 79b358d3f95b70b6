"""Runs a tournament from its plan to its finished directory, and resumes interrupted ones.

    check the directory and the entrants, before anything is written
    → open the directory, read what is done → play the rest, recording each batch as it comes back
    → sort the outcomes by the schedule → standings, ratings, report

Batches come back in any order; nothing is computed from that order. Standings, ratings and report follow from
the manifest and from the outcomes in schedule order.

Every entrant is opened once before the first match, so that a missing bot, file or command does not stop the
tournament at its hundredth match. The digest of a `file.py:Class` agent's file goes into the manifest: a
tournament resumed with other code would be two tournaments.
"""

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Self

import msgspec

from thorp.arena.external import open_agent
from thorp.arena.external.spec import FileSpec, parse_spec
from thorp.arena.sealed import SECRET_BYTES
from thorp.arena.tournament.directory import (
    TournamentDirectory,
    check_directory,
    move_aside,
    read_manifest,
    read_results,
    stored_secret,
)
from thorp.arena.tournament.outcome import Outcome
from thorp.arena.tournament.plan import Plan, read_plan
from thorp.arena.tournament.report import FinishedTournament, make_table
from thorp.arena.tournament.schedule import Fixture
from thorp.arena.tournament.score_table import ScoreStanding
from thorp.arena.tournament.standings import Standing, Tally
from thorp.arena.tournament.workers import Batcher, BatchResult, PlayedMatch, WorkerPool
from thorp.kernel.canonical import Json
from thorp.kernel.errors import IllegalError, InvalidError, ThorpError
from thorp.kernel.identity import digest
from thorp.store import Disk


class Progress:
    """How far a tournament is. `resumed` of the `done` matches were played in an earlier run."""

    def __init__(self, plan: Plan, total: int, known: Sequence[Outcome]) -> None:
        self.plan = plan
        self.total = total
        self.resumed = len(known)
        self.tally = Tally(plan.ids, known)
        self._outcomes = list(known)
        self.last: Outcome | None = None
        self.failures: list[str] = []
        """Why matches were aborted, each with its key."""

    @property
    def done(self) -> int:
        return self.tally.matches

    def standings(self) -> list[Standing] | list[ScoreStanding]:
        """The table so far, without ratings: those need the schedule's order."""
        return make_table(self.plan, self.tally, self._outcomes, rated=False)

    def add(self, match: PlayedMatch) -> None:
        self.tally.add(match.outcome)
        self._outcomes.append(match.outcome)
        self.last = match.outcome
        if match.outcome.scores is None:
            self.failures.append(f"{match.outcome.key}: {match.error or match.outcome.error}")


ProgressCallback = Callable[[Progress], None]
AnnounceCallback = Callable[[dict[str, Json], Sequence[Fixture]], None]
"""Told the manifest and the schedule before the first move; nothing is played if it raises."""


def run_tournament(
    plan: Plan,
    path: Path,
    pool: WorkerPool,
    disk: Disk,
    *,
    force: bool = False,
    on_progress: ProgressCallback = lambda _progress: None,
    announce: AnnounceCallback = lambda _manifest, _schedule: None,
) -> FinishedTournament:
    """Play the remaining matches and finish the directory. The result depends only on the plan and, for a
    sealed scenario, on its secret; if the plan has none, the directory's secret is used, or a new one.

    Raises Interrupted on SIGINT and SIGTERM (in the main thread), else a ThorpError; in either case the same
    call resumes the tournament.
    """
    if plan.secret is None:
        kept = None if force else stored_secret(disk, path)
        plan = msgspec.structs.replace(plan, secret=kept or os.urandom(SECRET_BYTES).hex())
    manifest = plan.manifest(probe_entrants(plan))
    if force:
        move_aside(disk, path)
    check_directory(disk, path, manifest)
    schedule = plan.schedule()
    with (
        SignalGuard() as signals,
        closing(TournamentDirectory(disk, path, manifest, logs=plan.logs)) as directory,
    ):
        announce(manifest, schedule)
        outcomes = directory.outcomes(schedule)
        progress = Progress(plan, len(schedule), list(outcomes.values()))
        on_progress(progress)
        left = [fixture for fixture in schedule if fixture.key not in outcomes]
        try:
            with closing(_play(plan, left, pool)) as batches:
                for played in batches:
                    with signals.deferred():
                        directory.record(played)
                        for match in played:
                            outcomes[match.outcome.key] = match.outcome
                            progress.add(match)
                    on_progress(progress)
            finished = FinishedTournament(plan, [outcomes[fixture.key] for fixture in schedule])
            directory.finish(finished)
        except KeyboardInterrupt:
            raise Interrupted(progress.done, progress.total) from None
    return finished


def load_tournament(disk: Disk, path: Path) -> FinishedTournament:
    """Load a finished tournament, computing its tables from the results in its directory."""
    plan = read_plan(read_manifest(disk, path))
    return FinishedTournament(plan, read_results(disk, path, plan.ids))


def _play(plan: Plan, left: Sequence[Fixture], pool: WorkerPool) -> Generator[list[PlayedMatch], None, None]:
    """Play the matches; yields them by batch in the order the batches come back."""
    if not left:
        return
    batcher = Batcher(plan.tasks(left), len(left), plan.logs)
    done: BatchResult | None = None
    pending = 0
    with pool:
        while True:
            while pending < pool.capacity and (batch := batcher.next_batch(pool.capacity)) is not None:
                pool.submit(batch)
                pending += 1
            # Yielded only now, so that no worker is idle while the caller records this batch.
            if done is not None:
                yield done.played
                if done.failure is not None:
                    raise IllegalError(
                        f"{done.failure}; mend that and run the same command again", code="setup"
                    )
            if not pending:
                return
            done = pool.collect()
            pending -= 1
            batcher.record_timing(done)


def probe_entrants(plan: Plan) -> dict[str, str]:
    """Open and close every entrant once; return the digests of their files by id. Refuses one that cannot
    play."""
    code: dict[str, str] = {}
    seen: set[str] = set()
    for entrant in plan.entrants:
        spec = parse_spec(entrant.spec)
        if entrant.spec not in seen:
            seen.add(entrant.spec)
            (task,) = plan.tasks([Fixture("look", 1, (entrant.id,))])
            try:
                with open_agent(entrant, task, None):
                    pass
            except ThorpError as refusal:
                raise InvalidError(f"{entrant.id}: {refusal}", code=refusal.code) from None
        if isinstance(spec, FileSpec):
            code[entrant.id] = _file_digest(Path(spec.path))
    return code


def _file_digest(path: Path) -> str:
    try:
        return digest(path.read_bytes())
    except OSError as problem:
        raise IllegalError(f"{path}: {problem.strerror}; check the path", code="unreadable") from None


SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupted(KeyboardInterrupt):
    """Stopped by SIGINT or SIGTERM. Finished matches are kept in the directory."""

    def __init__(self, done: int, total: int) -> None:
        super().__init__(f"stopped after {done} of {total} matches")
        self.done = done
        self.total = total


class SignalGuard:
    """Turns SIGINT and SIGTERM into KeyboardInterrupt, but never between a match's log and its record.

    While signals are deferred they wait, so that exactly the recorded matches count as done. It works even
    where a shell's `&` ignores SIGINT. Only the main thread gets signals; in any other nothing changes.
    """

    def __init__(self) -> None:
        self._before: dict[signal.Signals, Any] = {}
        self._holding = False
        self._waiting = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = {number: signal.signal(number, self._on_signal) for number in SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """Let signals wait until the block is left."""
        self._holding = True
        try:
            yield
        finally:
            self._holding = False
        if self._waiting:
            raise KeyboardInterrupt

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if not self._holding:
            raise KeyboardInterrupt
        self._waiting = True
