"""Runs a tournament from its plan to its finished directory, and resumes interrupted ones.

Batches come back in any order; nothing is computed from that order. Every entrant is opened once
before the first match, so that a missing bot, file or command does not stop the tournament at its
hundredth match.

A tournament's directory is that of a run (see `thorp.workers.directory`), with logs, a table and a
report. A record is synced after its log was written, but the log itself is not: a sync per match
would take longer than the match. So a log counts only if it has the digest in its record. The
results hold the digests of all logs, so the tip covers every byte on which the table depends.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import msgspec

from thorp import workers
from thorp.arena import service
from thorp.arena.contract import MatchTask, Seat
from thorp.arena.external import Replies, open_agent
from thorp.arena.external.spec import FileSpec, ModelSpec, parse_spec
from thorp.arena.sealed import SECRET_BYTES
from thorp.arena.service import LOG, OBSERVATIONS, REPLIES
from thorp.arena.tournament.outcome import Outcome, make_outcome, read_outcome
from thorp.arena.tournament.plan import FORMAT_VERSION, Plan, read_plan
from thorp.arena.tournament.report import FinishedTournament, make_table
from thorp.arena.tournament.schedule import Fixture
from thorp.arena.tournament.standings import ScoreStanding, Standing, Tally
from thorp.kernel.canonical import Json
from thorp.kernel.errors import DamagedError, InvalidError, ThorpError, UnknownError
from thorp.kernel.identity import digest
from thorp.store import Disk, read_whole
from thorp.workers import Batcher, WorkerPool, run_recorded
from thorp.workers.directory import RESULTS, RunDirectory, RunKind

STANDINGS = "standings.json"
REPORT = "report.html"
LOGS = "logs"

TOURNAMENT = RunKind("tournament", "version", FORMAT_VERSION)


class PlayedMatch(msgspec.Struct, frozen=True):
    """A played match: its outcome, its files by kind, and why it was aborted, if it was."""

    outcome: Outcome
    files: dict[str, bytes]
    error: str | None


def play_match(task: MatchTask, *, logs: bool, recorded: str | None = None) -> PlayedMatch:
    """Play the match of a task. Returns its outcome and, with `logs`, its files. With the folder of
    a recording, models answer from there. Refuses a match that cannot be set up."""
    try:
        replies = Replies() if recorded is None else recorded_replies(Path(recorded), task)
        # Every entrant could be opened when the tournament began; one that cannot be opened any
        # more has failed.
        result = service.play(task, replies, tolerant=True)
    except ThorpError as refusal:
        raise InvalidError(f"{task.match_id}: {refusal}", code=refusal.code) from None
    if not logs:
        return PlayedMatch(make_outcome(task, result, {}), {}, result.error)
    files = {OBSERVATIONS: service.observations_file(result), REPLIES: replies.to_jsonl()}
    beside = {kind: data for kind, data in files.items() if data}
    return PlayedMatch(
        make_outcome(task, result, beside), {LOG: result.jsonl, **beside}, result.error
    )


def recorded_replies(folder: Path, task: MatchTask) -> Replies:
    """What the models of a match have replied, in a folder that has a file for each match. A match
    of bots has none."""
    if not any(_is_model(seat) for seat in task.seats):
        return Replies()
    path = folder / f"{task.match_id}.{REPLIES}"
    if not path.is_file():
        raise UnknownError(
            f"{path}: no such recording; give the logs folder of a run in which the model played",
            code="no_recording",
        )
    return service.read_replies(path)


def _is_model(seat: Seat) -> bool:
    return isinstance(parse_spec(seat.spec), ModelSpec)


class TournamentDirectory(RunDirectory):
    """The directory of a tournament: a line for each outcome and, if wanted, every log."""

    def __init__(self, disk: Disk, path: Path, manifest: Mapping[str, Json], *, logs: bool) -> None:
        super().__init__(disk, path, manifest, [LOGS] if logs else [])
        self._logs = logs

    def outcomes(self, schedule: Sequence[Fixture]) -> dict[str, Outcome]:
        """Read the outcomes so far, by key: those in the schedule whose files are intact."""
        fixtures = {fixture.key: fixture for fixture in schedule}
        by_key: dict[str, Outcome] = {}
        for line in self.lines():
            with suppress(DamagedError):
                outcome = read_outcome(line)
                if outcome.key in fixtures and fixtures[outcome.key].seats == outcome.seats:
                    by_key[outcome.key] = outcome
        return {key: outcome for key, outcome in by_key.items() if self._has_intact_files(outcome)}

    def record(self, played: Iterable[PlayedMatch]) -> None:
        """Record matches: write their files first, then append their records durably."""
        records = []
        for match in played:
            for kind, data in match.files.items():
                self._write_file(match.outcome.key, kind, data)
            records.append(match.outcome.line())
        self.append(records)

    def finish(self, finished: FinishedTournament) -> None:
        """Write standings, report and results, and remove temporary files."""
        lines = b"".join(outcome.line() + b"\n" for outcome in finished.outcomes)
        self.write_finished(lines, {STANDINGS: finished.to_bytes(), REPORT: finished.report()})

    def _has_intact_files(self, outcome: Outcome) -> bool:
        """Whether the files of a match are there, with the digests in its outcome."""
        expected = {LOG: outcome.log, **outcome.beside} if self._logs else {}
        paths = {self._file_path(outcome.key, kind): sha256 for kind, sha256 in expected.items()}
        exists = self._disk.exists
        whole = partial(read_whole, self._disk)
        return all(exists(path) and digest(whole(path)) == sha256 for path, sha256 in paths.items())

    def _write_file(self, key: str, kind: str, data: bytes) -> None:
        path = self._file_path(key, kind)
        if self._disk.exists(path):
            self._disk.remove(path)  # left by a match that was not recorded, or is played again
        with closing(self._disk.create(path)) as file:
            try:
                file.write(0, data)
            except ThorpError:
                with suppress(ThorpError):
                    self._disk.remove(path)
                raise

    def _file_path(self, key: str, kind: str) -> Path:
        return self.path / LOGS / f"{key}.{kind}"


def stored_secret(disk: Disk, path: Path) -> str | None:
    """Return the secret of the tournament in a directory; None if there is none to read."""
    with suppress(ThorpError):
        secret = TOURNAMENT.read_manifest(disk, path).get("secret")
        return secret if isinstance(secret, str) else None
    return None


def read_results(disk: Disk, path: Path, ids: Sequence[str]) -> list[Outcome]:
    """Read the outcomes of a finished tournament, in schedule order. Refuses an unfinished one."""
    if not disk.exists(path / RESULTS):
        raise InvalidError(
            f"{path} is not finished; run the command that began it again to go on",
            code="not_finished",
        )
    *lines, rest = read_whole(disk, path / RESULTS).split(b"\n")
    outcomes = []
    for number, line in enumerate([*lines, rest] if rest else lines, start=1):
        try:
            if number > len(lines):
                raise DamagedError("the line breaks off")
            outcome = read_outcome(line)
            if strangers := [id for id in outcome.seats if id not in ids]:
                raise DamagedError(f"{strangers[0]!a} is not one of the entrants")
        except DamagedError as damage:
            raise DamagedError(
                f"{path / RESULTS}:{number}: damaged: {damage}", code="result"
            ) from None
        outcomes.append(outcome)
    return outcomes


# The run


class Progress(workers.RunProgress):
    """How far a tournament has come. `resumed` of the `done` matches were played in an earlier
    run."""

    noun = "matches"

    def __init__(self, plan: Plan, total: int, finished: Sequence[Outcome]) -> None:
        super().__init__(total, len(finished))
        self.plan = plan
        self.tally = Tally(plan.ids, finished)
        self._outcomes = list(finished)

    def standings(self) -> list[Standing] | list[ScoreStanding]:
        """The table so far, without ratings: those need the schedule's order."""
        return make_table(self.plan, self.tally, self._outcomes, rated=False)

    def add(self, match: PlayedMatch) -> None:
        """Count a match that was played, and note it for people if it was aborted."""
        self.tally.add(match.outcome)
        self.done = self.tally.matches
        self._outcomes.append(match.outcome)
        if match.outcome.scores is None:
            self.notes.append(f"aborted: {match.outcome.key}: {match.error or match.outcome.error}")


