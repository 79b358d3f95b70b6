"""What an agent does in one call: seeking, finding a site, building, waiting, doing a contract.

The agents of these tests live in a world in process, by the kit as it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.client.in_process import Hub, in_process
from tests.voxel.flat import STAND, flat_world, put_agent, put_block
from thorp.client import (
    Agent,
    Job,
    UnknownName,
    Unreachable,
    actions,
    ask_for,
    ask_to_build,
    connect,
    craft,
    mine,
    move_to,
    say,
    whisper,
)
from thorp.client.exploration import REACH, stops
from thorp.protocol import codes
from thorp.voxel.load import default_catalogs
from thorp.voxel.lookups import land
from thorp.voxel.society import tenure
from thorp.voxel.state.records import Claim
from thorp.voxel.state.world import World
from thorp.voxel.systems import mining
from thorp.voxel.tuning import Tuning

HUT = "hut_small"
TUNING = Tuning(world_events=False, newcomers="lattice")


@pytest.fixture
def world() -> World:
    return flat_world(default_catalogs(), TUNING)


def live(world: World, *lives: Callable[[Agent], Awaitable[None]], ticks: int = 3_000) -> None:
    """Let agents live, each as its function says, until all are done."""

    async def one(number: int) -> None:
        async with connect("127.0.0.1:1", f"mole-{number}", fresh=True) as agent:
            await lives[number](agent)

    async def everyone() -> None:
        await asyncio.gather(*map(one, range(len(lives))))

    with in_process(Hub(world, most_ticks=ticks)):
        asyncio.run(everyone())


# Seeing


def test_an_agent_knows_how_far_it_sees_and_reaches(world: World) -> None:
    async def look(agent: Agent) -> None:
        assert agent.sight == world.tuning.obs_radius == 7
        assert agent.block(agent.position[0] + 7, STAND, agent.position[2]) == "AIR"
        assert agent.block(agent.position[0] + 8, STAND, agent.position[2]) is None
        assert agent.reach == REACH == mining.REACH

    live(world, look)


def test_what_a_blueprint_costs_and_what_lacks(world: World) -> None:
    async def ask(agent: Agent) -> None:
        assert agent.cost(HUT) == {"PLANK": 40}
        assert agent.lacks(HUT) == {"PLANK": 20}
        assert agent.cost("lamp_post")["TORCH"] == 1
        assert agent.lacks("lamp_post") == {"TORCH": 1}
        with pytest.raises(UnknownName, match='no blueprint "hut"; did you mean hut_small'):
            agent.cost("hut")

    live(world, ask)


# Seeking


def test_it_walks_until_it_sees_what_it_seeks(world: World) -> None:
    async def fell(agent: Agent) -> None:
        x, _, z = agent.position
        tree = (x + 24, STAND, z - 17)
        put_block(world, *tree, "LOG")
        assert agent.find("LOG") is None
        assert await agent.seek("LOG", within=30) == tree
        assert agent.obs.tasks == [], "it stands still"
        assert await agent.do(move_to(tree))
        assert await agent.do(mine(tree))
        assert await agent.do(craft("plank_from_log"))

    live(world, fell)


def test_it_gives_up_when_it_has_been_everywhere(world: World) -> None:
    async def search(agent: Agent) -> None:
        start = agent.position
        assert await agent.seek("LOG", within=12) is None
        farthest = max(abs(agent.position[0] - start[0]), abs(agent.position[2] - start[2]))
        assert farthest <= 12 + agent.sight

    live(world, search)


def test_it_gives_up_when_its_time_is_over(world: World) -> None:
    async def search(agent: Agent) -> None:
        tick = agent.tick
        assert await agent.seek("LOG", "CHEST", ticks=40) is None
        assert 40 <= agent.tick - tick <= 45
        assert agent.obs.tasks == []

    live(world, search)


def test_what_no_arm_reaches_is_not_found(world: World) -> None:
    """The log hangs three cells above the ground, and there is another one on it."""

    async def search(agent: Agent) -> None:
        x, y, z = agent.position
        put_block(world, x + 2, y + 3, z, "LOG")
        put_block(world, x + 5, y + 1, z, "LOG")
        await agent.next_tick()
        assert agent.find("LOG") == (x + 2, y + 3, z)
        assert await agent.seek("LOG") == (x + 5, y + 1, z)

    live(world, search)


def test_a_block_that_does_not_exist_is_not_sought(world: World) -> None:
    async def search(agent: Agent) -> None:
        with pytest.raises(UnknownName, match='no block "LOGS"; did you mean LOG'):
            await agent.seek("LOGS")

    live(world, search)


def test_the_stops_of_a_walk_leave_nothing_unseen() -> None:
    sight = 7
    places = [(0, 0), *stops((0, 20, 0), within=36, stride=12)]
    seen = {
        (x + dx, z + dz)
        for x, z in places
        for dx in range(-sight, sight + 1)
        for dz in range(-sight, sight + 1)
    }
    assert seen >= {(x, z) for x in range(-36, 37) for z in range(-36, 37)}
    assert len(places) == len(set(places)) == 49


# Building


def stands(world: World, anchor: tuple[int, int, int]) -> bool:
    plank = world.catalogs.block_number["PLANK"]
    x, y, z = anchor
    return all(
        world.ground.block(x + cell.pos[0], y + cell.pos[1], z + cell.pos[2]) == plank
        for cell in world.catalogs.blueprints[HUT].blocks
    )


def test_a_site_is_free_and_can_be_built_on(world: World) -> None:
    async def settle(agent: Agent) -> None:
        world.agents[1].give("PLANK", 20)
        site = await agent.site_for(HUT)
        assert site is not None
        assert await agent.build(HUT, at=site)
        assert stands(world, site)
        again = await agent.site_for(HUT)
        assert again not in (None, site)

    live(world, settle)


def test_without_a_place_it_builds_where_there_is_room(world: World) -> None:
    async def settle(agent: Agent) -> None:
        world.agents[1].give("PLANK", 20)
        outcome = await agent.build(HUT)
        assert outcome
        assert agent.inventory.get("PLANK", 0) == 0

    live(world, settle)


async def claim_around(world: World, agent: Agent, radius: int) -> None:
    """Let the land around an agent be somebody else's, from the next tick on."""
    claim = Claim(
        id="LAND_T_001",
        owner="A99",
        anchor=agent.position,
        radius=radius,
        due_tick=10**6,
        newest_resident=0,
    )
    tenure.add_claim(world, claim)
    await agent.next_tick()
    assert not agent.obs.local_rules.permissions.can_build


