"""Readers that do not keep up, on real sockets: they lose frames, hear what else is lost, hold up
nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.server.serving import RawAgent, Served, with_server
from thorp.protocol.act import MAX_ACTIONS
from thorp.voxel.observation.session import Session
from thorp.voxel.state.agent import KEPT_EVENTS, Agent
from thorp.voxel.tuning import RateLimits

WHISPERS = 1_300
TALKATIVE = RateLimits(whisper_max=10**6)


@with_server(tick_rate_hz=100)
async def test_a_slow_reader_loses_frames_but_no_results_and_delays_nobody(served: Served) -> None:
    async with served.agent("quick") as quick, served.narrow_socket() as slow:
        await slow.hello("slow", capabilities={"max_queue": 2})
        await slow.greeted()
        await slow.obs()
        stop_reading, go_on = reading_of(slow)
        session = session_of(served, slow)
        stop_reading()
        while not session.dropped:
            await quick.obs()
        asked: list[str] = []
        while session.dropped < 60:
            obs = await quick.obs()
            if len(asked) < 10 and obs["tick"] % 3 == 0:
                asked.append(f"r{len(asked)}")
                await slow.act(obs["tick"], tasks=[{"id": asked[-1], "type": "STOP"}])
        assert len(session) <= 2
        last_dropped = quick.last["tick"] - 2
        go_on()
        ticks, gaps = [slow.last["tick"]], 0
        answered: list[Any] = []
        while len(answered) < len(asked):
            obs = await slow.obs()
            if obs["tick"] != ticks[-1] + 1:
                gaps += 1
                assert obs["voxels"]["encoding"] == "RLE"  # a delta would build on what was lost
            ticks.append(obs["tick"])
            answered += [
                event["ref"] for event in obs["events"] if event["type"] == "ACTION_RESULT"
            ]
        assert gaps
        assert len(set(answered) - {"ACT"}) + answered.count("ACT") == len(
            asked
        )  # those were too late
        assert ticks == sorted(set(ticks))
        assert ticks[-1] >= last_dropped


def session_of(served: Served, agent: RawAgent) -> Session:
    session = served.live.agents._seats[int(agent.id[1:])].session
    assert session is not None
    return session


def body_of(served: Served, agent: RawAgent) -> Agent:
    return served.live.service.world.agents[int(agent.id[1:])]


async def whisper(teller: RawAgent, listener: str, count: int) -> None:
    """Tell someone the numbers from 0 on, and wait until every one of them has been taken."""
    for first in range(0, count, MAX_ACTIONS):
        numbers = range(first, min(first + MAX_ACTIONS, count))
        wishes = [
            {"id": f"w{n}", "type": "WHISPER", "to": listener, "text": f"{n}"} for n in numbers
        ]
        taken = False
        while not taken:  # on a busy machine an ACT may come too late
            await teller.act(instants=wishes)
            taken = (await teller.event("ACTION_RESULT"))["ok"]


class Ear:
    """Everything that one agent was told, however often it came back."""

    def __init__(self) -> None:
        self.told = 0
        self.heard: list[int] = []
        self.losses: list[int] = []
        self.results: list[str] = []
        self.late_results = 0

    def take(self, obs: dict[str, Any]) -> None:
        for event in obs["events"]:
            self.told += event["type"] != "EVENTS_LOST"
            match event["type"]:
                case "CHAT":
                    self.heard.append(int(event["text"]))
                case "EVENTS_LOST":
                    assert event is obs["events"][0]
                    assert event["t"] == obs["tick"]
                    self.losses.append(event["count"])
                case "ACTION_RESULT":
                    self.results.append(event["ref"])
                    self.late_results += event["t"] != obs["tick"]


@with_server(tick_rate_hz=100, rate_limits=TALKATIVE, world_events=False)
async def test_an_agent_hears_once_how_many_events_were_lost(served: Served) -> None:
    async with served.agent("teller") as teller, served.narrow_socket() as slow:
        await slow.hello("slow", capabilities={"max_queue": 3})
        await slow.greeted()
        before = Ear()
        before.take(await slow.obs())
        stop_reading, go_on = reading_of(slow)
        session = session_of(served, slow)
        stop_reading()
        while not session.dropped:
            await teller.obs()
        await whisper(teller, slow.id, WHISPERS)
        await slow.act(teller.last["tick"], tasks=[{"id": "unread", "type": "STOP"}])
        calm = session.dropped + 10  # by now whatever waits was written after the last whisper
        while session.dropped < calm:
            await teller.obs()
        go_on()
        ear = Ear()
        while before.told + ear.told + sum(ear.losses) < body_of(served, slow).event_log.next:
            ear.take(await slow.obs())
        assert len(ear.losses) == 1
        assert before.told + ear.told + ear.losses[0] == body_of(served, slow).event_log.next
        assert len(ear.heard) == len(set(ear.heard)) == WHISPERS - ear.losses[0]
        assert len(ear.results) == 1
        await served.caught_up(slow)
        await slow.act(tasks=[{"id": "later", "type": "STOP"}])
        result = await slow.event("ACTION_RESULT")
        assert result["t"] == slow.last["tick"]
        assert slow.last["events"][-1] == result


@with_server(tick_rate_hz=100, rate_limits=TALKATIVE, world_events=False)
async def test_results_ride_in_their_tick_while_a_backlog_is_worked_off(served: Served) -> None:
    async with served.agent("teller") as teller:
        async with served.agent("away") as away:
            await away.obs()
        while body_of(served, away).attached:
            await teller.obs()
        await whisper(teller, away.id, WHISPERS)
        async with served.agent("away", token=away.token) as back:
            ear = Ear()
            ear.take(await back.obs())
            (lost,) = ear.losses
            assert lost == body_of(served, back).event_log.next - KEPT_EVENTS
            assert ear.heard[0] == WHISPERS - KEPT_EVENTS
            asked = 0
            while ear.heard[-1] != WHISPERS - 1:
                await back.act(tasks=[{"id": f"r{asked}", "type": "STOP"}])
                asked += 1
                while len(ear.results) < asked:
                    ear.take(await back.obs())
            assert ear.losses == [lost]
            assert ear.heard == list(range(WHISPERS - KEPT_EVENTS, WHISPERS))
            assert ear.late_results == 0


def reading_of(agent: RawAgent) -> tuple[Callable[[], None], Callable[[], None]]:
    """How to stop a client from reading, and how to go on."""
    connection = agent.socket._response.connection
    assert connection is not None
    transport = connection.transport
    assert transport is not None
    return transport.pause_reading, transport.resume_reading
