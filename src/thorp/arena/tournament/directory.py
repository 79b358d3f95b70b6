"""A tournament's directory on disk: that of a run (see `thorp.workers.directory`) with logs, table and
report.

A record is synced after its log was written, but the log itself is not synced: a sync per match would take
longer than the match. So a log counts only if it has the digest in its record; a match whose log is missing
or different is played again. The results hold the digests of all logs, so the tip covers every byte that the
table follows from.
"""

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from thorp.arena.contract import MatchTask
from thorp.arena.external import Replies
from thorp.arena.service import LOG, OBSERVATIONS, REPLIES, observations_file, play
from thorp.arena.tournament.outcome import Outcome, make_outcome, read_outcome
from thorp.arena.tournament.plan import FORMAT_VERSION
from thorp.arena.tournament.report import FinishedTournament
from thorp.arena.tournament.schedule import Fixture
from thorp.kernel.canonical import Json
from thorp.kernel.errors import ConflictError, DamagedError, InvalidError, ThorpError
from thorp.kernel.identity import digest
from thorp.store import Disk, read_whole
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


def play_match(task: MatchTask, *, logs: bool) -> PlayedMatch:
    """Play the match of a task, for its outcome and, with `logs`, its files. Refuses one that cannot be
    set up."""
    replies = Replies()
    try:
        # Every entrant could be opened when the tournament began; one that no longer can be has failed.
        result = play(task, replies, tolerant=True)
    except ThorpError as refusal:
        raise InvalidError(f"{task.match_id}: {refusal}", code=refusal.code) from None
    if not logs:
        return PlayedMatch(make_outcome(task, result, {}), {}, result.error)
    files = {OBSERVATIONS: observations_file(result), REPLIES: replies.to_jsonl()}
    beside = {kind: data for kind, data in files.items() if data}
    return PlayedMatch(make_outcome(task, result, beside), {LOG: result.jsonl, **beside}, result.error)


class TournamentDirectory(RunDirectory):
    """An open tournament directory, locked until it is closed."""

    def __init__(self, disk: Disk, path: Path, manifest: Mapping[str, Json], *, logs: bool) -> None:
        super().__init__(disk, path, manifest, [LOGS] if logs else [])
        self._logs = logs
        self._logs_path = path / LOGS

    def outcomes(self, schedule: Sequence[Fixture]) -> dict[str, Outcome]:
        """Read the outcomes so far, by key: those in the schedule whose files are intact."""
        fixtures = {fixture.key: fixture for fixture in schedule}
        known: dict[str, Outcome] = {}
        for line in self.lines():
            with contextlib.suppress(DamagedError):
                outcome = read_outcome(line)
                if outcome.key in fixtures and fixtures[outcome.key].seats == outcome.seats:
                    known[outcome.key] = outcome
        return {key: outcome for key, outcome in known.items() if self._has_intact_files(outcome)}

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
        expected = {LOG: outcome.log, **outcome.beside} if self._logs else {}
        return all(self._file_digest(outcome.key, kind) == sha256 for kind, sha256 in expected.items())

    def _file_digest(self, key: str, kind: str) -> str | None:
        path = self._file_path(key, kind)
        return digest(read_whole(self._disk, path)) if self._disk.exists(path) else None

    def _write_file(self, key: str, kind: str, data: bytes) -> None:
        path = self._file_path(key, kind)
        try:
            file = self._disk.create(path)
        except ConflictError:
            self._disk.remove(path)  # left by a match that was not recorded, or is played again
            file = self._disk.create(path)
        try:
            file.write(0, data)
        except ThorpError:
            with contextlib.suppress(ThorpError):
                self._disk.remove(path)
            raise
        finally:
            file.close()

    def _file_path(self, key: str, kind: str) -> Path:
        return self._logs_path / f"{key}.{kind}"


def stored_secret(disk: Disk, path: Path) -> str | None:
    """Return the secret of the tournament in a directory; None if there is none to read."""
    with contextlib.suppress(ThorpError):
        secret = TOURNAMENT.read_manifest(disk, path).get("secret")
        return secret if isinstance(secret, str) else None
    return None


def read_results(disk: Disk, path: Path, ids: Sequence[str]) -> list[Outcome]:
    """Read the outcomes of a finished tournament, in schedule order. Refuses an unfinished one."""
    if not disk.exists(path / RESULTS):
        raise InvalidError(
            f"{path} is not finished; run the command that began it again to go on", code="not_finished"
        )
    *lines, rest = read_whole(disk, path / RESULTS).split(b"\n")
    outcomes = []
    for number, line in enumerate([*lines, rest] if rest else lines, start=1):
        try:
            if number > len(lines):
                raise DamagedError("the line breaks off")
            outcome = read_outcome(line)
            if strangers := [id for id in outcome.seats if id not in ids]:
                raise DamagedError(f"{strangers[0]!a} is none of the entrants")
        except DamagedError as damage:
            raise DamagedError(f"{path / RESULTS}:{number}: damaged: {damage}", code="result") from None
        outcomes.append(outcome)
    return outcomes