def test_a_site_is_allowed_where_it_is(world: World) -> None:
    """Where it wakes is somebody's land; beyond the border it is not."""

    async def settle(agent: Agent) -> None:
        await claim_around(world, agent, radius=20)
        site = await agent.site_for(HUT)
        assert site is not None
        assert land.at(world, site[0], site[2]) is None
        world.agents[1].give("PLANK", 20)
        assert await agent.build(HUT, at=site)

    live(world, settle)


def test_where_nothing_is_allowed_there_is_no_site(world: World) -> None:
    async def settle(agent: Agent) -> None:
        await claim_around(world, agent, radius=40)
        assert await agent.site_for(HUT, within=12) is None
        outcome = await agent.build(HUT, within=12)
        assert (bool(outcome), outcome.code) == (False, codes.BLOCKED)
        assert outcome.message == "no room for hut_small within 12 cells"

    live(world, settle)


def test_its_own_plot_comes_first(world: World) -> None:
    async def settle(agent: Agent) -> None:
        x, y, z = agent.position
        plot = {"sign": f"SIGN@{x + 30},{y},{z}", "pos": [x + 30, y, z]}
        plot |= {"low": [x + 27, y - 3, z], "high": [x + 33, y + 8, z + 6]}
        await agent.do(whisper(agent.id, "Your plot is over there.", data={"plot": plot}))
        await agent.next_tick()
        assert agent.plot is not None
        site = await agent.site_for(HUT)
        assert site is not None
        assert x + 27 <= site[0] <= x + 31
        assert z <= site[2] <= z + 4

    live(world, settle)


