"""Contracts for buildings: one work pays one of them, and nobody is blamed who was kept from the
work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from tests.voxel.flat import STAND, events, put_agent
from tests.voxel.society.civic import a_land, add_member, an_org, outcome, said, wait
from tests.voxel.society.test_contracts import (
    HERE,
    SITE,
    a_road,
    accept,
    an_office,
    check_escrow,
    posted,
    stacks,
    submit,
    taken,
)
from tests.voxel.working import change_of, check_books, put
from thorp.protocol.actions import (
    AcceptContract,
    BuildBlueprint,
    Mine,
    Place,
    PostContract,
    SetPermissions,
)
from thorp.simulator.totals import count_everything
from thorp.voxel.lookups import permissions
from thorp.voxel.society import contracts, worksites
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import Contract
from thorp.voxel.state.world import World, block_id
from thorp.voxel.systems import blueprints

X, Y, Z = SITE
NAME = {"trade": 500, "build": 500, "social": 500, "law": 500}
PRAISED = {**NAME, "build": 506}
BLAMED = {**NAME, "trade": 488, "law": 492}


def road(anchor: Position = SITE, rotation: int = 0) -> BuildBlueprint:
    return BuildBlueprint(blueprint_id="road_segment", anchor=anchor, rotation=rotation)


def moved(z: int) -> Position:
    return X, Y, Z + z


def states(*found: Contract) -> list[str]:
    return [contract.state for contract in found]


def check(world: World, before: Counter[str], **change: int) -> None:
    """Goods were spent on blocks alone, escrow holds what it should, and the index is what is made
    anew."""
    assert change_of(before, count_everything(world)) == change
    check_escrow(world)
    check_books(world)
    kept = world.derived.index
    assert kept is not None
    sites, kept.sites = worksites._sites(world), None
    assert sites == worksites._sites(world)


# One work


def test_one_road_pays_one_of_eight_contracts() -> None:
    world, poster, worker, terminal = an_office()
    worker.give("STONE", 5)
    before = count_everything(world)
    wish = a_road(reward=stacks(COAL=2), deposit=stacks(STONE=1))
    eight = [taken(world, poster, worker, wish) for _ in range(8)]
    assert worker.have("STONE") == 2
    assert outcome(world, worker, road()) == "ok"
    assert states(*eight) == ["COMPLETED", *["FAILED"] * 7]
    assert worker.inventory == {"PLANK": 25, "COAL": 2, "STONE": 10}
    assert poster.inventory == {"PLANK": 10, "COAL": 18}
    assert worker.reputation == PRAISED
    assert poster.reputation == NAME
    assert terminal.stock == terminal.reserved == terminal.owed == {}
    for agent in (poster, worker):
        told = [one["contract_id"] for one in events(agent, "CONTRACT") if one["state"] == "FAILED"]
        assert told == [contract.id for contract in eight[1:]]
    check(world, before, PLANK=-5)
    wait(world, 3)
    assert worker.reputation == PRAISED


def test_of_two_acceptors_the_oldest_contract_is_paid_and_the_other_gets_its_own_back() -> None:
    world, poster, worker, terminal = an_office()
    other, backer = put_agent(world, 20, 2, STONE=3), put_agent(world, 22, 2, STONE=2)
    before = count_everything(world)
    first = taken(world, poster, worker, a_road(deposit=stacks(STONE=2)))
    second = posted(world, poster, a_road(deposit=stacks(STONE=3)))
    contracts.add_bonus(world, backer.id, second, {"STONE": 2})
    assert said(world, other, accept(second)) == "ok"
    assert (other.have("STONE"), backer.have("STONE")) == (0, 0)
    assert outcome(world, worker, road()) == "ok"
    assert states(first, second) == ["COMPLETED", "FAILED"]
    assert (worker.reputation, other.reputation) == (PRAISED, NAME)
    assert (other.inventory, backer.inventory) == ({"STONE": 3}, {"STONE": 2})
    assert (poster.have("COAL"), worker.have("COAL")) == (15, 5)
    assert terminal.stock == {}
    check(world, before, PLANK=-5)


def test_nobody_is_paid_for_the_work_of_another_who_has_a_contract_too() -> None:
    world, poster, worker, terminal = an_office()
    accomplice = put_agent(world, 20, 2)
    older = taken(world, poster, accomplice, a_road())
    own = taken(world, poster, worker, a_road())
    assert outcome(world, worker, road()) == "ok"
    assert states(older, own) == ["FAILED", "COMPLETED"]
    assert (worker.have("COAL"), accomplice.have("COAL")) == (5, 0)
    assert terminal.stock == {}


def test_a_contract_at_another_terminal_ends_as_well() -> None:
    world, poster, worker, terminal = an_office()
    there = (21, STAND, 1)
    put(world, there, "CONTRACT_TERMINAL")
    wish = a_road(terminal_id=block_id("CONTRACT_TERMINAL", there))
    second = contracts.open_contract(world, poster.id, world.containers[there], wish)
    first = taken(world, poster, worker)
    elsewhere = AcceptContract(terminal_id=wish.terminal_id, contract_id=second.id)
    assert said(world, worker, elsewhere) == "ok"
    third = taken(world, poster, worker, a_road())
    before = count_everything(world)
    assert outcome(world, worker, road()) == "ok"
    assert states(first, second, third) == ["ACCEPTED", "COMPLETED", "FAILED"], (
        "goods are not its business"
    )
    assert world.containers[there].stock == {}
    assert terminal.stock == {"COAL": 5}
    check(world, before, PLANK=-5)


def test_submitting_ends_the_others_too() -> None:
    world, poster, worker, _ = an_office()
    first, second = (taken(world, poster, worker, a_road()) for _ in range(2))
    before = count_everything(world)
    for z in range(5):
        put(world, moved(z), "PLANK")
    wait(world)
    assert states(first, second) == ["ACCEPTED", "ACCEPTED"], "that was outside of ticks"
    assert said(world, worker, submit(second)) == "ok"
    assert states(first, second) == ["FAILED", "COMPLETED"]
    assert worker.reputation == PRAISED
    check(world, before)


def test_the_same_cells_by_another_name_are_the_same_work() -> None:
    world, poster, worker, _ = an_office()
    first = taken(world, poster, worker, a_road())
    second = taken(world, poster, worker, a_road(anchor=moved(4), rotation=2))
    assert outcome(world, worker, road(moved(4), 2)) == "ok"
    assert states(first, second) == ["COMPLETED", "FAILED"]
    assert worker.have("COAL") == 5


@pytest.mark.parametrize(
    ("by", "standing", "name"), [(1, 4, 506), (2, 3, 506), (3, 2, 512), (4, 1, 512)]
)
def test_what_another_contract_paid_for_stood_before(by: int, standing: int, name: int) -> None:
    world, poster, worker, _ = an_office()
    before = count_everything(world)
    first = taken(world, poster, worker, a_road())
    second = taken(world, poster, worker, a_road(anchor=moved(by)))
    world.digest()
    assert outcome(world, worker, road()) == "ok"
    assert states(first, second) == ["COMPLETED", "ACCEPTED"]
    assert second.standing == standing
    check(world, before, PLANK=-5)
    assert outcome(world, worker, road(moved(by))) == "ok"
    assert (second.state, worker.have("COAL")) == ("COMPLETED", 10), "paid by the poster's wish"
    assert worker.reputation["build"] == name
    check(world, before, PLANK=-5 - by)


def test_no_more_than_all_of_it_stood_before() -> None:
    world, poster, worker, _ = an_office()
    for z in (3, 4, 5, 6):
        put(world, moved(z), "PLANK")
    first = taken(world, poster, worker, a_road())
    second = taken(world, poster, worker, a_road(anchor=moved(2)))
    assert (first.standing, second.standing) == (2, 4)
    put(world, moved(6), "AIR")
    assert outcome(world, worker, road()) == "ok"
    assert (first.state, second.state, second.standing) == ("COMPLETED", "ACCEPTED", 5)


@pytest.mark.parametrize(
    "wish",
    [
        a_road(anchor=(X, Y + 1, Z)),
        a_road(anchor=(X + 1, Y, Z)),
        a_road(anchor=moved(5)),
        a_road(blueprint_id="stone_wall_segment"),
    ],
    ids=["above", "beside", "behind", "of other blocks"],
)
def test_another_work_is_another_work(wish: PostContract) -> None:
    world, poster, worker, _ = an_office()
    first, second = taken(world, poster, worker, a_road()), taken(world, poster, worker, wish)
    assert outcome(world, worker, road()) == "ok"
    assert states(first, second) == ["COMPLETED", "ACCEPTED"]
    assert second.standing == 0
    plan = blueprints.plan_of(world, second.blueprint_id, second.anchor, second.rotation)
    for cell, block in plan.items():
        put(world, cell, world.catalogs.blocks[block].id)
    assert said(world, worker, submit(second)) == "ok"
    assert worker.have("COAL") == 10
    assert worker.reputation["build"] == 512


def test_a_loaded_world_ends_the_same() -> None:
    world, poster, worker, _ = an_office()
    for wish in (a_road(), a_road(anchor=moved(2)), a_road()):
        taken(world, poster, worker, wish)
    fresh = check_books(world)
    for one in (world, fresh):
        assert outcome(one, one.agents[worker.number], road()) == "ok"
        assert states(*one.contracts) == ["COMPLETED", "ACCEPTED", "FAILED"]
    assert world.digest() == fresh.digest()


# Kept out


Scene = Callable[[World, Agent, Agent], None]


def site_of(world: World, owner: Agent, radius: int = 8) -> str:
    """Land over the whole site, with its totem beside it."""
    return a_land(world, owner, X, Z + 5, radius).id


def deed(world: World, land_id: str, owner: str) -> None:
    world.claims[land_id].owner = owner
    world.claims.touch(land_id)


def by_poster(world: World, poster: Agent, worker: Agent) -> None:
    site_of(world, poster)


def by_city_of_poster(world: World, poster: Agent, worker: Agent) -> None:
    org = an_org(world, put_agent(world, 19, 0), poster)
    deed(world, site_of(world, poster), org.id)


def by_friend_of_poster(world: World, poster: Agent, worker: Agent) -> None:
    friend = put_agent(world, 22, 0)
    add_member(world, friend, world.claims[site_of(world, friend)], poster)


def by_stranger(world: World, poster: Agent, worker: Agent) -> None:
    site_of(world, put_agent(world, 22, 0))


def by_friend_of_worker(world: World, poster: Agent, worker: Agent) -> None:
    """They are of one city, but the land is the friend's own."""
    friend = put_agent(world, 22, 0)
    an_org(world, friend, worker)
    site_of(world, friend)


