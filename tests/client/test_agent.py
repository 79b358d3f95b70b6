"""The agent kit against a server that behaves."""

from __future__ import annotations

import asyncio
import io
import json

import pytest

from tests.client.scripted import Peer, endless, play, result
from tests.protocol import samples
from thorp.client import Agent, Outcome, actions, connect, craft, eat, mine, move_to, say, stop
from thorp.client.errors import Unreachable
from thorp.kernel.errors import LimitError
from thorp.protocol.act import read_act
from thorp.protocol.actions import Mine, Say
from thorp.protocol.session import GRACE_OBS, PATIENCE_OBS

TREE = samples.cube({(1, 0, 0): 3, (-2, 1, 0): 3, (0, -1, 0): 2})


async def idle(peer: Peer) -> None:
    await peer.greet()
    await peer.obs(voxels=samples.voxels(cells=TREE))
    await asyncio.sleep(0.02)
    await endless(peer)


def test_what_an_agent_sees() -> None:
    async def scenario(agent: Agent) -> None:
        obs = await agent.observe()
        assert obs is agent.obs
        assert (agent.id, agent.token, agent.tick) == ("A1", "resume_1", 1)
        assert (agent.position, agent.inventory, agent.entities) == ((0, 20, 0), {"PLANK": 20}, [])
        assert agent.welcome is not None
        assert agent.welcome.world_params.seed == 1337
        assert agent.catalogs["recipes"] == [{"recipe_id": "torch"}]
        assert (agent.block(1, 20, 0), agent.block(0, 19, 0), agent.block(0, 20, 0)) == (
            "LOG",
            "GRASS",
            "AIR",
        )
        assert agent.block(3, 20, 0) is None
        assert agent.find("LOG") == (1, 20, 0)
        assert agent.find("LOG", "GRASS", avoid=[(1, 20, 0)]) == (0, 19, 0)
        assert list(agent.find_all("LOG")) == [(1, 20, 0), (-2, 21, 0)]
        assert agent.find("CHEST") is None
        assert (await agent.observe()).tick == 2

    play(idle, scenario=scenario)


def test_events_of_observations_that_nobody_took_are_not_lost() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        for number in range(1, 6):
            await peer.obs(events=[{"t": number, "type": "CHAT", "text": str(number)}])
        await peer.receive()

    async def scenario(agent: Agent) -> None:
        while agent.tick < 5:
            await asyncio.sleep(0.001)
        obs = await agent.observe()
        assert obs.tick == 5
        assert [event["text"] for event in obs.events] == ["1", "2", "3", "4", "5"]

    play(script, scenario=scenario)


def test_changes_of_the_cube() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs(voxels=samples.voxels(cells=TREE))
        await peer.obs(voxels=samples.delta({(1, 0, 0): 0, (2, 2, 2): 4}))
        await peer.obs(voxels=samples.delta({(2, 2, 2): 5}, center=(1, 20, 0)))
        await peer.receive()

    async def scenario(agent: Agent) -> None:
        while agent.tick < 3:
            await agent.observe()
        assert agent.block(2, 20, 0) == "AIR"
        assert agent.find("WATER") == (3, 22, 2)
        assert agent.find("LOG") == (-1, 21, 0)

    play(script, scenario=scenario)


def test_what_is_sent_can_be_read_and_is_stamped() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs(41)
        message = await peer.act()
        act = read_act(json.dumps(message).encode())
        assert (message["agent_id"], act.tick, act.cancel) == ("A1", 41, ["T000009"])
        (said,), (mined, other) = act.instants, act.tasks
        assert said == Say(id="mine-1", text="hi", channel=None)
        assert isinstance(mined, Mine)
        assert mined.block_pos == (1, 2, 3)
        assert mined.id
        assert message["tasks"][1] == {"type": "CLAIM_LAND", "anchor": [0, 1, 2], "id": other.id}
        assert other.id not in ("", mined.id)

    async def scenario(agent: Agent) -> None:
        outcomes = await agent.act(
            instants=[Say(id="mine-1", text="hi")],
            tasks=[mine((1, 2, 3)), {"type": "CLAIM_LAND", "anchor": [0, 1, 2]}],
            cancel=["T000009"],
        )
        assert len(outcomes) == 3
        with pytest.raises(LimitError):
            await agent.act(tasks=[stop()] * 17)

    play(script, scenario=scenario)