def test_a_plot_that_is_full_sends_it_elsewhere(world: World) -> None:
    async def settle(agent: Agent) -> None:
        x, y, z = agent.position
        for dx in range(7):
            for dz in range(7):
                put_block(world, x + 20 + dx, y, z + dz, "STONE" if (dx + dz) % 2 else "BRICK")
        plot = {"sign": f"SIGN@{x + 23},{y},{z}", "pos": [x + 23, y, z]}
        plot |= {"low": [x + 20, y - 3, z], "high": [x + 26, y + 8, z + 6]}
        await agent.do(whisper(agent.id, "Your plot.", data={"plot": plot}))
        await agent.next_tick()
        site = await agent.site_for(HUT)
        assert site is not None
        assert not (x + 18 <= site[0] <= x + 26 and z - 2 <= site[2] <= z + 6)

    live(world, settle)


def test_a_build_without_goods_says_what_lacks(world: World) -> None:
    async def settle(agent: Agent) -> None:
        outcome = await agent.build(HUT)
        assert outcome.code == codes.NO_RESOURCE
        assert "40 PLANK" in outcome.hint or "20" in outcome.hint
        assert "20" in str(outcome)

    live(world, settle)


def test_it_steps_out_of_its_own_house(world: World) -> None:
    async def settle(agent: Agent) -> None:
        world.agents[1].give("PLANK", 20)
        x, y, z = agent.position
        assert await agent.build(HUT, at=(x - 1, y, z - 1))
        assert stands(world, (x - 1, y, z - 1))

    live(world, settle)


def test_it_waits_until_somebody_has_stepped_aside(world: World) -> None:
    async def settle(agent: Agent) -> None:
        world.agents[agent_number(agent)].give("PLANK", 20)
        x, y, z = agent.position
        bystander = put_agent(world, x + 5, z)
        leaving = asyncio.create_task(step_aside(agent, bystander))
        assert await agent.build(HUT, at=(x + 4, y, z - 1))
        await leaving

    async def step_aside(agent: Agent, bystander: Any) -> None:
        await agent.pause(8)
        world.relocate(bystander, (bystander.x + 30, bystander.y, bystander.z))

    live(world, settle)


def agent_number(agent: Agent) -> int:
    return int(agent.id[1:])


def test_it_walks_to_a_place_that_is_far(world: World) -> None:
    async def settle(agent: Agent) -> None:
        world.agents[1].give("PLANK", 20)
        x, y, z = agent.position
        assert await agent.build(HUT, at=(x + 60, y, z), rotation=1)

    live(world, settle)


# Waiting


def test_it_waits_for_an_event(world: World) -> None:
    async def listen(agent: Agent) -> None:
        event = await agent.wait_for("CHAT", within=50, text="two")
        assert event is not None
        assert event["from"] == "A2"
        assert await agent.wait_for("CHAT", within=3, text="never said") is None
        earlier = await agent.wait_for("CHAT", within=0, text=lambda text: text.startswith("o"))
        assert earlier is not None
        assert earlier["text"] == "one", "it came before, and was not asked for"
        assert await agent.wait_for("CHAT", within=0, text="one") is None, "once only"
        assert await agent.wait_for("CHAT", within=0, data=lambda data: True) is None

    async def speak(agent: Agent) -> None:
        await agent.pause(5)
        for text in ("one", "two"):
            await agent.do(whisper("A1", text))
        await agent.pause(10)

    live(world, listen, speak)


def test_it_waits_so_many_ticks_and_no_longer(world: World) -> None:
    async def listen(agent: Agent) -> None:
        tick = agent.tick
        assert await agent.wait_for("ORG_INVITE", within=30) is None
        assert agent.tick == tick + 30

    live(world, listen)


def test_events_that_were_waited_for_are_observed_as_well(world: World) -> None:
    async def listen(agent: Agent) -> None:
        await agent.observe()
        await agent.do(say("Hello."))
        assert await agent.wait_for("CHAT", within=5) is not None
        obs = await agent.observe()
        assert "CHAT" in [event["type"] for event in obs.events]

    live(world, listen)