def by_deed_of_poster(world: World, poster: Agent, worker: Agent) -> None:
    """The poster gives the site away before the deadline."""
    land_id = site_of(world, poster)
    wait(world, 2)
    deed(world, land_id, put_agent(world, 22, 0).id)


def by_poster_for_all(world: World, poster: Agent, worker: Agent) -> None:
    policy = {"allow_build": True}
    assert (
        said(world, poster, SetPermissions(land_id=site_of(world, poster), policy=policy)) == "ok"
    )


def by_poster_for_worker(world: World, poster: Agent, worker: Agent) -> None:
    add_member(world, poster, world.claims[site_of(world, poster)], worker)


def by_nobody(world: World, poster: Agent, worker: Agent) -> None:
    pass


@pytest.mark.parametrize(
    "claim",
    [
        by_poster,
        by_city_of_poster,
        by_stranger,
        by_friend_of_poster,
        by_friend_of_worker,
        by_deed_of_poster,
    ],
)
def test_who_was_kept_out_by_a_land_of_anybody_is_not_to_blame(claim: Scene) -> None:
    world, poster, worker, terminal = an_office()
    before = count_everything(world)
    contract = taken(world, poster, worker, a_road(duration_ticks=20, deposit=stacks(STONE=4)))
    claim(world, poster, worker)
    assert not permissions.may_build(world, worker, SITE)
    wait(world, contract.deadline_tick + 1 - world.tick)
    assert contract.state == "FAILED"
    assert (worker.inventory, worker.reputation) == ({"PLANK": 30, "STONE": 5}, NAME)
    assert poster.inventory == {"PLANK": 10, "COAL": 20}
    assert terminal.stock == {}
    check(world, before)