def answer(*endings: dict[str, object], accept: bool = True) -> object:
    """A server that accepts a task and then ends it."""

    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        ref = (await peer.act())["tasks"][0]["id"]
        task = {"task_id": "T000007", "kind": "MINE", "progress": 0, "target": [0, 0, 0]}
        await peer.obs(events=[result("someone else's", ok=True, message="ok")], tasks=[])
        await peer.obs(events=[result(ref, ok=True, task_id="T000007")], tasks=[task])
        await peer.obs(
            events=[{"t": 1, "type": "TASK_DONE", "task_id": "T000001", "kind": "MINE"}],
            tasks=[task],
        )
        await peer.obs(events=list(endings))
        await endless(peer)

    return script


@pytest.mark.parametrize(
    ("ending", "outcome", "words"),
    [
        ({"type": "TASK_DONE", "kind": "MINE"}, (True, "", ""), "done"),
        (
            {"type": "TASK_FAIL", "code": "E_BLOCKED", "message": "in the way"},
            (False, "E_BLOCKED", "in the way"),
            "refused, E_BLOCKED: in the way. Something is in the way",
        ),
        (
            {
                "type": "TASK_FAIL",
                "code": "E_BLOCKED",
                "message": "too far",
                "hint": "3 cells away",
            },
            (False, "E_BLOCKED", "too far"),
            "refused, E_BLOCKED: too far. Hint: 3 cells away.",
        ),
    ],
)
def test_a_task_is_awaited_to_its_end(
    ending: dict[str, object], outcome: tuple[bool, str, str], words: str
) -> None:
    async def scenario(agent: Agent) -> None:
        got = await agent.do(mine((1, 20, 0)))
        assert (got.ok, got.code, got.message) == outcome
        assert got.task_id == "T000007"
        assert bool(got) is outcome[0]
        assert str(got).startswith(words)

    play(answer({"t": 4, "task_id": "T000007", **ending}), scenario=scenario)  # type: ignore[arg-type]


def test_a_task_that_ends_in_the_tick_it_began_in() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        ref = (await peer.act())["tasks"][0]["id"]
        done = {"t": 2, "type": "TASK_DONE", "task_id": "T000001", "kind": "PLACE"}
        await peer.obs(events=[result(ref, ok=True, task_id="T000001"), done])
        await peer.receive()

    async def scenario(agent: Agent) -> None:
        assert (await agent.do(actions.place((1, 2, 3), "PLANK"))).event["kind"] == "PLACE"

    play(script, scenario=scenario)


def test_refusals_and_instants() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        ref = (await peer.act())["instants"][0]["id"]
        cooldown = {"cooldown_ticks": 48, "cooldown_until_tick": 319}
        await peer.obs(
            events=[result(ref, ok=False, code="E_RATE_LIMIT", message="slow down", **cooldown)]
        )
        ref = (await peer.act())["instants"][0]["id"]
        await peer.obs(events=[result(ref, ok=True, message="ok")])
        ref = (await peer.act())["tasks"][0]["id"]
        await peer.obs(events=[result(ref, ok=True, message="stopped")])
        await endless(peer)

    async def scenario(agent: Agent) -> None:
        limited = await agent.do(say("hello"))
        assert not limited
        assert limited.cooldown_ticks == 48
        assert "Wait for the cooldown" in str(limited)
        assert str(await agent.do(eat("BERRIES"))) == "done: ok"
        assert (await agent.do(stop())).message == "stopped"

    play(script, scenario=scenario)


def test_what_came_too_late_is_sent_again() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        first = await peer.act()
        await peer.obs(
            9, events=[{**result("ACT", ok=False, code="E_STALE", message="too old"), "t": 9}]
        )
        second = await peer.act()
        assert (first["tick"], second["tick"]) == (1, 9)
        assert first["tasks"][0]["id"] != second["tasks"][0]["id"]
        await peer.obs(events=[result(second["tasks"][0]["id"], ok=True, message="stopped")])
        await endless(peer)

    async def scenario(agent: Agent) -> None:
        assert await agent.do(stop())

    play(script, scenario=scenario)


def test_a_refused_act_is_the_oldest_without_an_answer() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        first, _, third = [(await peer.act())["instants"][0]["id"] for _ in range(3)]
        await peer.obs(events=[result(first, ok=True, message="ok")])
        await peer.obs(events=[result("ACT", ok=False, code="E_BAD_REQUEST", message="tick: ...")])
        await peer.obs(events=[result(third, ok=True, message="ok")])
        await endless(peer)

    async def scenario(agent: Agent) -> None:
        futures = [(await agent.act(instants=[say(text)]))[0] for text in "abc"]
        assert [(await future).ok for future in futures] == [True, False, True]

    play(script, scenario=scenario)


