"""When ticks happen: by the clock, when everyone has moved, at once."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSMsgType

from tests.server.serving import PATIENCE_SECONDS, Served, with_server
from thorp.server.live import clocks, tick_loop
from thorp.server.live.clocks import RealClock, make_clock
from thorp.server.processes import runtime
from thorp.server.processes.replay import NICENESS, Replay
from thorp.server.sockets.agents import TAKEN_OVER
from thorp.server.sockets.lockstep import MISSED_MOVES
from thorp.server.sockets.tick_inbox import ACTS_PER_TICK


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


def test_a_late_tick_is_counted_and_the_next_is_not_put_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    starts, clock = starts_of(FakeTime(monkeypatch), [0.01, 0.25, 0.01, 0.01])
    assert starts == [0.0, 0.2, 0.45, 0.6]
    assert (clock.late, clock.skipped) == (1, 0)


def test_slots_that_are_over_are_skipped_and_not_caught_up_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    starts, clock = starts_of(FakeTime(monkeypatch), [1.05, 0.01, 0.01])
    assert starts == [0.0, 1.05, 1.2]
    assert (clock.late, clock.skipped) == (1, 4)


def test_half_a_tick_lies_between_what_two_ticks_send(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a late tick the next one begins in its slot, and what it sends waits."""
    time = FakeTime(monkeypatch)

    async def run(work: list[float]) -> list[float]:
        clock, stop, sent = RealClock(5), asyncio.Event(), []
        for seconds in work:
            await clock.wait(stop)
            time.now += seconds
            await clock.before_release(stop)
            sent.append(round(time.now - 1000.0, 3))
        return sent

    assert asyncio.run(run([0.01, 0.19, 0.01, 0.01, 0.01])) == [0.01, 0.39, 0.49, 0.61, 0.81]


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


NO_MOVES = {
    "late": lambda tick: act(tick - 1),
    "stale": lambda tick: act(0),
    "of a tick far ahead": lambda tick: act(tick + 2),
    "unreadable": lambda tick: "nonsense",
    "without a tick": lambda tick: json.dumps({"type": "ACT", "protocol_version": "0.9"}),
    "of another type": lambda tick: '{"type":"NOISE"}',
}


def act(tick: int, **parts: Any) -> str:
    return json.dumps({"type": "ACT", "protocol_version": "0.9", "tick": tick, **parts})


@pytest.mark.parametrize("kind", NO_MOVES)
def test_only_an_act_for_the_current_tick_is_a_move(kind: str, tmp_path: Path) -> None:
    @with_server(clock="lockstep")
    async def play(served: Served) -> None:
        async with served.agent("one") as one:
            for _ in range(4):
                await one.obs()
                await one.act()
            tick = (await one.obs())["tick"]
            await one.send(NO_MOVES[kind](tick))
            await no_tick(served)
            await one.act()
            obs = await one.obs()
            assert obs["tick"] == tick + 1
            assert len(obs["events"]) == (
                kind not in ("of another type", "late")
            )  # it hears of it now

    play(tmp_path)


@pytest.mark.parametrize("ahead", [0, 1])
def test_an_act_that_is_in_time_is_a_move_whatever_it_asks_for(ahead: int, tmp_path: Path) -> None:
    """The current tick is that of the last OBS, or by another way of counting the one it leads
    to."""

    @with_server(clock="lockstep")
    async def play(served: Served) -> None:
        async with served.agent("one") as one:
            tick = (await one.obs())["tick"]
            await one.act(tick + ahead, tasks=[{"id": "what", "type": "DANCE"}])
            obs = await one.obs()
            assert (obs["tick"], obs["events"][0]["ref"]) == (tick + 1, "what")

    play(tmp_path)


@with_server(clock="lockstep")
async def test_more_than_fits_into_a_tick_cannot_block_it(served: Served) -> None:
    async with served.agent("one") as one:
        tick = (await one.obs())["tick"]
        await one.act()
        await one.obs()
        for n in range(ACTS_PER_TICK + 4):
            await one.act(tick, tasks=[{"id": f"late{n}", "type": "STOP"}])
        answers = len((await one.obs())["events"])
        assert answers == ACTS_PER_TICK
        while answers < ACTS_PER_TICK + 4:
            await one.act()
            answers += len((await one.obs())["events"])


@with_server(clock="lockstep", move_deadline_seconds=0.2)
async def test_a_seat_that_misses_the_move_deadline_passes(served: Served) -> None:
    async with served.agent("quick") as quick, served.socket() as silent:
        await quick.obs()
        await silent.hello("silent")
        await quick.act()
        await silent.greeted()
        await served.caught_up(quick)
        for _ in range(MISSED_MOVES):
            await quick.act()
            await no_tick(served, 0.05)
            await quick.obs()
        assert served.live.loop.clock.late == MISSED_MOVES
        for _ in range(20):  # nobody waits for it any more
            await quick.act()
            await quick.obs()
        assert served.live.loop.clock.late == MISSED_MOVES
        await served.caught_up(silent)
        await silent.act()  # it is there again
        await quick.act()
        await quick.obs()
        await quick.act()
        await no_tick(served, 0.05)
        await quick.obs()
        assert served.live.loop.clock.late == MISSED_MOVES + 1