@pytest.mark.parametrize("claim", [by_poster_for_all, by_poster_for_worker, by_nobody])
def test_who_could_have_done_it_has_failed(claim: Scene) -> None:
    world, poster, worker, terminal = an_office()
    before = count_everything(world)
    contract = taken(world, poster, worker, a_road(duration_ticks=20, deposit=stacks(STONE=4)))
    claim(world, poster, worker)
    wait(world, contract.deadline_tick + 1 - world.tick)
    assert contract.state == "FAILED"
    assert (worker.inventory, worker.reputation) == ({"PLANK": 30, "STONE": 1}, BLAMED)
    assert poster.inventory == {"PLANK": 10, "COAL": 20, "STONE": 4}
    assert terminal.stock == {}
    check(world, before)


Hindrance = Callable[[World, Agent], None]
WALKED_OVER = moved(2)


def stands_in_the_way(world: World, worker: Agent) -> None:
    """Somebody stands on the site while the worker tries, and has gone by the deadline."""
    somebody = put_agent(world, WALKED_OVER[0], WALKED_OVER[2], WALKED_OVER[1])
    assert outcome(world, worker, road()) == "E_UNSAFE"
    world.relocate(somebody, (X + 9, Y, Z + 9))


def stands_there_at_the_end(world: World, worker: Agent) -> None:
    put_agent(world, WALKED_OVER[0], WALKED_OVER[2], WALKED_OVER[1])


def claims_for_a_while(world: World, worker: Agent) -> None:
    """An accomplice claims the site and opens it again before the deadline; the worker has not even
    tried."""
    land_id = site_of(world, put_agent(world, 22, 0))
    wait(world, worksites.LOOK_EVERY)
    world.claims[land_id].flags["allow_build"] = True
    assert permissions.may_build(world, worker, SITE)


