"""Contracts that an organisation posts or backs: its treasury pays, and gets what comes of it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.voxel.flat import STAND
from tests.voxel.society.bazaar import GOODS, TERMINALS, Books, Dealer, a_bazaar
from tests.voxel.society.civic import a_society, an_org, ask, newcomer, said, wait
from tests.voxel.working import put
from thorp.protocol import actions
from thorp.protocol.actions import Stack
from thorp.voxel.inputs import AnyInput, ExtensionRequest
from thorp.voxel.lookups import terminals
from thorp.voxel.refusal import Refusal
from thorp.voxel.society import contracts
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Contract, Org
from thorp.voxel.state.world import World, block_id

PLACE = (0, STAND, 2)
TERMINAL = block_id("CONTRACT_TERMINAL", PLACE)


class City:
    """A leader, a worker, a treasury, and a terminal in the wild."""

    def __init__(self) -> None:
        self.world = a_society()
        self.leader = newcomer(self.world, 0, 0)
        self.worker = newcomer(self.world, 1, 1, COAL=10)
        self.org: Org = an_org(self.world, self.leader)
        self.org.treasury = {"PLANK": 20, "STONE": 6}
        put(self.world, PLACE, "CONTRACT_TERMINAL")
        wait(self.world)

    def post(self, poster: str, wanted: int = 4, reward: int = 6, ticks: int = 20) -> Contract:
        wish = actions.PostContract(
            contract_kind="GATHER",
            requirements=[Stack("COAL", wanted)],
            reward=[Stack("PLANK", reward)],
            duration_ticks=ticks,
        )
        return contracts.open_contract(self.world, poster, self.world.containers[PLACE], wish)

    def back(self, contract: Contract, **bonus: int) -> None:
        contracts.add_bonus(self.world, self.org.id, contract, bonus)

    def accept(self, contract: Contract, agent: Agent | None = None) -> str:
        wish = actions.AcceptContract(terminal_id=TERMINAL, contract_id=contract.id)
        return said(self.world, agent or self.worker, wish)

    def bring(self, count: int) -> None:
        ask(
            self.world,
            self.worker,
            actions.Transfer(
                src_container="SELF", dst_container=TERMINAL, item_id="COAL", count=count
            ),
        )
        wait(self.world)


@pytest.fixture
def city() -> City:
    return City()


def test_the_treasury_pays_and_gets_the_goods(city: City) -> None:
    contract = city.post(city.org.id)
    assert city.org.treasury == {"PLANK": 14, "STONE": 6}
    assert city.accept(contract) == "ok"
    city.bring(4)
    assert contract.state == "COMPLETED"
    assert city.org.treasury == {"PLANK": 14, "STONE": 6, "COAL": 4}
    assert city.worker.inventory == {"COAL": 6, "PLANK": 6}


def test_submitting_puts_the_goods_into_the_treasury_too(city: City) -> None:
    """Nobody has to fetch them."""
    contract = city.post(city.org.id)
    city.accept(contract)
    terminal = city.world.containers[PLACE]
    city.worker.give("COAL", -4)
    terminal.stock["COAL"] = 4
    assert (
        said(
            city.world,
            city.worker,
            actions.SubmitContract(terminal_id=TERMINAL, contract_id=contract.id),
        )
        == "ok"
    )
    assert city.org.treasury["COAL"] == 4
    assert not terminal.owed


def test_a_member_may_work_for_its_city(city: City) -> None:
    assert city.accept(city.post(city.org.id), city.leader) == "ok"


def test_what_nobody_did_goes_back(city: City) -> None:
    contract = city.post(city.org.id, ticks=3)
    wait(city.world, 5)
    assert contract.state == "FAILED"
    assert city.org.treasury == {"PLANK": 20, "STONE": 6}


def test_with_the_terminal_goes_nothing(city: City) -> None:
    contract = city.post(city.org.id)
    city.back(contract, STONE=2)
    put(city.world, PLACE, "AIR")
    assert city.org.treasury == {"PLANK": 20, "STONE": 6}


def test_an_empty_treasury_posts_and_backs_nothing(city: City) -> None:
    city.org.treasury = {"PLANK": 5}
    with pytest.raises(Refusal, match="missing reward: PLANK x1"):
        city.post(city.org.id)
    stranger = newcomer(city.world, 0, 1, PLANK=10)
    contract = city.post(stranger.id)
    with pytest.raises(Refusal, match="missing bonus: STONE x3"):
        city.back(contract, STONE=3)
    assert city.org.treasury == {"PLANK": 5}
    assert contract.bonus == {}


def test_one_that_fulfils_a_backed_contract_gets_the_bonus_too(city: City) -> None:
    stranger = newcomer(city.world, 0, 1, PLANK=10)
    contract = city.post(stranger.id)
    city.back(contract, STONE=2)
    city.back(contract, STONE=1, PLANK=1)
    assert city.org.treasury == {"PLANK": 19, "STONE": 3}
    (opened,) = [
        one
        for one in terminals.describe_contracts(city.world, city.world.containers[PLACE])
        if one["state"] == "OPEN"
    ]
    assert (opened["backer"], opened["bonus"]) == (
        city.org.id,
        [{"item": "PLANK", "count": 1}, {"item": "STONE", "count": 3}],
    )
    city.accept(contract)
    city.bring(4)
    assert city.worker.inventory == {"COAL": 6, "PLANK": 7, "STONE": 3}
    assert stranger.inventory == {"PLANK": 4, "COAL": 4}


def test_a_bonus_that_nobody_earns_is_its_backers(city: City) -> None:
    """Not the poster's, who could otherwise live on it."""
    stranger = newcomer(city.world, 0, 1, PLANK=10)
    for accepted in (False, True):
        contract = city.post(stranger.id, ticks=3)
        city.back(contract, STONE=2)
        if accepted:
            city.accept(contract)
        wait(city.world, 5)
        assert contract.state == "FAILED"
        assert city.org.treasury == {"PLANK": 20, "STONE": 6}
        assert stranger.inventory == {"PLANK": 10}