@with_server(clock="lockstep", move_deadline_seconds=0.05)
async def test_where_all_are_silent_time_stands_still(served: Served) -> None:
    async with served.agent("silent") as silent:
        for _ in range(1 + MISSED_MOVES):
            await silent.obs()
        await no_tick(served)
        await silent.act()
        assert (await silent.obs())["tick"] == served.live.service.world.tick


@with_server(clock="lockstep", move_deadline_seconds=3600)
async def test_a_silent_seat_is_taken_over_at_once_with_its_own_token(served: Served) -> None:
    async with served.agent("mole") as silent:
        await silent.obs()
        async with served.agent("mole", silent.token) as again:
            assert again.id == silent.id
            assert (await silent.closed()).code == TAKEN_OVER
            tick = (await again.obs())["tick"]
            await again.act()
            assert (await again.obs())["tick"] == tick + 1


@with_server(clock="lockstep", move_deadline_seconds=3600)
async def test_pings_are_answered_while_a_newcomer_waits_for_its_tick(served: Served) -> None:
    async with served.agent("slow") as slow:
        await slow.obs()
        async with served.socket(autoping=False) as newcomer:
            await newcomer.hello("newcomer")
            for text in (b"one", b"two"):
                await newcomer.socket.ping(text)
                answer = await newcomer.socket.receive(PATIENCE_SECONDS)
                assert (answer.type, bytes(answer.data)) == (WSMsgType.PONG, text)
            await newcomer.act(
                slow.last["tick"] + 1
            )  # it may send early, and is heard when it is in
            await slow.act()
            await newcomer.greeted()
            await newcomer.obs()
            await slow.obs()
            await slow.act()
            assert (await slow.obs())["tick"] == served.live.service.world.tick


class SlowAppends:
    """A journal whose disk is slow now and then, and when frames were let go after it."""

    def __init__(self, served: Served, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
        self.released: list[float] = []
        service, agents = served.live.service, served.live.agents
        append, release = service._append, agents.release

        def slow_append(records: list[bytes]) -> None:
            if len(self.released) % 4 == 3:
                time.sleep(seconds)
            append(records)

        def noted_release() -> None:
            self.released.append(time.monotonic())
            release()

        monkeypatch.setattr(service, "_append", slow_append)
        monkeypatch.setattr(agents, "release", noted_release)


def test_a_slow_disk_is_counted_and_logged_and_no_two_obs_come_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tick_loop, "SLOW_SYNC_SECONDS", 0.1)

    @with_server(tick_rate_hz=10)
    async def play(served: Served) -> None:
        journal = SlowAppends(served, monkeypatch, 0.15)
        async with served.agent() as mole:
            while len(journal.released) < 12:
                await mole.obs()
            assert served.live.loop.slow_syncs >= 2
            text = (await served.get("/metrics"))[1]
            assert re.search(r"^thorp_slow_syncs_total\{.*\} [1-9]", text, re.MULTILINE)
        gaps = [
            after - before
            for before, after in zip(journal.released, journal.released[1:], strict=False)
        ]
        assert min(gaps) > 0.03  # half a tick, less what a busy machine takes between two lines

    play(tmp_path)
    assert len([record for record in caplog.records if "the disk took" in record.message]) == 1


@with_server(clock="max", tick_rate_hz=1)
async def test_at_full_speed_ticks_follow_each_other_at_once(served: Served) -> None:
    async with served.agent() as mole:
        first = await mole.obs()
        assert mole.welcome["world_params"]["tick_rate_hz"] == 1
        while (
            mole.last["tick"] < first["tick"] + 100
        ):  # at one a second the test would run out of patience
            await mole.obs()


def test_stopping_does_not_wait_for_a_move(tmp_path: Path) -> None:
    @with_server(clock="lockstep")
    async def play(served: Served) -> None:
        async with served.agent() as mole:
            await mole.obs()
            served.live.loop.stop()
            await asyncio.wait_for(served.live.loop.stopped.wait(), 30)

    play(tmp_path)


def test_python_is_set_for_ticks_only_while_a_world_ticks() -> None:
    before = sys.getswitchinterval(), gc.isenabled()
    with runtime.Runtime():
        assert (sys.getswitchinterval(), gc.isenabled()) == (
            pytest.approx(runtime.SWITCH_SECONDS),
            False,
        )
        assert gc.get_freeze_count() > 0
    assert (sys.getswitchinterval(), gc.isenabled()) == (pytest.approx(before[0]), before[1])
    assert gc.get_freeze_count() == 0


def test_a_replay_gives_way_to_the_ticks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said, command = tmp_path / "said", tmp_path / "command"
    command.write_text(f"#!/bin/sh\nsleep 0.5\nnice > {said}\n")
    command.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(command))
    Replay(("world", "tape"))(1)
    assert int(said.read_text()) == min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
