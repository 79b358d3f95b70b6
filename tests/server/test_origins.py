"""A world without free places: who gives way to newcomers, and that the journal says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.serving import RawAgent, Served, run, serving, with_server
from tests.server.test_sessions import until_gone
from tests.voxel.flat import flat_world
from thorp.protocol.act import Act
from thorp.protocol.actions import LoadMemory
from thorp.server.access.networks import network_of
from thorp.server.http import bodies
from thorp.server.settings import WORLD
from thorp.server.sockets.origins import Origins
from thorp.store import RealDisk
from thorp.voxel import verify
from thorp.voxel.catalog import Catalogs
from thorp.voxel.inputs import Acted, Detach, Join
from thorp.voxel.load import default_catalogs
from thorp.voxel.state.world import World
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

CAP = 6
NOTE = {"type": "LOAD_MEMORY"}


def world_of(addresses: list[str], catalogs: Catalogs) -> tuple[World, Origins]:
    """A world whose bodies came from these addresses, acted once and left, one a tick."""
    world = flat_world(catalogs)
    origins = Origins(world)
    for number, address in enumerate(addresses, 1):
        step(world, [Join(f"a{number}", "00")])
        step(world, [Acted(number, Act(tick=world.tick, instants=[LoadMemory(id="l")]))])
        step(world, [Detach(number)])
        if address:
            origins.note(number, address)
    return world, origins


def test_the_address_that_has_most_gives_way_first_and_the_longest_gone_of_it() -> None:
    few, many = "192.0.2.1", "198.51.100.7"
    _, origins = world_of([few, many, many, few, many], default_catalogs())
    assert list(origins.give_way(())) == [2, 1, 3, 4, 5]
    assert list(origins.give_way({2, 3})) == [1, 4, 5]


def test_all_addresses_of_this_machine_and_of_a_household_count_as_one() -> None:
    own = ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.9"]
    assert len({network_of(address) for address in own}) == 1
    home = ["2001:db8::1", "2001:db8::2:3"]
    assert len({network_of(address) for address in home}) == 1
    _, origins = world_of(["192.0.2.1", *own, *home], default_catalogs())
    assert list(origins.give_way(())) == [2, 3, 4, 6, 1, 5, 7]


def test_those_whose_origin_is_not_known_count_each_alone() -> None:
    _, origins = world_of(["", "", "", "192.0.2.1", "192.0.2.1"], default_catalogs())
    assert list(origins.give_way(())) == [4, 1, 2, 3, 5]


def test_of_one_address_those_who_never_acted_go_first() -> None:
    world, origins = world_of(["192.0.2.1", "192.0.2.1"], default_catalogs())
    world.agents[2].acted = False
    assert list(origins.give_way(())) == [2, 1]


def test_an_address_that_fills_a_world_shuts_nobody_out(tmp_path: Path) -> None:
    async def visit(served: Served, name: str, **wish: str) -> RawAgent:
        """Come in, act once and hang up; wait until the world has noticed."""
        async with served.agent(name) as visitor:
            await visitor.obs()
            await visitor.act(instants=[{"id": "l", **(wish or NOTE)}])
            assert (await visitor.result("l"))["ok"]
        await until_gone(served, visitor.id)
        return visitor

    async def play() -> None:
        async with serving(tmp_path, population_cap=CAP) as served:
            agents = served.live.service.world.agents
            wish = {"type": "CREATE_ORG", "org_kind": "GUILD", "org_name": "moles"}
            resident = await visit(served, "resident", **wish)
            for number in range(CAP - 2):
                await visit(served, f"flood {number}")
            async with served.agent("here") as here:
                await here.obs()
                assert len(agents) == CAP
                guests = [await visit(served, f"guest {number}") for number in range(3)]
                assert [guest.id for guest in guests] == ["A7", "A8", "A9"]
                names = [agent.name for agent in agents]
                assert names == ["resident", "flood 3", "here", "guest 0", "guest 1", "guest 2"]
                async with served.agent("resident", token=resident.token) as again:
                    assert again.id == resident.id

    run(play())
    assert verify(RealDisk(), tmp_path / WORLD).verdict == "sound", "the journal says who went"


@pytest.mark.parametrize("limit", [0, 60])
def test_bodies_that_go_leave_no_kits_where_kits_are_limited(tmp_path: Path, limit: int) -> None:
    """By their owner, by an operator and for room."""

    async def play() -> int:
        async with serving(tmp_path, population_cap=1, starter_goods_per_day=limit) as served:
            world = served.live.service.world
            async with served.agent("retires") as first:
                await first.obs()
                await first.send({"type": "RETIRE", "protocol_version": "0.9"})
                assert (await first.closed()).code == 4002
            async with served.agent("is retired") as second:
                await second.obs()
            await until_gone(served, second.id)
            await served.live.agents.execute(bodies.retire(world, second.id)[0])
            for name in ("gives way", "comes"):
                async with served.agent(name) as visitor:
                    await visitor.obs()
                await until_gone(served, visitor.id)
            assert [agent.name for agent in world.agents] == ["comes"]
            return sum(entity.count for entity in world.items)

    left = run(play())
    assert left == (0 if limit else 3 * sum(Tuning().starter_items.values()))
    assert verify(RealDisk(), tmp_path / WORLD).verdict == "sound"


@with_server(population_cap=2)
async def test_a_world_full_of_those_who_are_there_refuses(served: Served) -> None:
    async with served.agent("mole") as mole, served.agent("vole"), served.socket() as third:
        await mole.obs()
        await third.hello()
        end = await third.closed()
        assert (end.code, end.reason) == (1013, "the world is full")


@with_server(population_cap=2, tick_rate_hz=2)
async def test_who_comes_back_in_the_same_tick_keeps_its_place(served: Served) -> None:
    tokens = []
    for name in ("mole", "vole"):
        async with served.agent(name) as visitor:
            await visitor.obs()
            tokens.append(visitor.token)
        await until_gone(served, visitor.id)
    async with served.socket() as third, served.socket() as mole, served.socket() as vole:
        await third.hello()
        await mole.hello(token=tokens[0])
        await vole.hello(token=tokens[1])
        await mole.greeted()
        await vole.greeted()
        assert (mole.id, vole.id) == ("A1", "A2")
        assert (await third.closed()).code == 1013
