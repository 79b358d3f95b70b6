"""Many agents in one event loop, against a server that does with them what a test says."""

from __future__ import annotations

import asyncio

import pytest

from tests.client.scripted import Peer, Script, endless, serve
from thorp.client import Agent, ClientError, Rejected, Unreachable, crew
from thorp.client.crew import run_agents


class Looker:
    """An agent that looks around so many times, and is done."""

    title = "looker"

    def __init__(self, name: str, looks: int = 1) -> None:
        self.name = name
        self.looks = looks
        self.seen = 0

    async def live(self, agent: Agent) -> None:
        for _ in range(self.looks):
            await agent.observe()
            self.seen += 1


def welcoming(agent_id: str, heard: list[str]) -> Script:
    async def script(peer: Peer) -> None:
        greeting = await peer.greet(agent_id)
        heard.append(f"{greeting['agent_name']} the {greeting['title']}")
        await peer.obs()
        await endless(peer)

    return script


def closing(code: int, reason: str) -> Script:
    async def script(peer: Peer) -> None:
        await peer.receive()
        await peer.close(code, reason)

    return script


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "SETTLE_SECONDS", 0.02)


def test_who_is_told_to_come_again_does() -> None:
    heard: list[str] = []
    agents = [Looker("ann", looks=30), Looker("bob", looks=2)]
    full = [closing(1013, "too many new bodies")] * 3

    async def scenario(url: str) -> None:
        await run_agents(url, agents, keep=True, say=heard.append)

    asyncio.run(serve([welcoming("A1", heard), *full, welcoming("A2", heard)], scenario))
    assert heard == ["ann the looker", "bob the looker"]
    assert [agent.seen for agent in agents] == [30, 2]


def test_one_that_is_turned_away_does_not_disturb_the_others() -> None:
    heard: list[str] = []
    agents = [Looker("ann", looks=5), Looker("bob")]

    async def scenario(url: str) -> None:
        await run_agents(url, agents, keep=True, say=heard.append)

    asyncio.run(serve([welcoming("A1", heard), closing(1008, "not you")], scenario))
    assert heard[0] == "ann the looker"
    assert heard[1].startswith("bob: ")
    assert heard[1].endswith("not you")
    assert [agent.seen for agent in agents] == [5, 0]


@pytest.mark.parametrize(("code", "error"), [(1013, Unreachable), (1008, Rejected)])
def test_if_nobody_gets_in_the_reason_is_raised(code: int, error: type[ClientError]) -> None:
    async def scenario(url: str) -> None:
        with pytest.raises(error, match="full"):
            await run_agents(url, [Looker("ann"), Looker("bob")])

    asyncio.run(serve([closing(code, "full"), closing(code, "full")], scenario))


def test_an_agent_that_idles_and_loses_its_connection_is_done_once() -> None:
    """Ann is done at once and then cut off; that does not end the run of bob."""
    heard: list[str] = []
    agents = [Looker("ann"), Looker("bob", looks=40)]

    async def leaving(peer: Peer) -> None:
        await peer.greet("A1")
        for _ in range(5):
            await peer.obs()
        await peer.close(4001, "enough")

    async def scenario(url: str) -> None:
        await run_agents(url, agents, keep=True, say=heard.append)

    asyncio.run(serve([leaving, welcoming("A2", heard)], scenario))
    assert [agent.seen for agent in agents] == [1, 40]
    assert any(line.startswith("ann: ") for line in heard)