def test_a_pass_that_came_too_late_refuses_nothing_else() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs(1)
        await peer.receive()
        await peer.obs(7)
        ref = (await peer.act())["instants"][0]["id"]
        late = {**result("ACT", ok=False, code="E_STALE", message="the pass"), "t": 8}
        await peer.obs(8, events=[late, result(ref, ok=True)])
        await endless(peer)

    async def scenario(agent: Agent) -> None:
        await agent.act()
        while agent.tick < 7:
            await agent.observe()
        assert await agent.do(say("hello"))

    play(script, scenario=scenario)


def test_an_answer_that_never_comes() -> None:
    async def scenario(agent: Agent) -> None:
        before = agent.tick
        outcome = await agent.do(craft("torch"))
        assert outcome == Outcome(False, "LOST", "no answer came")
        assert agent.tick - before >= PATIENCE_OBS

    play(idle, scenario=scenario)


def test_a_task_that_vanishes() -> None:
    async def scenario(agent: Agent) -> None:
        outcome = await agent.do(mine((1, 20, 0)))
        assert (outcome.code, outcome.task_id) == ("GONE", "T000007")
        assert agent.tick > GRACE_OBS

    play(answer(), scenario=scenario)  # type: ignore[arg-type]


def test_a_task_that_takes_too_long_is_cancelled() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        ref = (await peer.act())["tasks"][0]["id"]
        task = {"task_id": "T000003", "kind": "FOLLOW", "progress": 0, "target": [0, 0, 0]}
        await peer.obs(events=[result(ref, ok=True, task_id="T000003")], tasks=[task])
        for _ in range(10):
            await peer.obs(tasks=[task])
        assert (await peer.act())["cancel"] == ["T000003"]
        await peer.obs(events=[result("T000003", ok=True, message="canceled")])
        await endless(peer)

    async def scenario(agent: Agent) -> None:
        outcome = await agent.do(actions.follow("A2"), ticks=10)
        assert (outcome.code, outcome.task_id) == ("GAVE_UP", "T000003")

    play(script, scenario=scenario)


def test_cancelling_settles_who_waits() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        ref = (await peer.act())["tasks"][0]["id"]
        task = {"task_id": "T000003", "kind": "MOVE_TO", "progress": 0, "target": [0, 0, 0]}
        await peer.obs(events=[result(ref, ok=True, task_id="T000003")], tasks=[task])
        await peer.act()
        await peer.obs(events=[result("T000003", ok=True, message="canceled")])
        await peer.receive()

    async def scenario(agent: Agent) -> None:
        (walking,) = await agent.act(tasks=[move_to((9, 20, 9))])
        await agent.observe()
        await agent.observe()
        await agent.act(cancel=["T000003"])
        assert (await walking) == Outcome(False, "GONE", "canceled", "T000003")

    play(script, scenario=scenario)


def test_iteration_ends_with_the_connection() -> None:
    async def script(peer: Peer) -> None:
        await peer.greet()
        for _ in range(3):
            await peer.obs()
        await peer.receive()
        await peer.close(4001, "taken over")

    async def scenario(agent: Agent) -> None:
        ticks = []
        async for obs in agent:
            ticks.append(obs.tick)
            if obs.tick == 3:
                await agent.act()
        assert ticks[-1] == 3

    play(script, scenario=scenario)


def test_the_trace_tells_what_was_seen_done_and_refused() -> None:
    out = io.StringIO()

    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs()
        ref = (await peer.act())["instants"][0]["id"]
        await peer.obs(events=[result(ref, ok=False, code="E_NO_RESOURCE", message="missing food")])
        await endless(peer)

    async def scenario(agent: Agent) -> None:
        await agent.do(eat("BREAD"))

    play(script, scenario=scenario, trace=out)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["at"] for line in lines[:5]] == ["link", "obs", "act", "obs", "result"]
    assert {line["agent"] for line in lines} == {"A1"}
    assert lines[1]["pos"] == [0, 20, 0]
    assert lines[2]["instants"][0]["item_id"] == "BREAD"
    assert lines[4]["ref"] == lines[2]["instants"][0]["id"]
    assert (lines[4]["ok"], lines[4]["code"]) == (False, "E_NO_RESOURCE")
    assert lines[4]["why"].startswith("Get what is missing first")
    assert "resume_1" not in out.getvalue()


def test_nobody_is_there() -> None:
    async def scenario() -> None:
        async with connect("127.0.0.1:9", "mole"):
            raise AssertionError("somebody is there")

    with pytest.raises(Unreachable, match=r"ws://127\.0\.0\.1:9/v1/ws"):
        asyncio.run(scenario())
