"""Lives of an engine in a database, driven by a client that never gives up.

The client plays a script to its end. Requests that were not answered before a process ended are
sent again to the next one. First the same script is played in peace, on a disk that does not break.
Whatever the accidents were, the journal must be the same at the end: then nothing was lost, nothing
was done twice, and nothing by half.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from thorp.kernel.errors import ThorpError
from thorp.simulator.breakable_sqlite import BreakableSqlite
from thorp.simulator.lives import FAILURES, BrokenPromise, Lives
from thorp.store.database import Database
from thorp.store.testing import BreakableDisk, PowerLost

KINDS: Final = ("power", *FAILURES)
"""The kinds of accidents: loss of power, or a change to the disk that fails."""
MAX_ACCIDENTS: Final = 3
LIVES_AFTER: Final = 3
"""How many lives follow the last accident; one of them must reach the end of the script."""
PAGE_BYTES: Final = 4096
"""How much SQLite writes at once, and so how much a disk keeps or loses at once."""


class Accident(NamedTuple):
    """The accident of one life, and when it happens."""

    kind: str
    change: int
    """The change to the disk, counted from the beginning of the life; 0 means no accident."""
    memory_kept: bool = False
    """Whether only the process dies, so that what it wrote may still be in memory."""
    crashes: bool = True
    """After a disk that failed: whether the machine goes down with the process."""


class Peace(NamedTuple):
    """The end of a script that was played without accidents."""

    tip: str
    """The last link of the journal, which stands for all of it."""
    changes: int
    """How many changes to the disk it took."""


class AnswerLost(Exception):
    """The process ended before it answered."""


class ScriptLives(Lives):
    """One seed's script and accidents. A subclass opens an engine and plays the script."""

    def __init__(
        self,
        seed: int,
        *,
        disk_seed: int | None = None,
        accidents: Sequence[Accident] | None = None,
        peace: Peace | None = None,
    ) -> None:
        disk = BreakableDisk(seed if disk_seed is None else disk_seed, piece_bytes=PAGE_BYTES)
        super().__init__(Random(-1 - seed), disk)
        self._script_seed = seed
        self._accidents = accidents
        self._peace = peace

    def play(self, database: Database) -> str:
        """Open the engine, check it, play the rest of the script and check again; return the tip of
        its journal."""
        raise NotImplementedError

    def live_all(self) -> None:
        """Play the script through all accidents, and compare its end with that in peace."""
        peace = self._peace or self._play_in_peace()
        accidents = self._accidents
        if accidents is None:
            accidents = draw_accidents(self.random, peace.changes)
        with BreakableSqlite(self.disk) as sqlite:
            end = None
            for accident in accidents:
                self._arrange(accident)
                end = self.live(sqlite)
                self._come_back(accident, is_done=end is not None)
            for _ in range(LIVES_AFTER):
                end = end or self.live(sqlite)
        self.check(end is not None, f"{LIVES_AFTER} processes after the last accident none is done")
        self.check(
            end == peace.tip, f"the journal ends in {end}, and in {peace.tip} without accidents"
        )

    def _play_in_peace(self) -> Peace:
        lives = type(self)(self._script_seed, accidents=())
        lives.tally = self.tally
        try:
            return lives.live_in_peace()
        finally:
            self.doing = f"in peace, {lives.doing}"

    def live_in_peace(self) -> Peace:
        """Play the script without accidents."""
        with BreakableSqlite(self.disk) as sqlite:
            tip = self.live(sqlite)
        if tip is None:
            raise BrokenPromise("the script does not come to its end, even in peace")
        return Peace(tip, self.disk.changes)

    def live(self, sqlite: BreakableSqlite) -> str | None:
        """Live one process; return the tip of the journal if it came to the end of the script."""
        faults = self.disk.faults
        self.step("open the database")
        try:
            return self.play(sqlite.open(self.disk.root / "engine.db"))
        except (ThorpError, PowerLost, AnswerLost) as end:
            if self.disk.off or self.disk.faults > faults:
                return None
            if isinstance(end, AnswerLost):
                raise BrokenPromise(f"refused without an accident: {end}") from end
            raise

    def _arrange(self, accident: Accident) -> None:
        if accident.kind == "power":
            self.disk.cut_power_in(accident.change)
        else:
            self.disk.fail_in(accident.change, accident.kind)

    def _come_back(self, accident: Accident, *, is_done: bool) -> None:
        if self.disk.off:
            self.restart(memory_kept=accident.memory_kept)
        elif accident.crashes:
            self.crash()
        elif not is_done:
            self.restart(memory_kept=True)
        self.disk.cut_power_in(0)
        self.disk.fail_in(0)


def draw_accidents(draw: Random, changes: int) -> list[Accident]:
    """Some accidents, each at any change that a life could make."""
    return [
        Accident(
            kind=draw.choice(KINDS),
            change=draw.randint(1, changes),
            memory_kept=draw.random() < 0.3,
            crashes=draw.random() < 0.5,
        )
        for _ in range(draw.randint(1, MAX_ACCIDENTS))
    ]