def test_what_is_accepted_or_backed_by_others_cannot_be_backed(city: City) -> None:
    contract = city.post(city.org.id)
    contracts.add_bonus(city.world, city.org.id, contract, {"STONE": 1})
    city.worker.give("STONE", 5)
    with pytest.raises(Refusal, match="another backs it"):
        contracts.add_bonus(city.world, city.worker.id, contract, {"STONE": 1})
    city.accept(contract)
    with pytest.raises(Refusal, match="not open"):
        city.back(contract, STONE=1)


def test_the_last_one_out_inherits_what_contracts_bring(city: City) -> None:
    ours, theirs = (
        city.post(city.org.id, ticks=10),
        city.post(newcomer(city.world, 0, 1, PLANK=6).id, ticks=10),
    )
    city.back(theirs, STONE=2)
    assert said(city.world, city.leader, actions.LeaveOrg()) == "ok"
    assert city.org.id not in city.world.orgs
    assert (ours.poster, theirs.backer) == (city.leader.id, city.leader.id)
    wait(city.world, 12)
    assert city.leader.inventory == {"PLANK": 20, "STONE": 6}
    assert not city.world.containers[PLACE].owed


class Treasurer:
    """Posts and backs for the city of a bazaar, whatever the seed says."""

    name = "treasurer"

    def step(self, world: World) -> None:
        """Only when asked."""

    def answer(self, world: World, text: str) -> str:
        draw = Random(text)
        org = next(iter(world.orgs), None)
        if org is None:
            return "nobody"
        goods = {draw.choice(GOODS): draw.randint(1, 6)}
        try:
            if draw.random() < 0.5:
                self._post(world, draw, org.id, goods)
            else:
                live = [one for one in world.contracts if one.state == "OPEN"]
                contracts.add_bonus(world, org.id, draw.choice(live), goods)
        except (Refusal, IndexError, KeyError):
            return "no"
        return "yes"

    def _post(self, world: World, draw: Random, org_id: str, goods: dict[str, int]) -> None:
        wish: Any = actions.PostContract(
            contract_kind="GATHER",
            requirements=[Stack(draw.choice(GOODS), draw.randint(1, 4))],
            reward=[Stack(*pair) for pair in goods.items()],
            duration_ticks=draw.choice([1, 4, 15]),
        )
        contracts.open_contract(world, org_id, world.containers[draw.choice(TERMINALS)], wish)


def a_bazaar_with_a_treasurer() -> World:
    world = a_bazaar()
    world.extensions = (Treasurer(),)
    (org,) = world.orgs
    org.treasury = dict.fromkeys(GOODS, 200)
    return world


def test_a_treasury_that_posts_and_backs_keeps_the_books() -> None:
    done = {"yes": 0, "no": 0, "nobody": 0}
    seen = 0
    for seed in range(6):
        world, dealer = a_bazaar_with_a_treasurer(), Dealer(seed)
        books = Books(world)
        for number in range(80):
            orders: list[AnyInput] = [
                ExtensionRequest("treasurer", f"{seed} {number} {one}") for one in range(3)
            ]
            books.live([*dealer.inputs(world, 6), *orders])
            for answer in world.scratch.answers:
                done[answer] += 1
            if number % 10 == 0:
                books.check_index()
        for _ in range(30):
            books.live([])
        books.check_index()
        assert not any(contract.is_live for contract in world.contracts)
        seen += books.completed
    assert done["yes"] > 300
    assert seen > 100
