"""Processes that hold the agents' sockets: they send what one process would, and may die."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSMsgType

from tests.server.serving import PATIENCE_SECONDS, RawAgent, Served, run, serving
from thorp.server.sockets import admission
from thorp.server.sockets import senders as server_senders
from thorp.server.sockets.senders import DividedAgents, RemoteConnection
from thorp.store import RealDisk
from thorp.voxel import verify
from thorp.voxel.observation.session import SENT_REMEMBERED

AGENTS = 5
TICKS = 25


# Processes start slowly on a busy machine.
PATIENCE = 240.0


async def ready(served: Served, senders: int) -> None:
    """Wait until so many senders take connections."""
    await until(lambda: sum(one.done_tick >= 0 for one in divided(served).senders) == senders)


async def until(happened: Callable[[], bool]) -> None:
    while not happened():
        await asyncio.sleep(0.02)


def divided(served: Served) -> DividedAgents:
    agents = served.live.agents
    assert isinstance(agents, DividedAgents)
    return agents


def wish(number: int, tick: int) -> dict[str, Any]:
    """What an agent asks for: to walk, to dig, to speak, to note something, and now and then
    nonsense."""
    wishes: tuple[dict[str, Any], ...] = (
        {
            "tasks": [
                {
                    "id": "m",
                    "type": "MOVE_TO",
                    "target": [3 * number - tick, 27, tick],
                    "tolerance": 1,
                }
            ]
        },
        {"instants": [{"id": "s", "type": "SAY", "text": f"{number} at {tick}"}]},
        {"tasks": [{"id": "d", "type": "MINE", "block_pos": [number, 26, tick % 3]}]},
        {"instants": [{"id": "k", "type": "SAVE_MEMORY", "key": f"k{tick}", "value": "v"}]},
        {"instants": [{"id": "l", "type": "LOAD_MEMORY", "prefix": "k"}]},
        {"tasks": [{"id": "f", "type": "FOLLOW", "target_id": f"A{1 + (number + 1) % AGENTS}"}]},
        {
            "instants": [
                {"id": "b", "type": "POST_BOARD", "board_id": "news", "title": "T", "body": "B"}
            ]
        },
        {"instants": [{"id": "n", "type": "NONSENSE"}]},
    )
    if number == 0:  # what it digs away is a small change of what it sees
        return {"tasks": [{"id": "d", "type": "MINE", "block_pos": [1, 26, 0]}]}
    return wishes[(number + tick) % len(wishes)]


async def read_obs(agent: RawAgent) -> str:
    message = await agent.socket.receive(PATIENCE_SECONDS)
    assert message.type is WSMsgType.TEXT
    return str(message.data)


async def play(
    data: Path, senders: int, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[list[str]], str]:
    """Play the same in lockstep: what everyone has received, and the digest in the end."""
    numbers = count(1)
    monkeypatch.setattr(admission, "new_token", lambda: f"resume_world_1_{next(numbers)}")
    async with (
        serving(data, clock="lockstep", senders=senders) as served,
        AsyncExitStack() as stack,
    ):
        if senders:
            await ready(served, senders)
        agents: list[RawAgent] = []
        received: list[list[str]] = []

        async def everyone_acts(tick: int) -> None:
            for number, agent in enumerate(agents):
                received[number].append(await read_obs(agent))
            for number, agent in enumerate(agents):
                await agent.act(tick=tick, **wish(number, tick))

        for number in range(AGENTS):
            newcomer = await stack.enter_async_context(served.socket())
            await newcomer.hello(f"agent {number}", capabilities={"delta_voxels": number % 2 == 0})
            if number:  # it must wait before the others let time pass
                await until(lambda: served.live.agents.queue_depths["join"] == 1)
                await everyone_acts(number)
            await newcomer.greeted()
            agents.append(newcomer)
            received.append([])
        for tick in range(AGENTS, TICKS):
            await everyone_acts(tick)
        for number, agent in enumerate(agents):
            received[number].append(await read_obs(agent))
        assert served.live.service.world.tick == TICKS
        if senders:
            assert all(sender.connections for sender in divided(served).senders)
        return received, served.live.service.digest()


def test_agents_of_two_senders_receive_what_one_process_sends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone, digest = run(play(tmp_path / "alone", 0, monkeypatch), PATIENCE)
    shared, same = run(play(tmp_path / "shared", 2, monkeypatch), PATIENCE)
    assert shared == alone
    assert same == digest
    assert any('"memory":[{' in obs for seen in alone for obs in seen)
    assert any('"DELTA"' in obs for seen in alone for obs in seen)


def test_agents_of_a_killed_sender_come_back_while_the_others_play_on(tmp_path: Path) -> None:
    async def whole() -> None:
        async with serving(tmp_path, senders=2) as served, AsyncExitStack() as stack:
            await ready(served, 2)
            pair = [await stack.enter_async_context(served.agent(name)) for name in ("one", "two")]
            for agent in pair:
                await agent.obs()
            first, second = divided(served).senders
            victim = next(agent for agent in pair if int(agent.id[1:]) in numbers(first))
            other = next(agent for agent in pair if int(agent.id[1:]) in numbers(second))
            os.kill(first.process.pid, signal.SIGKILL)
            await victim.closed()
            world = served.live.service.world
            await until(lambda: not world.agents[int(victim.id[1:])].attached)
            async with served.agent("one", victim.token) as back:
                assert back.id == victim.id
                await back.obs()
                await back.act(instants=[{"id": "hi", "type": "SAY", "text": "here again"}])
                assert (await back.result("hi"))["ok"]
                tick = world.tick
                while (await other.obs())["tick"] < tick:
                    pass
                await ready(served, 2)
                async with served.agent("three") as third:  # which the new one holds
                    await third.obs()
                    assert divided(served).senders[-1].connections

    run(whole(), PATIENCE)


def numbers(sender: Any) -> list[int]:
    return [connection.number for connection in sender.connections.values()]


@pytest.mark.parametrize("senders", [0, 2])
def test_what_was_heard_long_ago_does_not_come_again_to_who_takes_over(
    tmp_path: Path, senders: int
) -> None:
    """The listener never acts: only whoever sent to it knows how far it has read."""

    async def whole() -> None:
        async with serving(tmp_path, senders=senders) as served, AsyncExitStack() as stack:
            if senders:
                await ready(served, senders)
            names = (
                "listener",
                "second",
                "third",
            )  # so that the fourth connection goes to the other sender
            listener, *_ = [await stack.enter_async_context(served.agent(name)) for name in names]
            heard = await listener.event("WORLD_EVENT")
            for _ in range(SENT_REMEMBERED + 10):
                await listener.obs()
            seats = served.live.agents._seats
            before = seats[int(listener.id[1:])]
            async with served.agent("listener", listener.token) as again:
                assert again.id == listener.id
                assert heard not in [
                    event for _ in range(3) for event in (await again.obs())["events"]
                ]
                now = seats[int(again.id[1:])]
                if isinstance(before, RemoteConnection) and isinstance(now, RemoteConnection):
                    assert now.sender is not before.sender

    run(whole(), PATIENCE)


def test_a_server_with_senders_starts_again_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_senders, "CLOSE_SECONDS", PATIENCE)

    async def first() -> tuple[str, str]:
        async with AsyncExitStack() as stack:
            served = await stack.enter_async_context(serving(tmp_path, senders=1))
            await ready(served, 1)
            mole = await stack.enter_async_context(served.agent("mole"))
            await mole.obs()
            await mole.act(instants=[{"id": "hi", "type": "SAY", "text": "hello"}])
            assert (await mole.result("hi"))["ok"]
            early = await stack.enter_async_context(served.socket())
            stopping = asyncio.create_task(divided(served).stop(1001, "the server is stopping"))
            assert (await mole.closed()).code == 1001
            await early.hello()
            assert (await early.closed()).code == 1001
            await stopping
            late = await stack.enter_async_context(served.socket())
            await late.hello()
            assert (await late.closed()).code == 1001
            return mole.id, mole.token

    async def then(mole_id: str, token: str) -> None:
        async with AsyncExitStack() as stack:
            served = await stack.enter_async_context(serving(tmp_path, senders=1))
            await ready(served, 1)
            mole = await stack.enter_async_context(served.agent("mole", token))
            assert mole.id == mole_id
            await mole.obs()
            status, _ = await served.get("/readyz")
            assert status == 200
            _, metrics = await served.get("/metrics")
            spent = re.search(
                r'thorp_process_cpu_seconds_total\{.*process="sender 1"\} (.+)', metrics
            )
            assert spent is not None
            assert float(spent[1]) > 0

    run(then(*run(first(), PATIENCE)), PATIENCE)
    assert verify(RealDisk(), tmp_path / "world").ok
