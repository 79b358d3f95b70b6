"""`--log`: announces matches in the log of a data directory before they are played, and publishes
their results there."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import msgspec

from thorp.arena.contract import MatchTask, Seat
from thorp.arena.external.spec import FileSpec, parse_spec
from thorp.arena.tournament.report import FinishedTournament
from thorp.arena.tournament.schedule import Fixture as TournamentFixture
from thorp.cli.commands import option
from thorp.cli.options import data_directory
from thorp.kernel.canonical import Json
from thorp.log.announcement import Announcement, Fixture
from thorp.log.directory import KEY, Log
from thorp.log.signer import Signer, find_keys
from thorp.store import RealDisk

LogOption = Annotated[
    bool,
    option(
        "Announce it in the log of --data before the first move; then publish it.", name="--log"
    ),
]


class Event:
    """A match or tournament that is announced before its first move and published after its last.

    Without a log every method does nothing, so a command need not ask whether it was wanted.
    """

    def __init__(self, log: Log | None = None, signers: Sequence[Signer] = ()) -> None:
        self._log = log
        self._signers = signers
        self._announced: Announcement | None = None
        self._fixture = ""
        self.id: str | None = None  # The commitment to its plan, which names the event.

    def open_match(self, task: MatchTask) -> None:
        """Announce a match: who plays, under which rules, and with what code."""
        code = {seat.id: _code_digest(seat) for seat in task.seats}
        self._fixture = task.match_id or task.scenario
        self._open(
            plan_of(task), [Fixture(self._fixture, tuple(seat.id for seat in task.seats))], code
        )

    def open_tournament(
        self, manifest: dict[str, Json], schedule: Sequence[TournamentFixture]
    ) -> None:
        """Announce every fixture of a tournament."""
        entrants: Any = manifest["entrants"]
        code = {entrant["id"]: entrant["sha256"] for entrant in entrants}
        self._open(manifest, [Fixture(fixture.key, fixture.seats) for fixture in schedule], code)

    def _open(
        self, plan: dict[str, Json], fixtures: list[Fixture], code: dict[str, str | None]
    ) -> None:
        if self._log is not None:
            self._announced = Announcement(self._log, self._signers, plan)
            self.id = self._announced.event
            self._announced.open(fixtures, code)

    def close_match(self, file: Path) -> None:
        """Publish the log of the match."""
        if self._announced is not None:
            self._announced.close_match(self._fixture, file)

    def close_tournament(self, tip: str, finished: FinishedTournament) -> None:
        """Publish the tip, the standings and the log of every match."""
        if self._announced is not None:
            logs = {outcome.key: outcome.log for outcome in finished.outcomes}
            self._announced.close_tournament(tip=tip, standings=finished.to_bytes(), logs=logs)


def plan_of(task: MatchTask) -> dict[str, Json]:
    """A match's task as the plan that its announcement commits to."""
    return msgspec.json.decode(msgspec.json.encode(task), type=dict[str, Json])


def announced(event: str, fixtures: int) -> str:
    """The line about an event whose fixtures were all played."""
    return f"{fixtures} announced before the first move as {event[:16]}…, none missing"


@contextmanager
def announcing(data: Path | None, *, wanted: bool) -> Iterator[Event]:
    """The event to announce in the log of a data directory, if that is wanted."""
    if not wanted:
        yield Event()
        return
    directory = data_directory(data) / "log"
    with Log(RealDisk(), directory) as log:
        yield Event(log, find_keys(directory / KEY, None))


def _code_digest(seat: Seat) -> str | None:
    spec = parse_spec(seat.spec)
    return sha256(Path(spec.path).read_bytes()).hexdigest() if isinstance(spec, FileSpec) else None
