"""Lives of a world on a disk that breaks.

One seed is a few processes in a row, each ended by loss of power, a failing disk or a clean close,
at any change to the disk, recovery included. The keeper's work is done whenever the seed says so,
so a snapshot can be late. Beside it runs a model: which ticks were acknowledged, and which digest
each tick had.
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
from thorp.simulator.flat_world import found_flat
from thorp.simulator.inline import Inline, open_flat
from thorp.simulator.lives import FAILURES, BrokenPromise, Lives
from thorp.simulator.witness import CHECKS_A_TICK, Witness
from thorp.store import DiskError
from thorp.store.testing import BreakableDisk, PowerLost
from thorp.voxel.new_world import create_world
from thorp.voxel.persistence.directory import HEAD, WorldDirectory
from thorp.voxel.persistence.snapshot import Found
from thorp.voxel.service import WorldService, verify

SEASON_TICKS: Final = 24
"""The shortest day that a tuning may have, so that some lives see a season end."""
# Opening a new world makes about 25 changes to the disk, a tick 2, a snapshot some 10.
CHANGES_OF_A_LIFE: Final = 120
# 21 ticks of the world's time, so that a seed can see its oldest segments removed.
SHORT_RETENTION_DAYS: Final = 5e-5
PERHAPS: Final = 0.4
GENERATED: Final = 0.1
"""How many worlds have land of their own. Making it takes longer than living on it."""
SEASONAL: Final = 0.25
"""How many worlds have seasons, which end by an archive of the world."""
RICH_SEASONS: Final = msgspec.structs.replace(
    RICH, seasons=True, day_ticks=SEASON_TICKS, season_length_ticks=SEASON_TICKS
)
FROM_NOTHING_EVERY: Final = 4
"""Every Nth tick the digest is computed from nothing too, which takes longer than the tick."""


class Whenever(Executor):
    """Does what was asked for when a seed says so, and the rest in the end."""

    def __init__(self, draw: Random) -> None:
        self._draw = draw
        self._waiting: deque[Callable[[], None]] = deque()

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Put the work behind what waits already."""
        future: Future[Any] = Future()
        self._waiting.append(lambda: work(*arguments, **named))
        return future

    def perhaps(self) -> None:
        """Do some of what waits."""
        while self._waiting and self._draw.random() < PERHAPS:
            self._waiting.popleft()()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Do all that waits."""
        while self._waiting:
            self._waiting.popleft()()


class WorldLives(Lives):
    """Lives of one world, with a crowd of agents behind a bad network."""

    def __init__(self, seed: int) -> None:
        super().__init__(Random(seed), BreakableDisk(seed))
        draw = self.random
        self.path = self.disk.root / "world"
        self.make_world: Found = create_world if draw.random() < GENERATED else found_flat
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
        """End some lives in any way; then look at the world in peace, and lose one of its files."""
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
            found=self.make_world,
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
        """Live one tick; the witness of the next one."""
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
            # Everything begins anew, by rules that move no single item.
            witness = Witness(service.world, self.make_world)
        else:
            from_nothing = tick % FROM_NOTHING_EVERY == 0
            witness.see(service.world, inputs, from_nothing=from_nothing)
            self.tally["checks"] += CHECKS_A_TICK + from_nothing
        self.keeper.perhaps()
        return witness

    def _check_world(self, service: WorldService) -> None:
        """Nothing that was acknowledged is lost, and it is the same world."""
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
        verdict = verify(self.disk, self.path, found=self.make_world)
        self.check(verdict.ok and verdict.torn is None, f"the world does not verify: {verdict}")
        self.check(
            verdict.last_good_tick == self.acknowledged,
            f"tick {self.acknowledged} was acknowledged, {verdict.last_good_tick} verifies",
        )

    def _lose(self) -> None:
        """No file can go that the world is in, unnoticed."""
        directory = WorldDirectory(self.disk, self.path)
        journals = directory.journals()
        files = list(journals.values())
        if self.acknowledged >= min(journals):
            # Before the journal has a tick, a head that is gone is one that was not written yet.
            files.append(self.path / HEAD)
        lost = self.random.choice(files)
        self.step(f"lose the file {lost.name}")
        self.disk.remove(lost)
        if directory.journals():
            verdict = verify(self.disk, self.path, found=self.make_world).verdict
            self.check(
                verdict == "not_sound", f"without {lost.name} the world verifies as {verdict}"
            )
        try:
            self._open()
        except DamagedError as refusal:
            self.check(refusal.code == "loss", f"the loss of {lost.name} is called {refusal.code}")
        else:
            raise BrokenPromise(f"the world opens without {lost.name}")
