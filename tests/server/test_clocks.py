"""When ticks happen: by the clock, when everyone has moved, at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import Served, with_server
from thorp.server import clocks
from thorp.server.agents import ACTS_PER_TICK
from thorp.server.clocks import RealClock, make_clock


class FakeTime:
    """A clock that only moves when somebody sleeps or works."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(clocks, "monotonic", lambda: self.now)
        monkeypatch.setattr(clocks, "_sleep", self.sleep)

    async def sleep(self, seconds: float, _: object) -> None:
        self.now += seconds


def starts_of(time: FakeTime, work: list[float]) -> tuple[list[float], RealClock]:
    async def run() -> tuple[list[float], RealClock]:
        clock, starts = RealClock(5), []
        for seconds in work:
            await clock.wait(asyncio.Event())
            starts.append(round(time.now - 1000.0, 3))
            time.now += seconds
        return starts, clock

    return asyncio.run(run())


def test_ticks_keep_to_their_grid(monkeypatch: pytest.MonkeyPatch) -> None:
    starts, clock = starts_of(FakeTime(monkeypatch), [0.01, 0.15, 0.02, 0.199])
    assert starts == [0.0, 0.2, 0.4, 0.6]
    assert (clock.late, clock.skipped) == (0, 0)


def test_a_late_tick_is_counted_and_the_next_is_not_put_off(monkeypatch: pytest.MonkeyPatch) -> None:
    starts, clock = starts_of(FakeTime(monkeypatch), [0.01, 0.25, 0.01, 0.01])
    assert starts == [0.0, 0.2, 0.45, 0.6]
    assert (clock.late, clock.skipped) == (1, 0)


def test_slots_that_are_over_are_skipped_and_not_caught_up_with(monkeypatch: pytest.MonkeyPatch) -> None:
    starts, clock = starts_of(FakeTime(monkeypatch), [1.05, 0.01, 0.01])
    assert starts == [0.0, 1.05, 1.2]
    assert (clock.late, clock.skipped) == (1, 4)


def test_there_are_three_clocks() -> None:
    seats: Any = None
    assert [make_clock(name, 5, seats).late for name in clocks.CLOCKS] == [0, 0, 0]
    with pytest.raises(ValueError):
        make_clock("sundial", 5, seats)


async def no_tick(served: Served, seconds: float = 0.15) -> None:
    before = served.live.service.world.tick
    await asyncio.sleep(seconds)
    assert served.live.service.world.tick == before


@with_server(clock="lockstep")
async def test_in_lockstep_time_stands_still_without_seats(served: Served) -> None:
    await no_tick(served)
    async with served.agent() as mole:
        assert (await mole.obs())["tick"] == served.live.service.world.tick
        await no_tick(served)
    await asyncio.sleep(0.05)
    await no_tick(served)


@with_server(clock="lockstep")
async def test_a_tick_waits_until_every_seat_has_moved(served: Served) -> None:
    async with served.agent("one") as one:
        first = await one.obs()
        async with served.socket() as two:
            await two.hello("two")
            await no_tick(served)  # it comes in between ticks
            await one.act()
            await two.greeted()
            assert (await two.obs())["tick"] == (await one.obs())["tick"] == first["tick"] + 1
            await one.act(tasks=[{"id": "a", "type": "STOP"}])
            await no_tick(served)
            await two.act()
            assert (await one.obs())["events"][0]["ref"] == "a"
            assert (await two.obs())["tick"] == first["tick"] + 2
            await one.act()
            await no_tick(served)
            await two.socket.close()  # leaving frees the tick
            assert (await one.obs())["tick"] == first["tick"] + 3


@with_server(clock="lockstep")
async def test_a_late_act_is_no_move_and_a_refused_one_is(served: Served) -> None:
    async with served.agent("one") as one:
        tick = (await one.obs())["tick"]
        await one.act()
        assert (await one.obs())["tick"] == tick + 1
        await one.act(tick, tasks=[{"id": "late", "type": "STOP"}])
        await no_tick(served)
        await one.act(tick + 1)
        assert [event["ref"] for event in (await one.obs())["events"]] == ["late"]
        await one.send("nonsense")  # whoever sends it waits for the answer
        assert (await one.obs())["events"][0]["code"] == "E_BAD_REQUEST"
        await one.act(0)
        assert (await one.obs())["events"][0]["code"] == "E_STALE"


@with_server(clock="lockstep")
async def test_more_than_fits_into_a_tick_cannot_block_it(served: Served) -> None:
    async with served.agent("one") as one:
        tick = (await one.obs())["tick"]
        await one.act()
        await one.obs()
        for n in range(ACTS_PER_TICK + 4):
            await one.act(tick, tasks=[{"id": f"late{n}", "type": "STOP"}])
        answers = 0
        while answers < ACTS_PER_TICK + 4:
            answers += len((await one.obs())["events"])


@with_server(clock="max", tick_rate_hz=1)
async def test_at_full_speed_ticks_follow_each_other_at_once(served: Served) -> None:
    async with served.agent() as mole:
        first = await mole.obs()
        assert mole.welcome["world_params"]["tick_rate_hz"] == 1
        while mole.last["tick"] < first["tick"] + 100:  # at one a second the test would run out of patience
            await mole.obs()


def test_stopping_does_not_wait_for_a_move(tmp_path: Path) -> None:
    @with_server(clock="lockstep")
    async def play(served: Served) -> None:
        async with served.agent() as mole:
            await mole.obs()
            served.live.loop.stop()
            await asyncio.wait_for(served.live.loop.stopped.wait(), 5)

    play(tmp_path)
