"""Runs a tournament from its plan to its finished directory, and resumes interrupted ones.

Batches come back in any order; nothing is computed from that order. Standings, ratings and report follow from
the manifest and from the outcomes in schedule order.

Every entrant is opened once before the first match, so that a missing bot, file or command does not stop the
tournament at its hundredth match. The digest of a `file.py:Class` agent's file goes into the manifest: a
tournament resumed with other code would be two tournaments.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec

from thorp import workers
from thorp.arena.contract import MatchTask, Seat
from thorp.arena.external import open_agent
from thorp.arena.external.spec import FileSpec, parse_spec
from thorp.arena.sealed import SECRET_BYTES
from thorp.arena.service import open_log
from thorp.arena.tournament.directory import (
    TOURNAMENT,
    PlayedMatch,
    TournamentDirectory,
    play_match,
    read_results,
    stored_secret,
)
from thorp.arena.tournament.outcome import Outcome
from thorp.arena.tournament.plan import Plan, read_plan
from thorp.arena.tournament.report import FinishedTournament, make_table
from thorp.arena.tournament.schedule import Fixture
from thorp.arena.tournament.standings import ScoreStanding, Standing, Tally
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, ThorpError
from thorp.kernel.identity import digest
from thorp.store import Disk
from thorp.workers import Batcher, WorkerPool, run_recorded


class Progress(workers.Progress):
    """How far a tournament is. `resumed` of the `done` matches were played in an earlier run."""

    noun = "matches"

    def __init__(self, plan: Plan, total: int, known: Sequence[Outcome]) -> None:
        super().__init__(total, len(known))
        self.plan = plan
        self.tally = Tally(plan.ids, known)
        self._outcomes = list(known)
        self.last: Outcome | None = None

    def standings(self) -> list[Standing] | list[ScoreStanding]:
        """The table so far, without ratings: those need the schedule's order."""
        return make_table(self.plan, self.tally, self._outcomes, rated=False)

    def add(self, match: PlayedMatch) -> None:
        self.tally.add(match.outcome)
        self.done = self.tally.matches
        self._outcomes.append(match.outcome)
        self.last = match.outcome
        if match.outcome.scores is None:
            self.notes.append(f"aborted: {match.outcome.key}: {match.error or match.outcome.error}")


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
        TOURNAMENT.move_aside(disk, path)
    TOURNAMENT.check_directory(disk, path, manifest)
    schedule = plan.schedule()
    with closing(TournamentDirectory(disk, path, manifest, logs=plan.logs)) as directory:
        announce(manifest, schedule)
        outcomes = directory.outcomes(schedule)
        progress = Progress(plan, len(schedule), list(outcomes.values()))
        left = [fixture for fixture in schedule if fixture.key not in outcomes]

        def record(played: list[PlayedMatch]) -> None:
            directory.record(played)
            for match in played:
                outcomes[match.outcome.key] = match.outcome
                progress.add(match)

        def finish() -> FinishedTournament:
            finished = FinishedTournament(plan, [outcomes[fixture.key] for fixture in schedule])
            directory.finish(finished)
            return finished

        batcher = Batcher(partial(play_match, logs=plan.logs), [(plan.tasks(left), len(left))])
        return run_recorded(pool, batcher, progress, record=record, finish=finish, on_progress=on_progress)


def load_tournament(disk: Disk, path: Path) -> FinishedTournament:
    """Load a finished tournament, computing its tables from the results in its directory."""
    plan = read_plan(TOURNAMENT.read_manifest(disk, path))
    return FinishedTournament(plan, read_results(disk, path, plan.ids))


def probe_entrants(plan: Plan) -> dict[str, str]:
    """Open and close every entrant once; return the digests of their files by id. Refuses one that cannot
    play."""
    (task,) = plan.tasks([Fixture("look", 1, plan.ids[:1])])
    return probe_seats(plan.entrants, task)


def probe_seats(seats: Sequence[Seat], task: MatchTask) -> dict[str, str]:
    """Open and close the agent of every seat once, as for a task; see `probe_entrants`."""
    code: dict[str, str] = {}
    seen: set[str] = set()
    for seat in seats:
        spec = parse_spec(seat.spec)
        if seat.spec not in seen:
            seen.add(seat.spec)
            try:
                with open_agent(seat, msgspec.structs.replace(task, seats=(seat,)), None):
                    pass
            except ThorpError as refusal:
                raise InvalidError(f"{seat.id}: {refusal}", code=refusal.code) from None
        if isinstance(spec, FileSpec):
            with open_log(Path(spec.path)) as file:
                code[seat.id] = digest(file.read())
    return code
