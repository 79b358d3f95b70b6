"""Life stories of a world on a disk that breaks.

One seed is one story: a few processes in a row, each ended by loss of power, a failing disk or a clean close,
at any change to the disk, recovery included. The keeper's work is done whenever the seed says so, so a
snapshot can be late. Beside it runs a model: which ticks were acknowledged, and which digest each tick had.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from random import Random
from typing import Any

import msgspec
import pytest

from tests.voxel.inline import Inline, found_flat, open_flat
from tests.voxel.simulator import RICH, Crowd
from thorp.kernel.errors import DamagedError, IllegalError
from thorp.store import DiskError
from thorp.store.testing import BreakableDisk, PowerLost
from thorp.voxel.persistence.directory import HEAD, WorldDirectory
from thorp.voxel.service import WorldService, verify


class Whenever(Executor):
    """Does what was asked for when a seed says so, and the rest in the end."""

    def __init__(self, draw: Random) -> None:
        self._draw = draw
        self._waiting: deque[Callable[[], None]] = deque()

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.append(lambda: work(*arguments, **named))
        return future

    def perhaps(self) -> None:
        while self._waiting and self._draw.random() < 0.4:
            self._waiting.popleft()()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        while self._waiting:
            self._waiting.popleft()()


class Story:
    """One seed's worth of lives."""

    def __init__(self, seed: int) -> None:
        self.draw = Random(seed)
        self.disk = BreakableDisk(seed)
        self.path = self.disk.root / "world"
        self.tuning = msgspec.structs.replace(RICH, snapshot_every_ticks=self.draw.randint(2, 9))
        self.crowd = Crowd(seed, 4, busy=0.4)
        self.acknowledged = 0
        self.attempted = 0
        self.digests: dict[int, str] = {}
        self.retain_days = self.draw.choice([None, None, 5e-5])  # 21 ticks
        self.now = 1_700_000_000.0
        self.ends: list[str] = []

    def run(self) -> None:
        for _ in range(self.draw.randint(2, 5)):
            self._arrange()
            try:
                self._live()
                self.ends.append("closed")
            except (PowerLost, DiskError, IllegalError) as end:
                if isinstance(end, IllegalError) and end.code != "broken":
                    raise
                self.ends.append("power" if self.disk.off else "disk")
                # After a failing disk the process ends; what it wrote may still be in memory.
                self.disk.restart(memory_kept=not self.disk.off and self.draw.random() < 0.5)
        self.disk.restart(memory_kept=True)
        with self._open() as service:
            self._check(service)
        self._verify()

    def _arrange(self) -> None:
        way, when = self.draw.randrange(4), self.draw.randint(1, 120)
        if way == 0:
            self.disk.cut_power_in(when)
        elif way == 1:
            self.disk.fail_in(when, self.draw.choice(["disk_error", "disk_full"]))

    def _open(self) -> WorldService:
        self.keeper = Whenever(self.draw)
        threads = iter([Inline(), self.keeper])
        return open_flat(
            self.disk,
            self.path,
            seed=7,
            draw_seed=8,
            tuning=self.tuning,
            retain_days=self.retain_days,
            threads=lambda: next(threads),
            clock=lambda: self.now,
        )

    def _live(self) -> None:
        service = self._open()
        self._check(service)
        for _ in range(self.draw.randint(1, 12)):
            self.now += self.draw.choice([0, 3600, 86_400])
            durable = service.tick(self.crowd.inputs(service.world))
            self.attempted = service.world.tick
            self.digests[self.attempted] = service.world.digest()
            durable.result()
            self.acknowledged = self.attempted
            self.keeper.perhaps()
        if self.draw.random() < 0.3:
            self.disk.crash()  # a loss of power between two ticks
            return
        service.close(snapshot=self.draw.random() < 0.5)

    def _check(self, service: WorldService) -> None:
        """Nothing that was acknowledged is lost, and it is the same world."""
        tick = service.world.tick
        assert self.acknowledged <= tick <= self.attempted, (self.acknowledged, tick, self.attempted)
        if tick:
            assert service.world.digest() == self.digests[tick]
        self.acknowledged = self.attempted = tick

    def _verify(self) -> None:
        verdict = verify(self.disk, self.path, found=found_flat)
        assert verdict.ok, verdict
        assert verdict.last_good_tick == self.acknowledged
        assert verdict.torn is None
        self._lose()

    def _lose(self) -> None:
        """No file can go that the world is in, unnoticed."""
        directory = WorldDirectory(self.disk, self.path)
        lost = self.draw.choice([self.path / HEAD, *directory.journals().values()])
        self.disk.remove(lost)
        if directory.journals():
            assert verify(self.disk, self.path, found=found_flat).verdict == "not_sound"
        with pytest.raises(DamagedError) as refused:
            self._open()
        assert refused.value.code == "loss"