def test_a_wait_ends_with_the_connection(world: World) -> None:
    async def listen(agent: Agent) -> None:
        with pytest.raises(Unreachable):
            await agent.wait_for("CHAT")

    with pytest.raises(AssertionError, match="tick"):
        live(world, listen, ticks=50)


def test_it_knows_who_spoke_and_where_they_were(world: World) -> None:
    async def listen(agent: Agent) -> None:
        await agent.wait_for("CHAT", within=50)
        person = agent.person("Ada")
        assert person is not None
        assert person.id == "A2"
        assert agent.person("Bob") is None
        x, _, z = agent.position
        await agent.wait_for("CHAT", within=100, text="Here I am.")
        person = agent.person("Ada")
        assert person is not None
        assert person.pos is not None
        assert abs(person.pos[0] - x) + abs(person.pos[2] - z) <= 2 * agent.sight

    async def come(agent: Agent) -> None:
        await agent.do(say("I am Ada.", channel="MARKET"))
        target = world.agents[1].position
        await agent.do(move_to(target, tolerance=2))
        await agent.do(say("Here I am."))
        await agent.pause(3)

    live(world, listen, come)


# Contracts

TERMINAL = "CONTRACT_TERMINAL"


async def put_up_terminal(agent: Agent, world: World) -> str:
    """A terminal beside an agent, which has what it pays with."""
    x, y, z = agent.position
    world.agents[agent_number(agent)].give(TERMINAL, 1)
    await agent.next_tick()
    assert await agent.do(actions.place((x + 1, y, z), TERMINAL))
    return f"{TERMINAL}@{x + 1},{y},{z}"


async def post(agent: Agent, world: World, goods: dict[str, int], **terms: Any) -> dict[str, Any]:
    """Post a contract, and say it to everybody."""
    terminal = await put_up_terminal(agent, world)
    posted = await agent.do(ask_for(terminal, goods, {"STONE": 5}))
    job = {"contract": posted["contract_id"], "terminal": terminal, "kind": "DELIVER", **terms}
    await agent.do(say("Who brings it?", channel="MARKET", data={"job": job}))
    return job


def test_a_job_is_done_from_beginning_to_end(world: World) -> None:
    async def offer(agent: Agent) -> None:
        await post(agent, world, {"COAL": 3, "PLANK": 2}, get=[["STONE", 5]])
        event = await agent.wait_for("CONTRACT", within=400, state="COMPLETED")
        assert event is not None
        assert event["acceptor"] == "A2"

    async def work(agent: Agent) -> None:
        await agent.wait_for("CHAT", within=100, data=lambda data: "job" in data)
        (job,) = agent.jobs
        assert isinstance(job, Job)
        assert job.get == {"STONE": 5}
        before = agent.inventory
        outcome = await agent.fulfil(job)
        assert outcome, str(outcome)
        assert outcome["state"] == "COMPLETED"
        assert agent.inventory["COAL"] == before["COAL"] - 3
        assert agent.inventory["PLANK"] == before["PLANK"] - 2
        assert agent.inventory["STONE"] == before["STONE"] + 5
        assert agent.jobs == []

    live(world, offer, work)


def test_a_job_that_somebody_else_has_taken_is_dropped(world: World) -> None:
    async def offer(agent: Agent) -> None:
        await post(agent, world, {"COAL": 3})
        await agent.wait_for("CONTRACT", within=400, state="COMPLETED")
        await agent.pause(200)

    async def be_first(agent: Agent) -> None:
        await agent.wait_for("CHAT", within=100, data=lambda data: "job" in data)
        assert await agent.fulfil(agent.jobs[0])

    async def be_late(agent: Agent) -> None:
        await agent.wait_for("CHAT", within=100, data=lambda data: "job" in data)
        (job,) = agent.jobs
        await agent.pause(150)
        outcome = await agent.fulfil(job.contract)
        assert (bool(outcome), outcome.code) == (False, codes.CONFLICT)
        assert outcome.message == "contract is not open"
        assert agent.jobs == []
        with pytest.raises(UnknownName, match='no contract "C000001"'):
            await agent.fulfil(job.contract)

    live(world, offer, be_first, be_late)