def run_tournament(
    plan: Plan,
    path: Path,
    pool: WorkerPool,
    disk: Disk,
    *,
    force: bool = False,
    recorded: Path | None = None,
    on_progress: Callable[[Progress], None] = lambda _progress: None,
    announce: Callable[[dict[str, Json], Sequence[Fixture]], None] = lambda _manifest, _schedule: (
        None
    ),
) -> FinishedTournament:
    """Play the remaining matches and finish the directory. The result depends only on the plan and,
    for a sealed scenario, on its secret; if the plan has none, the directory's secret is used, or a
    new one. `announce` is called with the manifest and the schedule before the first move; if it
    raises, nothing is played. Where models' replies were `recorded`, in a folder with those of
    every match, no model is asked.

    Raises Interrupted on SIGINT and SIGTERM (in the main thread), else a ThorpError; in either case
    the same call resumes the tournament.
    """
    if plan.secret is None:
        kept = None if force else stored_secret(disk, path)
        plan = msgspec.structs.replace(plan, secret=kept or os.urandom(SECRET_BYTES).hex())
    manifest = plan.manifest(probe_entrants(plan, ask_models=recorded is None))
    schedule = plan.schedule()
    if recorded is not None:
        for task in plan.tasks(schedule):
            recorded_replies(recorded, task)  # refused before anything is written
    if force:
        TOURNAMENT.move_aside(disk, path)
    TOURNAMENT.check_directory(disk, path, manifest)
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

        folder = None if recorded is None else str(recorded)
        play = partial(play_match, logs=plan.logs, recorded=folder)
        batcher = Batcher(play, [(plan.tasks(left), len(left))])
        return run_recorded(
            pool, batcher, progress, record=record, finish=finish, on_progress=on_progress
        )


def load_tournament(disk: Disk, path: Path) -> FinishedTournament:
    """Load a finished tournament, computing its tables from the results in its directory."""
    plan = read_plan(TOURNAMENT.read_manifest(disk, path))
    return FinishedTournament(plan, read_results(disk, path, plan.ids))


def probe_entrants(plan: Plan, *, ask_models: bool = True) -> dict[str, str]:
    """Open and close every entrant once; return the digests of their files, by id. Refuses one that
    cannot play. Models that answer from a recording need not be there."""
    (task,) = plan.tasks([Fixture("look", 1, plan.ids[:1])])
    probed = [seat for seat in plan.entrants if ask_models or not _is_model(seat)]
    return probe_seats(probed, task)


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
            with service.open_log(Path(spec.path)) as file:
                code[seat.id] = digest(file.read())
    return code
