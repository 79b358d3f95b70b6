"""Buildings as things: who asked for one, who built it, from what, who lives there, and since
when."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest

from tests.observer.test_inspection import look
from tests.server.raising import BLUEPRINT, BUILDERS_KIT, PRICE, raise_house
from tests.server.serving import Served, run, serving, with_server
from tests.server.test_society_metrics import do, settle
from thorp.observer import buildings
from thorp.observer.annals import FILE, Annals
from thorp.observer.buildings import Building, BuildingRegister
from thorp.server.access.tokens import Role, Tokens
from thorp.voxel.lookups.goods import worth
from thorp.voxel.new_world import create_world
from thorp.voxel.state.world import World
from thorp.voxel.tuning import Tuning


@with_server(tape=True, **BUILDERS_KIT)
async def test_a_building_tells_who_asked_who_built_and_who_lives_there(served: Served) -> None:
    async with served.agent("mole") as mole, served.agent("vole") as vole:
        raised = await raise_house(served.live.service.world, mole, vole)
        (house,) = await look(served, "buildings")
        rising = await look(served, f"rising?building={quote(raised.id, safe='')}")
        place = await look(served, "places/" + ",".join(map(str, house["low"])))
        assert (house["id"], house["blueprint_id"]) == (raised.id, BLUEPRINT)
        assert (house["asked_by"], house["contract"]) == (mole.id, raised.contract)
        assert (house["builder"], house["cost"], house["stands"]) == (vole.id, PRICE, True)
        (resident,) = house["residents"]
        assert (resident["id"], resident["said_by"]) == (vole.id, mole.id)
        assert resident["since_tick"] > house["completed_tick"]
        assert house["asked_tick"] < rising["first"] < rising["last"] == house["completed_tick"]
        assert place["structure"] == raised.id


@with_server(tape=True, **BUILDERS_KIT)
async def test_only_a_citizen_is_believed_about_homes(served: Served) -> None:
    """A stranger may say what it likes, and so may a citizen about somebody who is not there."""
    async with (
        served.agent("mole") as mole,
        served.agent("vole") as vole,
        served.agent("rook") as rook,
    ):
        raised = await raise_house(served.live.service.world, mole, vole)
        at = " ".join(map(str, raised.anchor))
        await do(
            rook, "instants", type="SAY", channel="LOCAL", text=f"The house at {at} is rook's."
        )
        await do(
            vole, "instants", type="SAY", channel="LOCAL", text=f"The house at {at} is mole's."
        )
        await do(mole, "instants", type="SAY", channel="LOCAL", text=f"The house at {at} is Nan's.")
        (house,) = await look(served, "buildings")
        assert [resident["id"] for resident in house["residents"]] == [vole.id]


@with_server(tape=True, **BUILDERS_KIT)
async def test_a_citizen_says_in_data_who_lives_where(served: Served) -> None:
    """What is no such data is no home."""
    async with served.agent("mole") as mole, served.agent("vole") as vole:
        raised = await raise_house(served.live.service.world, mole, vole)
        for home in ({"at": list(raised.anchor), "of": mole.id}, {"at": [1], "of": 3}, "nonsense"):
            said = {"type": "SAY", "channel": "LOCAL", "text": "A home.", "data": {"home": home}}
            await do(vole, "instants", **said)
        (house,) = await look(served, "buildings")
        residents = [(one["id"], one["said_by"]) for one in house["residents"]]
        assert residents == [(vole.id, mole.id), (mole.id, vole.id)]


@with_server(tape=True, **BUILDERS_KIT)
async def test_an_election_is_what_a_citizen_says_of_it(served: Served) -> None:
    async with served.agent("mole") as mole, served.agent("rook") as rook:
        await settle(mole)
        candidate = {"id": mole.id, "name": "mole", "promise": "Lamps on every road."}
        election = {"state": "called", "office": "mayor", "tick": 900, "candidates": [candidate]}
        for speaker in (rook, mole):
            said = {"channel": "LOCAL", "text": "An election!", "data": {"election": election}}
            await do(speaker, "instants", type="SAY", **said)
        (told,) = await look(served, "elections")
        assert (told["said_by"], told["town"], told["next_tick"]) == (mole.id, "ORG000001", 900)
        assert (told["election_state"], told["candidates"]) == ("called", [candidate])


@with_server(tape=True, open_book=True, **BUILDERS_KIT)
async def test_people_are_told_with_what_they_have_and_did(served: Served) -> None:
    async with served.agent("mole") as mole, served.agent("vole") as vole:
        await raise_house(served.live.service.world, mole, vole)
        by_id = {person["id"]: person for person in await look(served, "people")}
        assert (by_id[vole.id]["kept"], by_id[vole.id]["built"], by_id[mole.id]["kept"]) == (
            1,
            1,
            0,
        )
        assert by_id[vole.id]["earned"] == 2
        body = served.live.service.world.agent_by_id(vole.id)
        assert body is not None
        assert by_id[vole.id]["worth"] == worth(body.inventory)


def test_what_people_carry_is_private_with_a_closed_book(tmp_path: Path) -> None:
    _, token = Tokens(tmp_path).create(Role.VIEWER, created="2030-01-01T00:00:00Z")
    headers = {"Authorization": f"Bearer {token}"}

    async def play() -> None:
        async with (
            serving(tmp_path, loopback=Role.NEIGHBOUR, tape=True, **BUILDERS_KIT) as served,
            served.agent("mole"),
        ):
            (person,) = await look(served, "people", headers=headers)
            assert (person["worth"], person["carries"]) == (None, None)

    run(play())


@with_server(tape=True)
async def test_an_unknown_building_did_not_rise(served: Served) -> None:
    await look(served, "rising?building=hut_small@0,0,0/0", status=404)
    assert await look(served, "buildings") == []


def test_buildings_and_homes_outlive_the_server(tmp_path: Path) -> None:
    """And so they do when their file is removed, as far as the world itself knows them."""

    async def first() -> list[dict[str, object]]:
        async with (
            serving(tmp_path, tape=True, **BUILDERS_KIT) as served,
            served.agent("mole") as mole,
            served.agent("vole") as vole,
        ):
            await raise_house(served.live.service.world, mole, vole)
            shown: list[dict[str, object]] = await look(served, "buildings")
            return shown

    (house,) = run(first())
    assert house["builder"] == "A2"


@pytest.fixture(scope="module")
def world() -> World:
    return create_world(1337, 5, Tuning())


def a_building(number: int) -> Building:
    return Building(
        tick=number,
        id=f"hut_small@{number},20,0/0",
        blueprint_id="hut_small",
        builder="A1",
        anchor=(number, 20, 0),
        rotation=0,
        low=(number, 20, 0),
        high=(number + 2, 22, 2),
    )


def test_annals_bring_back_buildings_homes_and_dealings(world: World, tmp_path: Path) -> None:
    home = {"tick": 0, "at": [1, 20, 1], "resident": "A2", "said_by": "A1"}
    dealings = {"tick": 0, "dealings": {"A2": {"sold": {"BREAD": 3}, "trades": 2, "kept": 1}}}
    house = json.loads(msgspec.json.encode(a_building(0)))
    lines = [json.dumps(record, separators=(",", ":")) for record in (house, home, dealings)]
    (tmp_path / FILE).write_text("\n".join([*lines, '{"tick":0,"what":1}', "nonsense"]) + "\n")
    for _ in range(2):  # it is written anew at every start
        annals = Annals(world, tmp_path)
        (shown,) = annals.buildings.shown(world)
        assert [resident.id for resident in shown.residents] == ["A2"]
        assert annals.dealings.of("A2").sold == {"BREAD": 3}
        assert annals.dealings.of("A3").trades == 0


def test_the_oldest_buildings_make_room(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buildings, "BUILDINGS_KEPT", 3)
    register = BuildingRegister()
    for number in range(5):
        register.take(a_building(number))
    assert [shown.completed_tick for shown in register.shown(world)] == [2, 3, 4]


def test_a_building_whose_blocks_are_gone_does_not_stand(world: World) -> None:
    register = BuildingRegister()
    register.take(a_building(0))
    world.ground.block(0, 20, 0)  # the ground there is in use
    (shown,) = register.shown(world)
    assert not shown.stands
