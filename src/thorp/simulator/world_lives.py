"""Lives of a world on a disk that breaks.

A seed is a few processes in a row, each ended by loss of power, a failing disk or a clean close, at
any change to the disk, also during recovery. The keeper's work is done whenever the seed says so,
so a snapshot can be late. The model is which ticks were acknowledged, and which digest each tick
had.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from random import Random
from typing import Any, Final

import msgspec

from thorp.kernel.errors import DamagedError, IllegalError
from thorp.simulator.crowd import RICH, Crowd
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.inline import Inline, open_flat
from thorp.simulator.lives import FAILURES, BrokenPromise, Lives
from thorp.simulator.witness import CHECKS_A_TICK, Witness
from thorp.store import DiskError
from thorp.store.testing import BreakableDisk, PowerLost
from thorp.voxel import WorldService, create_world, verify
from thorp.voxel.persistence.directory import HEAD, WorldDirectory
from thorp.voxel.persistence.snapshot import WorldMaker

SEASON_TICKS: Final = 24
"""The shortest day that a tuning may have, so that some lives see a season end."""
# Opening a new world makes about 25 changes to the disk, a tick 2, a snapshot some 10.
CHANGES_OF_A_LIFE: Final = 120
# 21 ticks of the world's time, so that a seed can see its oldest segments removed.
SHORT_RETENTION_DAYS: Final = 5e-5
PERHAPS: Final = 0.4
"""How likely each piece of work that waits is done between two ticks."""
GENERATED: Final = 0.1
"""The share of worlds with generated land. Making it takes longer than living on it."""
SEASONAL: Final = 0.25
"""The share of worlds with seasons, which end with an archive of the world."""
RICH_SEASONS: Final = msgspec.structs.replace(
    RICH, seasons=True, day_ticks=SEASON_TICKS, season_length_ticks=SEASON_TICKS
)
FROM_NOTHING_EVERY: Final = 4
"""In every 4th tick the digest is computed from nothing too, which takes longer than the tick."""


class Whenever(Executor):
    """An executor that does its work when a seed says so, and the rest at its shutdown."""

    def __init__(self, draw: Random) -> None:
        self._draw = draw
        self._waiting: deque[Callable[[], None]] = deque()

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Queue the work. The future is never done: nobody waits for it in a simulated life."""
        future: Future[Any] = Future()
        self._waiting.append(lambda: work(*arguments, **named))
        return future

    def perhaps(self) -> None:
        """Do some of the work that waits, perhaps none."""
        while self._waiting and self._draw.random() < PERHAPS:
            self._waiting.popleft()()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Do all work that waits."""
        while self._waiting:
            self._waiting.popleft()()


class WorldLives(Lives):
    """Lives of one world, with a crowd of agents behind a bad network."""

    def __init__(self, seed: int) -> None:
        super().__init__(Random(seed), BreakableDisk(seed))
        draw = self.random
        self.path = self.disk.root / "world"
        self.make_world: WorldMaker = (
            create_world if draw.random() < GENERATED else create_flat_world
        )
        self.tuning = msgspec.structs.replace(
            RICH_SEASONS if draw.random() < SEASONAL else RICH,
            snapshot_every_ticks=draw.randint(2, 9),
        )
        self.crowd = Crowd(seed, draw.choice((2, 4, 4, 12)), busy=0.4)
        self.acknowledged = 0
        self.attempted = 0
        self.digests: dict[int, str] = {}
        self.retain_days = draw.choice([None, None, SHORT_RETENTION_DAYS])
        self.now = 1_700_000_000.0
        self.ends: list[str] = []

    def live_all(self) -> None:
        """End some lives in any way; then check the world without accidents, and lose one of its
        files."""
        try:
            for _ in range(self.random.randint(2, 5)):
                self._live_once()
            self.disk.restart(memory_kept=True)
            with self._open() as service:
                self._check_world(service)
            self._verify()
            self._lose()
        finally:
            self.tally["faults"] += self.crowd.damaged_frames

    def _live_once(self) -> None:
        self._arrange()
        try:
            self._live()
            self.ends.append("closed")
        except (PowerLost, DiskError, IllegalError) as end:
            if isinstance(end, IllegalError) and end.code != "broken":
                raise
            self.ends.append("power" if self.disk.off else "disk")
            # After a failing disk the process ends; what it wrote may still be in memory.
            self.restart(memory_kept=not self.disk.off and self.random.random() < 0.5)

    def _arrange(self) -> None:
        way = self.random.randrange(4)
        when = self.random.randint(1, CHANGES_OF_A_LIFE)
        if way == 0:
            self.disk.cut_power_in(when)
        elif way == 1:
            self.disk.fail_in(when, self.random.choice(FAILURES))

    def _open(self) -> WorldService:
        self.step("open the world")
        self.keeper = Whenever(self.random)
        threads = iter([Inline(), self.keeper])
        return open_flat(
            self.disk,
            self.path,
            seed=7,
            draw_seed=8,
            make_world=self.make_world,
            tuning=self.tuning,
            retain_days=self.retain_days,
            threads=lambda: next(threads),
            clock=lambda: self.now,
        )

    def _live(self) -> None:
        service = self._open()
        self._check_world(service)
        witness = Witness(service.world, self.make_world)
        for _ in range(self.random.randint(1, 12)):
            self.now += self.random.choice([0, 3600, 86_400])
            witness = self._tick(service, witness)
        if self.random.random() < 0.3:
            self.step("lose power between two ticks")
            self.crash()
            return
        self.step("close the world")
        service.close(snapshot=self.random.random() < 0.5)

    def _tick(self, service: WorldService, witness: Witness) -> Witness:
        """Live one tick; return the witness for the next one."""
        season = service.world.season
        tick = service.world.tick + 1
        self.step(f"tick {tick}")
        inputs = self.crowd.inputs(service.world)
        durable = service.tick(inputs)
        self.attempted = service.world.tick
        self.digests[self.attempted] = service.world.digest()
        durable.result()
        self.acknowledged = self.attempted
        if service.world.season != season:
            # A season begins everything anew: no rule explains each item, so a new witness begins.
            witness = Witness(service.world, self.make_world)
        else:
            from_nothing = tick % FROM_NOTHING_EVERY == 0
            witness.see(service.world, inputs, from_nothing=from_nothing)
            self.tally["checks"] += CHECKS_A_TICK + from_nothing
        self.keeper.perhaps()
        return witness

    def _check_world(self, service: WorldService) -> None:
        """Check that no acknowledged tick is lost, and that the state is the one it had."""
        tick = service.world.tick
        self.check(
            self.acknowledged <= tick <= self.attempted,
            f"the world is at tick {tick}; {self.acknowledged} was acknowledged, {self.attempted} "
            "executed",
        )
        if tick:
            self.check(
                service.world.digest() == self.digests[tick], f"tick {tick} is another world"
            )
        self.acknowledged = tick
        self.attempted = tick

    def _verify(self) -> None:
        self.step("verify the world")
        verdict = verify(self.disk, self.path, make_world=self.make_world)
        self.check(verdict.ok and verdict.torn is None, f"the world does not verify: {verdict}")
        self.check(
            verdict.last_good_tick == self.acknowledged,
            f"tick {self.acknowledged} was acknowledged, {verdict.last_good_tick} verifies",
        )

    def _lose(self) -> None:
        """Remove a file that the world depends on, and check that this is noticed."""
        directory = WorldDirectory(self.disk, self.path)
        journals = directory.journals()
        files = list(journals.values())
        if self.acknowledged >= min(journals):
            # Before the journal has a tick, a missing head may just not have been written yet.
            files.append(self.path / HEAD)
        lost = self.random.choice(files)
        self.step(f"lose the file {lost.name}")
        self.disk.remove(lost)
        if directory.journals():
            verdict = verify(self.disk, self.path, make_world=self.make_world).verdict
            self.check(
                verdict == "not_sound", f"without {lost.name} the world verifies as {verdict}"
            )
        try:
            self._open()
        except DamagedError as refusal:
            self.check(refusal.code == "loss", f"the loss of {lost.name} is called {refusal.code}")
        else:
            raise BrokenPromise(f"the world opens without {lost.name}")