def test_what_lacks_is_said_before_anything_is_accepted(world: World) -> None:
    async def offer(agent: Agent) -> None:
        await post(agent, world, {"COAL": 11, "CHEST": 1})
        await agent.pause(200)

    async def work(agent: Agent) -> None:
        await agent.wait_for("CHAT", within=100, data=lambda data: "job" in data)
        outcome = await agent.fulfil(agent.jobs[0])
        assert outcome.code == codes.NO_RESOURCE
        assert outcome.message == "you lack 1 CHEST, 1 COAL for C000001"
        assert world.contracts["C000001"].state == "OPEN"
        assert len(agent.jobs) == 1, "it may come back with them"

    live(world, offer, work)


def test_a_job_that_pays_less_than_was_promised_is_not_accepted(world: World) -> None:
    async def offer(agent: Agent) -> None:
        await post(agent, world, {"COAL": 1}, get=[["IRON_AXE", 1]])
        await agent.pause(200)

    async def work(agent: Agent) -> None:
        await agent.wait_for("CHAT", within=100, data=lambda data: "job" in data)
        outcome = await agent.fulfil(agent.jobs[0])
        assert outcome.code == codes.CONFLICT
        assert outcome.message == "it pays 5 STONE and not 1 IRON_AXE, as was promised"
        assert world.contracts["C000001"].state == "OPEN"

    live(world, offer, work)


def test_a_job_that_does_not_exist_is_found_out(world: World) -> None:
    async def lie(agent: Agent) -> None:
        terminal = await put_up_terminal(agent, world)
        for job in (
            {"contract": "C000777", "terminal": terminal},
            {"contract": "C000778", "terminal": "somewhere"},
        ):
            await agent.do(say("Work!", channel="MARKET", data={"job": job}))
        await agent.pause(200)

    async def work(agent: Agent) -> None:
        while len(agent.jobs) < 2:
            await agent.next_tick()
        first, second = agent.jobs
        outcome = await agent.fulfil(first)
        assert outcome.code == codes.INVALID_TARGET
        assert "lists no contract C000777" in outcome.message
        outcome = await agent.fulfil(second)
        assert outcome.message == "'somewhere' is not the id of a terminal"
        assert agent.jobs == []

    live(world, lie, work)


def test_a_building_is_a_job_too(world: World) -> None:
    async def offer(agent: Agent) -> None:
        terminal = await put_up_terminal(agent, world)
        x, y, z = agent.position
        asked = ask_to_build(terminal, HUT, (x + 6, y, z), {"STONE": 5})
        posted = await agent.do(asked)
        job = {"contract": posted["contract_id"], "terminal": terminal, "kind": "BUILD"}
        await agent.do(say("Who builds it?", channel="MARKET", data={"job": job}))
        assert await agent.wait_for("CONTRACT", within=500, state="COMPLETED")

    async def work(agent: Agent) -> None:
        world.agents[agent_number(agent)].give("PLANK", 20)
        await agent.wait_for("CHAT", within=100, data=lambda data: "job" in data)
        assert await agent.fulfil(agent.jobs[0])

    live(world, offer, work)


def test_what_was_read_at_a_terminal_is_a_job(world: World) -> None:
    async def offer(agent: Agent) -> None:
        terminal = await put_up_terminal(agent, world)
        await agent.do(ask_for(terminal, {"COAL": 1}, {"STONE": 5}))
        assert agent.jobs == [], "its own is none"
        await agent.wait_for("CONTRACT", within=400, state="COMPLETED")

    async def work(agent: Agent) -> None:
        await agent.pause(20)
        (terminal,) = [box for box in world.containers if box.kind == TERMINAL]
        await agent.do(move_to(terminal.position))
        await agent.do(actions.look_into(terminal.id))
        (job,) = agent.jobs
        assert job.give == {"COAL": 1}
        assert await agent.fulfil(job.contract)
        assert agent.jobs == []

    live(world, offer, work)
