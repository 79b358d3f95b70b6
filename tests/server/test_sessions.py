"""Seats: coming back, taking over, leaving, and a server that starts again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import monotonic
from typing import Any

from tests.server.serving import Closed, Served, run, serving, with_server
from thorp.client.bots import run_bots
from thorp.server.access.networks import LOOPBACK
from thorp.server.access.tokens import Role, Tokens
from thorp.server.sockets.admission import TOO_MANY_NEW
from thorp.server.sockets.join_limiter import JoinLimiter


async def until_gone(served: Served, agent_id: str) -> None:
    agent = served.live.service.world.agent_by_id(agent_id)
    assert agent is not None
    while agent.attached:
        await asyncio.sleep(0.01)


@with_server()
async def test_a_resume_token_gives_the_same_body_back_until_the_next_one_was_used(
    served: Served,
) -> None:
    async with served.agent("mole") as mole:
        last = await mole.obs()
    await until_gone(served, mole.id)
    async with served.agent("mole", token=mole.token) as again:
        assert again.id == mole.id
        assert again.token != mole.token
        obs = await again.obs()
        assert obs["tick"] > last["tick"]
        assert obs["self"]["pos"] == last["self"]["pos"]
        assert obs["voxels"]["encoding"] == "RLE"
        assert "token_unknown" not in again.welcome
        await again.act(instants=[{"id": "l", "type": "LOAD_MEMORY"}])
        await again.result("l")
    async with served.agent("mole", token=mole.token) as stranger:
        assert stranger.id != mole.id
        assert stranger.welcome["token_unknown"] is True


@with_server()
async def test_both_tokens_are_good_until_a_frame_answers_the_new_welcome(served: Served) -> None:
    async with served.agent() as first:
        pass
    async with served.agent(token=first.token) as second:
        await second.act(tick=0)  # as one sends that has not read WELCOME
        await second.obs()
        await second.obs()
    async with served.agent(token=first.token) as third:
        assert third.id == first.id
    async with served.agent(token=second.token) as lost:
        assert lost.id != first.id, "a token that was passed over is void"
    async with served.agent(token=third.token) as fourth:
        assert fourth.id == first.id
    async with served.agent(token=first.token) as stranger:
        assert stranger.id != first.id, "whoever came with the newest token has it"
    async with served.agent(token=third.token) as fifth:
        assert fifth.id == first.id


@with_server(tick_rate_hz=100, guest_ticks=5)
async def test_a_body_whose_owner_never_read_its_token_does_not_stay(served: Served) -> None:
    world = served.live.service.world
    async with served.socket() as hasty:
        await hasty.hello("hasty")
        while not len(world.agents):
            await asyncio.sleep(0.001)
        connection = hasty.socket._response.connection
        assert connection is not None
        assert connection.transport is not None
        connection.transport.abort()
    while len(world.agents):
        await asyncio.sleep(0.01)
    async with served.agent("patient") as patient:
        await patient.obs()


@with_server()
async def test_an_unknown_token_is_a_fresh_join(served: Served) -> None:
    for token in ("resume_world_1_guess", "", " ", "x" * 10_000):
        async with served.agent("mole", token=token):
            pass
    assert len(served.live.service.world.agents) == 4


@with_server()
async def test_the_body_stays_and_goes_on_while_its_owner_is_away(served: Served) -> None:
    async with served.agent() as mole:
        x, y, z = (await mole.obs())["self"]["pos"]
        await mole.act(tasks=[{"id": "k", "type": "MOVE_TO", "target": [x + 5, y, z]}])
        assert (await mole.result("k"))["ok"]
    body = served.live.service.world.agent_by_id(mole.id)
    assert body is not None
    while body.move is not None:
        await asyncio.sleep(0.01)
    async with served.agent(token=mole.token) as again:
        done = await again.event("TASK_DONE")
        assert done["kind"] == "MOVE_TO"
        assert again.last["self"]["pos"][0] == x + 4


@with_server()
async def test_taking_over_closes_the_old_socket_whose_end_frees_nothing(served: Served) -> None:
    async with served.agent() as old:
        await old.obs()
        async with served.agent(token=old.token) as new:
            assert new.id == old.id
            end = await old.closed()
            assert (end.code, end.reason) == (4001, "taken over by another connection")
            for _ in range(10):
                await new.obs()
            body = served.live.service.world.agent_by_id(new.id)
            assert body is not None
            assert body.attached
            await new.act(tasks=[{"id": "still", "type": "STOP"}])
            assert (await new.result("still"))["ok"]


@with_server()
async def test_of_two_who_come_with_one_token_at_once_the_later_has_the_body(
    served: Served,
) -> None:
    async with served.agent() as mole:
        await mole.obs()
    async with served.socket() as one, served.socket() as two:
        await one.hello(token=mole.token)
        await two.hello(token=mole.token)
        assert (await one.closed()).code == 4001
        await two.greeted()
        assert two.id == mole.id
        await two.obs()
    assert len(served.live.service.world.agents) == 1


def test_a_restart_resumes_tick_bodies_memory_and_tokens(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as served, served.agent("mole") as mole:
            await mole.obs()
            await mole.act(
                instants=[{"id": "m", "type": "SAVE_MEMORY", "key": "home", "value": "burrow"}]
            )
            assert (await mole.result("m"))["ok"]
            last = mole.last
        async with serving(tmp_path) as served:
            body = served.live.service.world.agent_by_id(mole.id)
            assert body is not None
            await until_gone(served, mole.id)
            async with served.agent("mole", token=mole.token) as again:
                assert again.id == mole.id
                obs = await again.obs()
                assert obs["tick"] > last["tick"]
                assert obs["self"]["pos"] == last["self"]["pos"]
                await again.act(instants=[{"id": "l", "type": "LOAD_MEMORY"}])
                assert (await again.result("l"))["message"] == "loaded 1 keys"
                assert again.last["memory"] == [{"key": "home", "value": "burrow"}]
            async with served.agent("mole", token=mole.token) as stranger:
                assert stranger.id != mole.id

    run(play())


@with_server()
async def test_a_silent_client_that_reads_is_never_cut(served: Served) -> None:
    """Nothing in the server counts the time since a client last spoke; pings are answered."""
    async with served.agent() as mole:
        ticks = [(await mole.obs())["tick"] for _ in range(100)]
        assert ticks == list(range(ticks[0], ticks[0] + 100))
        await mole.socket.ping(b"there?")
        await mole.obs()


@with_server()
async def test_a_stopping_server_closes_with_its_reason(served: Served) -> None:
    async with served.agent() as mole:
        await mole.obs()
        await served.live.agents.stop(1001, "the server is stopping")
        assert (await mole.closed()).code == 1001
        async with served.socket() as late:
            await late.hello()
            assert (await late.closed()).code == 1001


@with_server()
async def test_an_agent_retires_its_own_body(served: Served) -> None:
    world = served.live.service.world
    async with served.agent("mole") as mole, served.agent("vole") as vole:
        await mole.obs()
        await mole.send({"type": "RETIRE", "protocol_version": "0.9"})
        end = await mole.closed()
        assert (end.code, end.reason) == (4002, "retired")
        assert [agent.name for agent in world.agents] == ["vole"]
        world.agents[2].org = "ORG1"
        await vole.send({"type": "RETIRE", "protocol_version": "0.9"})
        end = await vole.closed()
        assert (end.code, end.reason) == (4002, "the body stays: it belongs to an organisation")
    assert [agent.name for agent in world.agents] == ["vole"]
    async with served.agent("mole", token=mole.token) as stranger:
        assert stranger.welcome["token_unknown"] is True


@with_server(loopback=Role.ANYONE)
async def test_one_address_has_so_many_new_bodies_and_an_operator_any_number(
    served: Served,
) -> None:
    roles = (Role.AGENT, Role.OPERATOR)
    player, operator = (Tokens(served.data).create(role, created="")[1] for role in roles)

    async def join(access: str, count: int, **hello: Any) -> list[tuple[str, str]]:
        """The tokens of those who came in, and why others did not."""
        told = []
        for _ in range(count):
            async with served.socket(headers={"Authorization": f"Bearer {access}"}) as agent:
                await agent.hello(**hello)
                try:
                    await agent.greeted()
                    told.append((agent.token, ""))
                except Closed as end:
                    told.append(("", f"{end.code} {end.reason}"))
        return told

    ((first, _),) = await join(player, 1)
    served.live.agents._admission._limiter._full_at[LOOPBACK] = (
        monotonic() + 3600
    )  # it has taken far too many
    assert [why for _, why in await join(player, 1)] == [f"1013 {TOO_MANY_NEW}"]
    assert [why for _, why in await join(player, 1, token=first)] == [""], (
        "who comes back is not new"
    )
    assert [why for _, why in await join(operator, 5)] == [""] * 5


def test_new_bodies_are_a_burst_and_then_so_many_a_second() -> None:
    limit = JoinLimiter()
    assert sum(limit.admits("192.0.2.1", 10.0) for _ in range(200)) == 64
    assert sum(limit.admits("192.0.2.1", 12.0) for _ in range(200)) == 10
    assert sum(limit.admits("::ffff:192.0.2.1", 13.0) for _ in range(200)) == 5, "the same address"
    assert sum(limit.admits(f"2001:db8::{n:x}", 10.0) for n in range(200)) == 64, "one household"
    assert all(limit.admits(None, 10.0) for _ in range(200))


@with_server()
async def test_bots_that_are_stopped_retire_unless_their_bodies_are_kept(served: Served) -> None:
    world = served.live.service.world
    for keep, left in ((False, 0), (True, 2)):
        crew = asyncio.create_task(run_bots(served.url("/v1/ws", "ws"), 2, keep=keep))
        while sum(agent.acted for agent in world.agents) < 2:
            await asyncio.sleep(0.01)
        crew.cancel()
        await asyncio.wait([crew])
        assert len(world.agents) == left
