"""The agent kit against a bad network and a bad server: it comes back as itself, or says why
not."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.client.scripted import Peer, Script, endless, play, result, serve
from tests.protocol import samples
from tests.server.serving import serving
from thorp.client import (
    Agent,
    ClientError,
    Gibberish,
    Rejected,
    Unreachable,
    connect,
    connection,
    mine,
    say,
)
from thorp.client.connection import agent_url
from thorp.protocol.session import Phase


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "FIRST_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(connection, "HANDSHAKE_SECONDS", 0.3)


async def back_again(peer: Peer) -> None:
    """The second connection: the same body, at a later tick."""
    greeting = await peer.greet(token="resume_2")
    assert greeting["auth"] == {"token": "resume_1"}
    peer.tick = 9
    await endless(peer, voxels=samples.voxels(cells=samples.cube({(0, 1, 0): 3})))


async def until(agent: Agent, tick: int) -> None:
    while agent.tick < tick:
        await agent.observe()


async def seen_again(agent: Agent) -> None:
    await until(agent, 10)
    assert (agent.id, agent.token) == ("A1", "resume_2")
    assert agent.find("LOG") == (0, 21, 0)


async def pull_the_cable(peer: Peer) -> None:
    peer.cut()


async def pull_it_within_a_frame(peer: Peer) -> None:
    peer.cut(within_a_frame=True)


async def go_away(peer: Peer) -> None:
    await peer.close(1001, "restarting")


async def just_return(peer: Peer) -> None:
    pass


@pytest.mark.parametrize("end", [pull_the_cable, pull_it_within_a_frame, go_away, just_return])
def test_a_broken_connection_is_made_anew_with_the_newest_token(end: Script) -> None:
    async def script(peer: Peer) -> None:
        greeting = await peer.greet()
        assert "auth" not in greeting
        await peer.obs()
        await end(peer)

    play(script, back_again, scenario=seen_again)


def test_a_server_that_never_answers_is_named_with_the_reason() -> None:
    """A time-out has no words of its own."""

    async def scenario() -> None:
        timeout = aiohttp.ClientTimeout(total=0.2)
        async with aiohttp.ClientSession(timeout=timeout) as http:
            url = f"ws://127.0.0.1:{silent.getsockname()[1]}/v1/ws"
            hello = connection.hello("mole", None, delta_voxels=True, max_queue=8)
            quiet = connection.Connection(http, url, hello, access_token=None, patience_seconds=0)
            with pytest.raises(Unreachable, match=r"TimeoutError$"):
                await anext(quiet.messages())

    with socket.create_server(("127.0.0.1", 0)) as silent:
        asyncio.run(scenario())


def test_it_keeps_trying_while_the_server_is_down() -> None:
    async def first(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()

    async def full(peer: Peer) -> None:
        await peer.close(1013, "the world is full")

    async def silent(peer: Peer) -> None:
        await peer.receive()
        await asyncio.sleep(2)

    play(first, pull_the_cable, full, silent, back_again, scenario=seen_again)


def test_a_resume_token_gives_the_same_body_back() -> None:
    async def scenario(url: str) -> None:
        async with connect(url, "mole", "resume_1") as agent:
            assert agent.token == "resume_2"

    asyncio.run(serve([back_again], scenario))


def test_what_was_asked_before_the_break_is_answered_after_it() -> None:
    refs: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        refs.append((await peer.act())["tasks"][0]["id"])
        peer.cut()

    async def answering(peer: Peer) -> None:
        await peer.greet(token="resume_2")
        done = {"t": 4, "type": "TASK_DONE", "task_id": "T000001", "kind": "MINE"}
        await peer.obs(10, events=[result(refs[0], ok=True, task_id="T000001"), done])
        await endless(peer)

    async def scenario(agent: Agent) -> None:
        assert await agent.do(mine((1, 2, 3)))

    play(script, answering, scenario=scenario)


def test_acting_waits_for_the_connection_and_uses_its_tick() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        await peer.receive()

    async def second(peer: Peer) -> None:
        await peer.greet()
        await asyncio.sleep(0.05)
        await peer.obs(50)
        message = await peer.act()
        assert message["tick"] >= 50
        await peer.obs(events=[result(message["instants"][0]["id"], ok=True)])
        await endless(peer)

    async def scenario(agent: Agent) -> None:
        await agent.act()
        while agent._session.phase is Phase.LIVE:
            await asyncio.sleep(0.001)
        assert await agent.do(say("still here"))

    play(script, second, scenario=scenario)


def test_another_body_answers_nothing_that_was_asked() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        await peer.act()

    async def stranger(peer: Peer) -> None:
        await peer.greet("A2", "resume_9")
        await endless(peer)

    async def scenario(agent: Agent) -> None:
        outcome = await agent.do(mine((1, 2, 3)))
        assert outcome.code == "LOST"
        assert "A2" in outcome.message
        assert (agent.id, agent.token) == ("A2", "resume_9")

    play(script, stranger, scenario=scenario)


@pytest.mark.parametrize("code", [1008, 4001])
def test_a_server_that_says_no_is_not_asked_again(code: int) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        await peer.close(code, "taken over")

    async def scenario(agent: Agent) -> None:
        with pytest.raises(Rejected, match="taken over"):
            await until_it_ends(agent)
        with pytest.raises(Rejected, match="taken over"):
            await agent.do(say("hello?"))

    play(script, scenario=scenario)


def refused(*scripts: Script, **options: Any) -> ClientError:
    with pytest.raises(ClientError) as caught:
        play(*scripts, scenario=until_it_ends, **options)
    return caught.value


async def until_it_ends(agent: Agent) -> None:
    while True:
        await agent.observe()


def test_a_refused_hello_says_why() -> None:
    async def script(peer: Peer) -> None:
        await peer.close(1008, "bad protocol_version")

    error = refused(script)
    assert isinstance(error, Rejected)
    assert "bad protocol_version" in error.message


def test_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thorp.client.connection.random.uniform", lambda low, high: high)

    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()

    error = refused(script, *[pull_the_cable] * 2, patience_seconds=0.02)
    assert isinstance(error, Unreachable)
    assert "no way back in" in error.message


def test_a_server_that_says_nothing() -> None:
    async def script(peer: Peer) -> None:
        await peer.receive()
        await asyncio.sleep(1)

    error = refused(script)
    assert isinstance(error, Unreachable)
    assert "the server says nothing" in error.message


@pytest.mark.parametrize(
    "message",
    ["nonsense", "[]", '{"type":"OBS"}', samples.obs(2, inventory=5), samples.welcome(catalogs=[])],
)
def test_a_server_that_talks_nonsense(message: object) -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        await peer.send(message)
        await peer.receive()

    assert isinstance(refused(script), Gibberish)


def test_messages_of_other_kinds_are_passed_over() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.send({"type": "ACK", "ack_for": "x"})
        await peer.obs(future_field={"x": 1})
        await peer.receive()

    async def scenario(agent: Agent) -> None:
        assert agent.tick == 1

    play(script, scenario=scenario)


def test_observations_twice_late_and_early() -> None:
    async def script(peer: Peer) -> None:
        await peer.send(samples.obs(99))
        await peer.greet()
        await peer.obs(5, events=[{"t": 5, "type": "CHAT", "text": "a"}])
        await peer.obs(5, events=[{"t": 5, "type": "CHAT", "text": "a"}])
        await peer.obs(3)
        ref = (await peer.act())["instants"][0]["id"]
        await peer.obs(4, events=[result(ref, ok=True)])
        await peer.obs(6)
        await endless(peer)

    async def scenario(agent: Agent) -> None:
        obs = await agent.observe()
        assert (obs.tick, len(obs.events)) == (5, 1)
        assert await agent.do(say("hi"))
        await until(agent, 6)

    play(script, scenario=scenario)


def test_changes_without_a_cube_before_them_show_nothing() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs(voxels=samples.delta({(0, 0, 0): 3}))
        await asyncio.sleep(0.05)
        await peer.obs(voxels=samples.voxels(cells=samples.cube({(0, 0, 0): 3})))
        await peer.receive()

    async def scenario(agent: Agent) -> None:
        assert agent.block(0, 20, 0) is None
        assert agent.find("LOG", "AIR") is None
        await until(agent, 2)
        assert agent.block(0, 20, 0) == "LOG"

    play(script, scenario=scenario)


def test_a_catalog_in_parts() -> None:
    async def script(peer: Peer) -> None:
        await peer.receive()
        await peer.send(samples.welcome())
        await peer.send(samples.catalog("block_palette", ["AIR", "DIRT"], total_parts=2))
        await peer.send(samples.catalog("block_palette", ["LOG"], part=2, total_parts=2))
        await peer.obs(voxels=samples.voxels(cells=samples.cube({(0, 0, 0): 2, (0, 0, 1): 9})))
        await peer.receive()

    async def scenario(agent: Agent) -> None:
        assert agent.find("LOG") == (0, 20, 0)
        assert agent.block(0, 20, 1) == "#9"

    play(script, scenario=scenario)


def test_the_access_token_travels_in_the_header() -> None:
    async def script(peer: Peer) -> None:
        assert peer.request.headers["Authorization"] == "Bearer s3cret"
        greeting = await peer.greet()
        assert "s3cret" not in str(greeting)
        await peer.obs()
        await peer.receive()

    async def scenario(agent: Agent) -> None:
        await agent.observe()

    play(script, scenario=scenario, access_token="s3cret")


def test_errors_of_the_author_come_out_unchanged() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await endless(peer)

    async def scenario(agent: Agent) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError):
        play(script, scenario=scenario)


@pytest.mark.parametrize(
    ("given_url", "used"),
    [
        ("ws://127.0.0.1:8080/v1/ws", "ws://127.0.0.1:8080/v1/ws"),
        ("127.0.0.1:8080", "ws://127.0.0.1:8080/v1/ws"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1/ws"),
        ("wss://play.example/other", "wss://play.example/other"),
    ],
)
def test_addresses(given_url: str, used: str) -> None:
    assert str(agent_url(given_url)) == used


@pytest.mark.parametrize("wrong", ["", "ftp://x/", "ws://", "http:///v1"])
def test_what_is_no_address(wrong: str) -> None:
    with pytest.raises(Unreachable):
        agent_url(wrong)


def test_a_world_that_is_still_loading_is_waited_for() -> None:
    refusals = [503, 503]

    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        await peer.receive()

    async def scenario(agent: Agent) -> None:
        assert agent.tick == 1
        assert refusals == []

    play(script, scenario=scenario, refusals=refusals)


@pytest.mark.parametrize(
    ("status", "error"), [(404, Unreachable), (401, Rejected), (403, Rejected)]
)
def test_a_server_that_refuses_the_upgrade(status: int, error: type[ClientError]) -> None:
    with pytest.raises(error):
        play(scenario=until_it_ends, refusals=[status])


def test_a_wrong_path_is_answered_with_the_right_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with serving(tmp_path) as served:
            with pytest.raises(Unreachable) as caught:
                async with connect(served.url("/nowhere", "ws"), "mole"):
                    pass
            assert caught.value.message.endswith(
                "no agent protocol there (status 404); use /v1/ws, or only host:port"
            )

    asyncio.run(scenario())