def claims_while_the_worker_tries(world: World, worker: Agent) -> None:
    land_id = site_of(world, put_agent(world, 22, 0))
    assert outcome(world, worker, road()) == "E_NO_PERMISSION"
    world.claims[land_id].flags["allow_build"] = True


def lays_another_block(world: World, worker: Agent) -> None:
    vandal = put_agent(world, X + 1, Z + 2, STONE=1)
    assert outcome(world, vandal, Place(block_pos=WALKED_OVER, item_id="STONE")) == "ok"


def breaks_what_was_built(world: World, worker: Agent) -> None:
    assert outcome(world, worker, Place(block_pos=WALKED_OVER, item_id="PLANK")) == "ok"
    assert outcome(world, put_agent(world, X + 1, Z + 2), Mine(block_pos=WALKED_OVER)) == "ok"


def digs_below(world: World, worker: Agent) -> None:
    x, y, z = WALKED_OVER
    assert outcome(world, put_agent(world, X + 1, Z + 2), Mine(block_pos=(x, y - 1, z))) == "ok"


@pytest.mark.parametrize(
    "hindrance",
    [
        stands_in_the_way,
        stands_there_at_the_end,
        claims_for_a_while,
        claims_while_the_worker_tries,
        lays_another_block,
        breaks_what_was_built,
        digs_below,
    ],
)
def test_whatever_stops_the_acceptor_at_the_site_is_not_its_failure(hindrance: Hindrance) -> None:
    world, poster, worker, _ = an_office()
    contract = taken(world, poster, worker, a_road(duration_ticks=99, deposit=stacks(STONE=4)))
    world.relocate(worker, (X + 2, Y, Z))
    hindrance(world, worker)
    wait(world, contract.deadline_tick + 1 - world.tick)
    assert contract.state == "FAILED"
    assert (worker.have("STONE"), worker.reputation["trade"]) == (5, 500)
    assert poster.have("STONE") == 0
    check_books(world)


def test_what_helps_or_harms_nothing_is_no_excuse() -> None:
    world, poster, worker, _ = an_office()
    contract = taken(world, poster, worker, a_road(duration_ticks=99, deposit=stacks(STONE=4)))
    world.relocate(worker, (X + 2, Y, Z))
    helper = put_agent(world, X + 1, Z + 2, PLANK=1, STONE=1)
    assert outcome(world, helper, Place(block_pos=WALKED_OVER, item_id="PLANK")) == "ok"
    assert outcome(world, helper, Place(block_pos=(X + 1, Y, Z + 3), item_id="STONE")) == "ok"
    assert outcome(world, worker, Place(block_pos=SITE, item_id="STONE")) == "ok", "its own block"
    assert outcome(world, worker, road()) == "E_BLOCKED"
    assert not contract.hindered
    wait(world, contract.deadline_tick + 1 - world.tick)
    assert poster.have("STONE") == 4


def test_a_hindered_contract_is_still_paid_when_it_is_done() -> None:
    world, poster, worker, _ = an_office()
    contract = taken(world, poster, worker, a_road(duration_ticks=99, deposit=stacks(STONE=4)))
    world.relocate(worker, (X + 2, Y, Z))
    stands_in_the_way(world, worker)
    assert contract.hindered
    assert outcome(world, worker, road()) == "ok"
    assert contract.state == "COMPLETED"


def test_one_cell_is_enough_and_beside_is_not() -> None:
    world, poster, worker, _ = an_office()
    last = taken(world, poster, worker, a_road(duration_ticks=20, deposit=stacks(STONE=1)))
    beside = taken(
        world, poster, worker, a_road(anchor=moved(-1), duration_ticks=20, deposit=stacks(STONE=1))
    )
    a_land(world, poster, X, Z + 4 + 8, 8)
    wait(world, beside.deadline_tick + 1 - world.tick)
    assert states(last, beside) == ["FAILED", "FAILED"]
    assert worker.have("STONE") == 4
    assert worker.reputation == BLAMED, "once"


def test_the_land_of_the_city_that_posts() -> None:
    world, poster, worker, _ = an_office()
    org = an_org(world, poster)
    org.treasury = {"COAL": 5}
    world.orgs.touch(org.id)
    before = count_everything(world)
    wish = a_road(duration_ticks=20, deposit=stacks(STONE=1))
    contract = contracts.open_contract(world, org.id, world.containers[HERE], wish)
    assert said(world, worker, accept(contract)) == "ok"
    deed(world, site_of(world, poster), org.id)
    wait(world, contract.deadline_tick + 1 - world.tick)
    assert (contract.state, org.treasury) == ("FAILED", {"COAL": 5})
    assert (worker.have("STONE"), worker.reputation) == (5, NAME)
    check(world, before)
