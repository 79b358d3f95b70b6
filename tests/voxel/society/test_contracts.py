"""Contracts: posted, accepted, fulfilled or not. What is in escrow is always somebody's."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.voxel.flat import STAND, SURFACE, events, put_agent
from tests.voxel.society.civic import a_land, a_society, act, add_member, ask, outcome, said, wait
from tests.voxel.test_snapshot import packed
from tests.voxel.working import check_books, put
from thorp.protocol.actions import (
    AcceptContract,
    BuildBlueprint,
    CancelContract,
    ClaimOwed,
    Mine,
    Open,
    Place,
    PostContract,
    Stack,
    SubmitContract,
    Transfer,
)
from thorp.protocol.outcome import outcome_of
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.totals import count_everything
from thorp.voxel.lookups import terminals
from thorp.voxel.persistence.snapshot import restore
from thorp.voxel.society import contracts, escrow
from thorp.voxel.society.contracts import MAX_OF_POSTER, MAX_OF_VISITORS
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Contract
from thorp.voxel.state.world import Container, World
from thorp.voxel.systems.containers import add
from thorp.voxel.tick import step

HERE = (20, STAND, 1)
TERMINAL = f"CONTRACT_TERMINAL@20,{STAND},1"
SITE = (28, STAND, 8)


def an_office(**tuning: Any) -> tuple[World, Agent, Agent, Container]:
    """Someone with work, someone without, and a terminal between them."""
    world = a_society(**tuning)
    poster = put_agent(world, 20, 0, COAL=20, PLANK=10)
    worker = put_agent(world, 21, 0, PLANK=30, STONE=5)
    put(world, HERE, "CONTRACT_TERMINAL")
    return world, poster, worker, world.containers[HERE]


def stacks(**goods: int) -> list[Stack]:
    return [Stack(item, count) for item, count in goods.items()]


def wanted(**changes: Any) -> PostContract:
    wish: dict[str, Any] = {
        "terminal_id": TERMINAL,
        "contract_kind": "DELIVER",
        "requirements": stacks(PLANK=10),
        "reward": stacks(COAL=5),
    }
    return PostContract(**{**wish, **changes})


def a_road(**changes: Any) -> PostContract:
    site = {"blueprint_id": "road_segment", "anchor": SITE, "rotation": 0}
    return wanted(**{"contract_kind": "BUILD", "requirements": None, **site, **changes})


def posted(world: World, agent: Agent, wish: PostContract | None = None) -> Contract:
    (result,) = ask(world, agent, wish or wanted())
    assert result["ok"], result
    return world.contracts[result["contract_id"]]


def taken(world: World, poster: Agent, worker: Agent, wish: PostContract | None = None) -> Contract:
    contract = posted(world, poster, wish)
    (result,) = ask(world, worker, accept(contract))
    assert result["ok"], result
    return contract


def accept(contract: Contract) -> AcceptContract:
    return AcceptContract(terminal_id=TERMINAL, contract_id=contract.id)


def submit(contract: Contract) -> SubmitContract:
    return SubmitContract(terminal_id=TERMINAL, contract_id=contract.id)


def bring(item: str, count: int) -> Transfer:
    return Transfer(src_container="SELF", dst_container=TERMINAL, item_id=item, count=count)


def fetch(item: str, count: int) -> Transfer:
    return Transfer(src_container=TERMINAL, dst_container="SELF", item_id=item, count=count)


def refused(world: World, agent: Agent, wish: Any) -> tuple[str, str]:
    """Code and message; and nothing has moved."""
    before = (
        [table.digest() for table in (world.containers, world.contracts)],
        world.counters.contract,
    )
    carried = [dict(one.inventory) for one in world.agents]
    (result,) = ask(world, agent, wish)
    assert not result["ok"], result
    assert before == (
        [table.digest() for table in (world.containers, world.contracts)],
        world.counters.contract,
    )
    assert carried == [dict(one.inventory) for one in world.agents]
    check_escrow(world)
    return result["code"], result["message"]


def check_escrow(world: World) -> None:
    """What is reserved is what live contracts hold, to the unit, and it is there."""
    for container in world.containers:
        held: Counter[str] = Counter()
        for contract in world.contracts:
            if contract.is_live and contract.terminal == container.position:
                for goods in escrow.held(contract):
                    held.update(goods)
        assert container.reserved == dict(held)
        for item, count in container.reserved.items():
            assert container.stock[item] >= count


# Posting


def test_posting_moves_the_reward_into_escrow() -> None:
    world, poster, _, terminal = an_office()
    (result,) = ask(
        world, poster, wanted(id="p", reward=stacks(COAL=3, PLANK=1), duration_ticks=50)
    )
    assert result == {
        "t": 1,
        "type": "ACTION_RESULT",
        "ref": "p",
        "ok": True,
        "contract_id": "C000001",
    }
    contract = world.contracts["C000001"]
    assert (contract.state, contract.poster, contract.deadline_tick) == ("OPEN", poster.id, 51)
    assert terminal.stock == terminal.reserved == {"COAL": 3, "PLANK": 1}
    assert poster.inventory == {"COAL": 17, "PLANK": 9}
    check_escrow(world)


@pytest.mark.parametrize(
    ("time", "deadline"),
    [
        ({}, 6001),
        ({"duration_ticks": 0, "deadline_tick": 0}, 6001),
        ({"deadline_tick": 2}, 2),
        ({"deadline_tick": 42_001}, 42_001),
        ({"duration_ticks": 7, "deadline_tick": 400}, 400),
    ],
)
def test_deadlines(time: dict[str, int], deadline: int) -> None:
    world, poster, _, _ = an_office()
    assert posted(world, poster, wanted(**time)).deadline_tick == deadline


@pytest.mark.parametrize("kind", ["GATHER", "DELIVER", "gather", "Deliver"])
def test_kinds_in_any_case(kind: str) -> None:
    world, poster, _, _ = an_office()
    assert posted(world, poster, wanted(contract_kind=kind)).kind == kind.upper()


@pytest.mark.parametrize(
    ("wish", "code", "message"),
    [
        (wanted(terminal_id=None), "E_BAD_REQUEST", "missing terminal_id"),
        (wanted(terminal_id="CONTRACT_TERMINAL@9,9,9"), "E_INVALID_TARGET", "terminal not found"),
        (wanted(terminal_id="CHEST@20,23,-2"), "E_INVALID_TARGET", "terminal not found"),
        (wanted(terminal_id="CONTRACT_TERMINAL@40,23,0"), "E_BLOCKED", "too far"),
        (
            wanted(contract_kind=None),
            "E_BAD_REQUEST",
            "bad contract_kind; one of GATHER, DELIVER, BUILD",
        ),
        (
            wanted(contract_kind="STEAL"),
            "E_BAD_REQUEST",
            "bad contract_kind; one of GATHER, DELIVER, BUILD",
        ),
        (wanted(reward=None), "E_BAD_REQUEST", "bad reward"),
        (wanted(reward=stacks(COAL=0)), "E_BAD_REQUEST", "bad reward"),
        (wanted(reward=stacks(COAL=-1)), "E_BAD_REQUEST", "bad reward"),
        (wanted(reward=stacks(GOLD=1)), "E_BAD_REQUEST", "bad reward"),
        (wanted(reward=[Stack("COAL", 5), Stack("COAL", -5)]), "E_BAD_REQUEST", "bad reward"),
        (wanted(requirements=[]), "E_BAD_REQUEST", "bad requirements"),
        (wanted(requirements=stacks(PLANK=-1)), "E_BAD_REQUEST", "bad requirements"),
        (wanted(requirements=stacks(GOLD=1)), "E_BAD_REQUEST", "bad requirements"),
        (wanted(deposit=stacks(PLANK=-1)), "E_BAD_REQUEST", "bad deposit"),
        (wanted(deadline_tick=1), "E_BAD_REQUEST", "deadline must be 1 to 42000 ticks from now"),
        (wanted(deadline_tick=-1), "E_BAD_REQUEST", "deadline must be 1 to 42000 ticks from now"),
        (
            wanted(deadline_tick=42_002),
            "E_BAD_REQUEST",
            "deadline must be 1 to 42000 ticks from now",
        ),
        (wanted(duration_ticks=-5), "E_BAD_REQUEST", "deadline must be 1 to 42000 ticks from now"),
        (wanted(reward=stacks(COAL=21)), "E_NO_RESOURCE", "missing reward: COAL x1"),
        (
            wanted(reward=[Stack("COAL", 20), Stack("COAL", 1)]),
            "E_NO_RESOURCE",
            "missing reward: COAL x1",
        ),
        (
            wanted(reward=stacks(COAL=2**31 - 1)),
            "E_NO_RESOURCE",
            "missing reward: COAL x2147483627",
        ),
        (a_road(blueprint_id=None), "E_BAD_REQUEST", "missing blueprint_id"),
        (a_road(blueprint_id="palace"), "E_INVALID_TARGET", "unknown blueprint"),
        (a_road(anchor=None), "E_BAD_REQUEST", "missing anchor"),
        (a_road(anchor=(0, 64, 0)), "E_INVALID_TARGET", "outside the world"),
        (a_road(anchor=(0, STAND, 3998)), "E_INVALID_TARGET", "outside the world"),
    ],
)
def test_posts_that_are_refused(wish: PostContract, code: str, message: str) -> None:
    world, poster, _, _ = an_office()
    put(world, (20, STAND, -2), "CHEST")
    put(world, (40, STAND, 0), "CONTRACT_TERMINAL")
    assert refused(world, poster, wish) == (code, message)


def test_an_agent_and_a_terminal_have_so_many_contracts(monkeypatch: pytest.MonkeyPatch) -> None:
    world, poster, worker, _ = an_office()
    monkeypatch.setattr(contracts, "MAX_CONTRACTS", 2)
    monkeypatch.setattr(terminals, "MAX_AT_TERMINAL", 3)
    cheap = wanted(reward=stacks(PLANK=1))
    first, _ = posted(world, poster, cheap), posted(world, poster, cheap)
    assert refused(world, poster, cheap) == ("E_CONFLICT", "at most 2 contracts at a time")
    posted(world, worker, cheap)
    assert refused(world, worker, cheap) == ("E_CONFLICT", "this terminal has 3 contracts already")
    assert said(world, worker, accept(first)) == "ok"
    assert refused(world, worker, cheap) == ("E_CONFLICT", "at most 2 contracts at a time")
    assert said(world, worker, bring("PLANK", 10)) == "ok"
    assert first.state == "COMPLETED"
    assert said(world, worker, cheap) == "ok", "what is closed counts no more"


# Accepting


@pytest.mark.parametrize(
    ("trust", "times"), [(1000, 1), (500, 1), (499, 2), (300, 2), (299, 3), (0, 3)]
)
def test_the_deposit_depends_on_trust(trust: int, times: int) -> None:
    world, poster, worker, terminal = an_office()
    worker.reputation["trade"] = trust
    worker.changed()
    contract = posted(world, poster, wanted(deposit=stacks(STONE=1, PLANK=2)))
    (result,) = ask(world, worker, accept(contract))
    assert result["message"] == "accepted"
    assert worker.inventory.get("STONE", 0) == 5 - times
    assert worker.have("PLANK") == 30 - 2 * times
    assert contract.deposit == {"STONE": times, "PLANK": 2 * times}
    assert terminal.reserved == {"COAL": 5, **contract.deposit}
    check_escrow(world)


def test_who_may_not_accept() -> None:
    world, poster, worker, _ = an_office()
    far = put_agent(world, 30, 0)
    put(world, (20, STAND, -1), "CONTRACT_TERMINAL")
    contract = posted(world, poster, wanted(deposit=stacks(STONE=6)))
    assert refused(world, worker, AcceptContract(contract_id=contract.id))[0] == "E_BAD_REQUEST"
    assert refused(world, worker, AcceptContract(terminal_id=TERMINAL))[0] == "E_BAD_REQUEST"
    unknown = AcceptContract(terminal_id=TERMINAL, contract_id="C000009")
    assert refused(world, worker, unknown) == ("E_INVALID_TARGET", "contract not found")
    other = AcceptContract(terminal_id=f"CONTRACT_TERMINAL@20,{STAND},-1", contract_id=contract.id)
    assert refused(world, worker, other) == ("E_INVALID_TARGET", "terminal mismatch")
    assert refused(world, far, accept(contract)) == ("E_BLOCKED", "too far")
    assert refused(world, poster, accept(contract)) == ("E_NO_PERMISSION", "own contract")
    assert refused(world, worker, accept(contract)) == (
        "E_NO_RESOURCE",
        "missing deposit: STONE x1",
    )


def test_only_one_can_accept() -> None:
    world, poster, worker, _ = an_office()
    other = put_agent(world, 20, 2)
    contract = posted(world, poster)
    step(world, [act(worker, world, accept(contract)), act(other, world, accept(contract))])
    assert contract.acceptor == worker.id
    assert events(other)[-1]["code"] == "E_CONFLICT"
    assert refused(world, worker, accept(contract)) == ("E_CONFLICT", "contract is not open")


# Goods


def test_escrow_is_no_delivery_and_a_delivery_settles_in_its_tick() -> None:
    world, poster, worker, terminal = an_office()
    contract = taken(
        world, poster, worker, wanted(requirements=stacks(COAL=5), deposit=stacks(STONE=2))
    )
    assert refused(world, worker, submit(contract)) == ("E_BLOCKED", "requirements not met")
    worker.give("COAL", 5)
    assert outcome(world, worker, bring("COAL", 5)) == "ok"
    assert contract.state == "COMPLETED"
    assert poster.inventory == {"COAL": 20, "PLANK": 10}
    assert worker.inventory == {"COAL": 5, "PLANK": 30, "STONE": 5}
    assert terminal.stock == terminal.reserved == terminal.owed == {}
    told = {"type": "CONTRACT", "contract_id": "C000001", "state": "COMPLETED", "kind": "DELIVER"}
    for agent in (poster, worker):
        assert told.items() <= events(agent, "CONTRACT")[-1].items()
    assert refused(world, worker, submit(contract)) == ("E_NO_PERMISSION", "not acceptor")
    check_books(world)


def test_a_settled_contract_earns_trust() -> None:
    world, poster, worker, _ = an_office()
    taken(world, poster, worker)
    assert outcome(world, worker, bring("PLANK", 10)) == "ok"
    assert worker.reputation == {"trade": 506, "build": 500, "social": 502, "law": 500}
    assert poster.reputation["trade"] == 500
    assert worker.fun["social"] > 0


def test_submitting_keeps_the_goods_for_the_poster_and_earns_the_same() -> None:
    world, poster, worker, terminal = an_office()
    worker.give("COAL", 5)
    contract = taken(world, poster, worker, wanted(requirements=stacks(COAL=5)))
    terminal.stock["COAL"] += 5  # as a belt would bring it, in a tick of its own
    worker.give("COAL", -5)
    world.containers.touch(HERE)
    (result,) = ask(world, worker, submit(contract))
    assert result["message"] == "completed"
    assert terminal.owed == {poster.id: {"COAL": 5}}
    assert worker.have("COAL") == 5
    assert worker.reputation["trade"] == 506
    (result,) = ask(world, poster, ClaimOwed(terminal_id=TERMINAL))
    assert result["message"] == "claimed"
    assert poster.have("COAL") == 20
    (result,) = ask(world, poster, ClaimOwed(terminal_id=TERMINAL))
    assert result["message"] == "nothing owed"
    assert terminal.owed == {}


def test_deliveries_add_up_and_are_kept() -> None:
    world, poster, worker, terminal = an_office()
    thief = put_agent(world, 20, 2)
    contract = taken(world, poster, worker)
    assert outcome(world, worker, bring("PLANK", 4)) == "ok"
    assert outcome(world, worker, bring("STONE", 1)) == "ok"
    assert contract.delivered == {"PLANK": 4}
    check_escrow(world)
    assert outcome(world, thief, fetch("PLANK", 1)) == "E_NO_RESOURCE"
    assert outcome(world, thief, fetch("STONE", 1)) == "ok", "that was not asked for"
    assert outcome(world, worker, bring("PLANK", 8)) == "ok"
    assert (contract.state, poster.have("PLANK")) == ("COMPLETED", 20)
    assert terminal.stock == {"PLANK": 2}, "too much stays in the terminal"
    check_escrow(world)


def test_one_delivery_counts_once_for_the_oldest() -> None:
    world, poster, worker, _ = an_office()
    first, second = (taken(world, poster, worker) for _ in range(2))
    assert outcome(world, worker, bring("PLANK", 15)) == "ok"
    assert (first.state, second.state, second.delivered) == ("COMPLETED", "ACCEPTED", {"PLANK": 5})
    assert outcome(world, worker, bring("PLANK", 5)) == "ok"
    assert second.state == "COMPLETED"


def test_what_was_brought_before_counts_where_the_acceptor_may_take_it() -> None:
    world, poster, worker, _ = an_office()
    contract = posted(world, poster)
    assert outcome(world, worker, bring("PLANK", 10)) == "ok"
    assert contract.state == "OPEN"
    assert said(world, worker, accept(contract)) == "ok"
    assert contract.state == "COMPLETED"


def test_the_stock_of_others_fulfils_nothing_on_their_land() -> None:
    world, poster, worker, terminal = an_office()
    owner = put_agent(world, 20, 2, PLANK=10)
    claim = a_land(world, owner, 20, 3)
    assert outcome(world, owner, bring("PLANK", 10)) == "ok"
    contract = taken(world, poster, worker)
    assert refused(world, worker, submit(contract)) == ("E_BLOCKED", "requirements not met")
    assert terminal.stock["PLANK"] == 10
    add_member(world, owner, claim, worker)
    assert said(world, worker, submit(contract)) == "ok", "now it is the worker's to take"
    assert terminal.stock == {}


def test_who_submits_what_a_transfer_has_completed_is_told_that_it_is_kept() -> None:
    """Code and message are those of the first servers; the hint is added to them."""
    world, poster, worker, _ = an_office()
    contract = taken(world, poster, worker)
    assert outcome(world, worker, bring("PLANK", 10)) == "ok"
    assert contract.state == "COMPLETED"
    (result,) = ask(world, worker, submit(contract))
    assert (result["code"], result["message"]) == ("E_NO_PERMISSION", "not acceptor")
    assert result["hint"] == "already kept"
    assert str(outcome_of(result, "SUBMIT_CONTRACT")).endswith("not acceptor. Hint: already kept.")
    (result,) = ask(world, poster, submit(contract))
    assert result["message"] == "not acceptor"
    assert result["hint"] == f"{contract.id} is COMPLETED by {worker.id}"


def test_a_visitor_can_deliver_on_any_land() -> None:
    world, poster, worker, _ = an_office()
    owner = put_agent(world, 20, 2)
    a_land(world, owner, 20, 3)
    contract = taken(world, poster, worker)
    assert outcome(world, worker, bring("PLANK", 10)) == "ok"
    assert contract.state == "COMPLETED"


def a_walled_terminal(radius: int = 8) -> tuple[World, Agent, Agent, Contract]:
    """The poster has claimed the land of the terminal; the acceptor, with the goods, is kept beyond
    it."""
    world, poster, worker, _ = an_office()
    contract = taken(world, poster, worker, wanted(deposit=stacks(STONE=2)))
    a_land(world, poster, 20, 3, radius)
    world.relocate(worker, (20 + radius + 3, STAND, 3))
    return world, poster, worker, contract


def test_who_is_kept_out_of_a_land_delivers_at_its_border() -> None:
    world, poster, worker, contract = a_walled_terminal()
    assert said(world, worker, submit(contract)) == "ok"
    assert contract.state == "COMPLETED"
    assert (worker.have("PLANK"), worker.have("STONE"), worker.have("COAL")) == (20, 5, 5)
    assert said(world, poster, ClaimOwed(terminal_id=TERMINAL)) == "ok"
    assert poster.have("PLANK") == 20
    check_escrow(world)


@pytest.mark.parametrize("why", ["too far", "too little", "a member", "in the wild", "too late"])
def test_who_is_not_kept_out_or_has_not_all_delivers_at_the_terminal(why: str) -> None:
    world, _, worker, contract = a_walled_terminal()
    (claim,) = world.claims
    match why:
        case "too far":
            world.relocate(worker, (32, STAND, 3))
        case "too little":
            worker.give("PLANK", -21)
        case "a member":
            claim.members.append(worker.id)
        case "in the wild":
            world.claims.remove(claim.id)
            world.derived.index = None
        case "too late":
            contract.deadline_tick = world.tick
    planks = worker.have("PLANK")
    code = "E_CONFLICT" if why == "too late" else "E_BLOCKED"
    assert refused(world, worker, submit(contract))[0] == code
    assert worker.have("PLANK") == planks
    check_escrow(world)


def test_what_was_brought_before_counts_at_the_border() -> None:
    world, _, worker, terminal = an_office()
    poster = world.agents[1]
    contract = taken(world, poster, worker)
    assert outcome(world, worker, bring("PLANK", 7)) == "ok"
    a_land(world, poster, 20, 3)
    world.relocate(worker, (30, STAND, 3))
    worker.give("PLANK", 3 - worker.have("PLANK"))
    assert said(world, worker, submit(contract)) == "ok"
    assert (worker.have("PLANK"), terminal.owed) == (0, {poster.id: {"PLANK": 10}})
    check_escrow(world)


class Benefactor:
    """An extension that puts planks into the terminal in one tick."""

    name = "benefactor"

    def __init__(self, tick: int) -> None:
        self.tick = tick

    def step(self, world: World) -> None:
        if world.tick == self.tick:
            add(world, world.containers[HERE], "PLANK", 10)

    def answer(self, world: World, text: str) -> str:
        return text


def test_a_restored_world_goes_on_like_one_that_an_extension_has_changed() -> None:
    world, poster, worker, _ = an_office()
    contract = taken(world, poster, worker)
    world.extensions = (Benefactor(world.tick + 1),)
    wait(world)
    world.extensions = ()
    again = restore(packed(world), create_flat_world)
    wait(world)
    wait(again)
    assert contract.state == again.contracts[contract.id].state
    assert again.digest() == world.digest()
    assert said(world, worker, submit(contract)) == "ok", "the goods are there"


def test_a_belt_delivers() -> None:
    world, poster, worker, terminal = an_office()
    put(world, (17, STAND, 1), "CHEST")
    for x in (18, 19):
        put(world, (x, STAND, 1), "CONVEYOR", (1, 0))
    world.containers[17, STAND, 1].stock = {"PLANK": 10}
    contract = taken(world, poster, worker)
    wait(world, 11)
    assert (contract.state, poster.have("PLANK"), terminal.stock) == ("COMPLETED", 20, {})
    check_escrow(world)


def test_one_acceptor_at_two_terminals_delivers_where_it_puts_things() -> None:
    world, poster, worker, _ = an_office()
    put(world, (21, STAND, 1), "CONTRACT_TERMINAL")
    there = f"CONTRACT_TERMINAL@21,{STAND},1"
    contract = taken(world, poster, worker)
    aside = Transfer(src_container="SELF", dst_container=there, item_id="PLANK", count=10)
    assert outcome(world, worker, aside) == "ok"
    assert contract.delivered == {}
    across = Transfer(src_container=there, dst_container=TERMINAL, item_id="PLANK", count=10)
    assert outcome(world, worker, across) == "ok"
    assert contract.state == "COMPLETED"


# Buildings


def test_a_building_is_paid_when_it_stands() -> None:
    world, poster, worker, _ = an_office()
    contract = taken(world, poster, worker, a_road(deposit=stacks(STONE=1)))
    assert refused(world, worker, submit(contract)) == ("E_BLOCKED", "requirements not met")
    assert outcome(world, worker, BuildBlueprint(blueprint_id="road_segment", anchor=SITE)) == "ok"
    assert contract.state == "COMPLETED"
    assert worker.inventory == {"PLANK": 25, "STONE": 5, "COAL": 5}
    assert worker.reputation == {"trade": 500, "build": 506, "social": 500, "law": 500}
    check_books(world)


@pytest.mark.parametrize(("asked", "built"), [(90, 1), (-1, 3), (4, 0)])
def test_the_rotation_counts(asked: int, built: int) -> None:
    world, poster, worker, _ = an_office()
    contract = taken(world, poster, worker, a_road(rotation=asked))
    wrong = BuildBlueprint(blueprint_id="road_segment", anchor=SITE, rotation=(built + 1) % 4)
    assert outcome(world, worker, wrong) == "ok"
    assert contract.state == "ACCEPTED"
    right = BuildBlueprint(blueprint_id="road_segment", anchor=SITE, rotation=built)
    assert outcome(world, worker, right) == "ok"
    assert contract.state == "COMPLETED"


def test_what_stands_already_is_not_paid_for() -> None:
    world, poster, worker, _ = an_office()
    contract = posted(world, poster, a_road())
    assert outcome(world, worker, BuildBlueprint(blueprint_id="road_segment", anchor=SITE)) == "ok"
    assert refused(world, worker, accept(contract)) == ("E_CONFLICT", "already built")
    assert refused(world, poster, a_road()) == ("E_CONFLICT", "already built")
    assert contract.state == "OPEN"


def test_mending_is_paid_but_earns_no_name() -> None:
    world, poster, worker, _ = an_office()
    x, y, z = SITE
    for step_on in range(3):
        put(world, (x, y, z + step_on), "PLANK")
    contract = taken(world, poster, worker, a_road())
    assert contract.standing == 3
    assert outcome(world, worker, BuildBlueprint(blueprint_id="road_segment", anchor=SITE)) == "ok"
    assert (contract.state, worker.have("COAL")) == ("COMPLETED", 5)
    assert worker.reputation["build"] == 500


def test_what_floats_is_not_paid_for_until_it_is_held() -> None:
    world, poster, worker, _ = an_office()
    high = (24, STAND + 1, 0)
    contract = taken(world, poster, worker, a_road(anchor=high))
    assert outcome(world, worker, BuildBlueprint(blueprint_id="road_segment", anchor=high)) == "ok"
    assert contract.state == "ACCEPTED"
    assert refused(world, worker, submit(contract)) == ("E_BLOCKED", "requirements not met")
    put(world, (25, STAND, 3), "STONE")
    wait(world)
    assert contract.state == "ACCEPTED", "that is beside it"
    put(world, (24, STAND, 3), "STONE")
    assert said(world, worker, submit(contract)) == "ok"


def test_a_support_settles_by_itself() -> None:
    world, poster, worker, _ = an_office()
    high = (23, STAND + 1, 0)
    contract = taken(world, poster, worker, a_road(anchor=high))
    assert outcome(world, worker, BuildBlueprint(blueprint_id="road_segment", anchor=high)) == "ok"
    assert outcome(world, worker, Place(block_pos=(23, STAND, 2), item_id="STONE")) == "ok"
    assert contract.state == "COMPLETED"


def test_a_loaded_world_watches_the_same_sites() -> None:
    world, poster, worker, _ = an_office()
    contract = taken(world, poster, worker, a_road())
    fresh = check_books(world)
    for one in (world, fresh):
        agent = one.agents[worker.number]
        assert outcome(one, agent, BuildBlueprint(blueprint_id="road_segment", anchor=SITE)) == "ok"
        assert one.contracts[contract.id].state == "COMPLETED"
    assert world.digest() == fresh.digest()


# Time


def test_an_open_contract_ends_after_its_deadline() -> None:
    world, poster, worker, terminal = an_office()
    contract = posted(world, poster, wanted(duration_ticks=3))
    wait(world, 3)
    assert contract.state == "OPEN"
    wait(world)
    assert world.tick == contract.deadline_tick + 1
    assert (contract.state, poster.have("COAL"), terminal.stock) == ("FAILED", 20, {})
    assert refused(world, worker, accept(contract)) == ("E_CONFLICT", "contract is not open")
    assert poster.reputation["trade"] == 500


def test_who_accepts_and_fails_loses_deposit_and_name_but_not_the_goods() -> None:
    world, poster, worker, terminal = an_office()
    contract = taken(world, poster, worker, wanted(duration_ticks=6, deposit=stacks(STONE=2)))
    assert outcome(world, worker, bring("PLANK", 4)) == "ok"
    wait(world, contract.deadline_tick - world.tick)
    assert contract.state == "ACCEPTED"
    late = submit(contract)
    (result,) = ask(world, worker, late)
    assert (result["code"], result["message"]) == ("E_CONFLICT", "past deadline")
    assert contract.state == "FAILED"
    assert poster.inventory == {"COAL": 20, "PLANK": 10, "STONE": 2}
    assert worker.inventory == {"PLANK": 30, "STONE": 3}
    assert worker.reputation == {"trade": 488, "build": 500, "social": 500, "law": 492}
    assert terminal.stock == terminal.reserved == {}
    check_books(world)


def test_the_last_tick_still_counts_and_the_next_does_not() -> None:
    world, poster, worker, _ = an_office()
    on_time = taken(world, poster, worker, wanted(duration_ticks=9))
    wait(world, on_time.deadline_tick - world.tick - 1)
    assert outcome(world, worker, bring("PLANK", 10)) == "ok"
    assert (world.tick, on_time.state) == (on_time.deadline_tick, "COMPLETED")
    late = taken(world, poster, worker, wanted(duration_ticks=9))
    wait(world, late.deadline_tick - world.tick)
    assert outcome(world, worker, bring("PLANK", 10)) == "ok"
    assert (late.state, worker.have("PLANK")) == ("FAILED", 20), "what came too late comes back"


def test_closed_contracts_stay_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    world, poster, _, _ = an_office()
    monkeypatch.setattr(contracts, "CLOSED_KEPT", 2)
    old = posted(world, poster, wanted(reward=stacks(COAL=1), duration_ticks=9))
    for _ in range(3):
        posted(world, poster, wanted(reward=stacks(COAL=1), duration_ticks=1))
    wait(world, 9)
    assert [contract.id for contract in world.contracts] == [old.id, "C000004"]
    check_books(world)


# Terminals


def test_a_terminal_that_keeps_something_cannot_be_mined() -> None:
    world, poster, worker, _ = an_office()
    contract = posted(world, poster, wanted(duration_ticks=2))
    assert outcome(world, worker, Mine(block_pos=HERE)) == "E_BLOCKED"
    wait(world, 3)
    assert contract.state == "FAILED"
    assert outcome(world, worker, Mine(block_pos=HERE)) == "ok"
    assert not world.contracts
    check_books(world)


def test_a_terminal_that_vanishes_gives_everyone_their_own() -> None:
    world, poster, worker, _ = an_office()
    before = count_everything(world)
    taken(world, poster, worker, wanted(deposit=stacks(STONE=2)))
    posted(world, poster, wanted(reward=stacks(PLANK=3)))
    taken(world, poster, worker, a_road())
    assert outcome(world, worker, bring("PLANK", 4)) == "ok"
    put(world, HERE, "AIR")
    assert not world.contracts
    assert poster.inventory == {"COAL": 20, "PLANK": 10}
    assert worker.inventory == {"PLANK": 30, "STONE": 5}
    assert count_everything(world) == before
    states = [(one["contract_id"], one["state"]) for one in events(worker, "CONTRACT")]
    assert ("C000001", "FAILED") in states
    wait(world, 3)
    check_books(world)


def test_what_is_due_to_somebody_who_is_gone_waits_in_the_terminal() -> None:
    world, poster, worker, terminal = an_office()
    contract = taken(world, poster, worker, wanted(deposit=stacks(STONE=1), duration_ticks=9))
    other = taken(world, poster, worker, wanted(duration_ticks=9))
    assert outcome(world, worker, bring("PLANK", 4)) == "ok"
    world.agents.remove(poster.number)
    assert outcome(world, worker, bring("PLANK", 6)) == "ok"
    assert (contract.state, terminal.owed) == ("COMPLETED", {poster.id: {"PLANK": 10}})
    assert outcome(world, worker, bring("PLANK", 3)) == "ok"
    world.agents.remove(worker.number)
    wait(world, 9)
    assert other.state == "FAILED"
    assert terminal.owed == {poster.id: {"PLANK": 10, "COAL": 5}, worker.id: {"PLANK": 3}}
    assert terminal.stock == terminal.reserved == {}
    check_books(world)


def test_the_contract_that_was_posted_first_is_served_first() -> None:
    world, poster, worker, terminal = an_office()
    other = put_agent(world, 20, 2)
    first, second = posted(world, poster), posted(world, poster)
    assert said(world, other, accept(second)) == "ok"
    assert said(world, worker, accept(first)) == "ok"
    third = put_agent(world, 20, 3, PLANK=10)
    assert outcome(world, third, bring("PLANK", 10)) == "ok"
    assert (first.state, second.state) == ("COMPLETED", "ACCEPTED")
    assert terminal.stock == {"COAL": 5}


def test_what_is_owed_in_any_container() -> None:
    world, poster, worker, _ = an_office()
    put(world, (20, STAND, -1), "CHEST")
    chest = world.containers[20, STAND, -1]
    chest.owed = {poster.id: {"STONE": 2}, worker.id: {"STONE": 9}}
    assert refused(world, poster, ClaimOwed()) == ("E_BAD_REQUEST", "missing terminal_id")
    assert refused(world, poster, ClaimOwed(terminal_id="CHEST@1,2,3"))[0] == "E_INVALID_TARGET"
    far = put_agent(world, 30, 0)
    assert refused(world, far, ClaimOwed(terminal_id=chest.id)) == ("E_BLOCKED", "too far")
    assert said(world, poster, ClaimOwed(terminal_id=chest.id)) == "ok"
    assert (poster.have("STONE"), chest.owed) == (2, {worker.id: {"STONE": 9}})


def test_opening_a_terminal_shows_its_contracts() -> None:
    world, poster, worker, _ = an_office()
    taken(
        world, poster, worker, wanted(deposit=stacks(STONE=1), requirements=stacks(PLANK=5, COAL=1))
    )
    posted(world, poster, a_road(reward=stacks(PLANK=1), rotation=90))
    assert outcome(world, worker, bring("PLANK", 2)) == "ok"
    assert outcome(world, worker, Open(target_id=TERMINAL)) == "ok"
    assert events(worker, "CONTAINER")[0]["contracts"] == [
        {
            "contract_id": "C000001",
            "state": "ACCEPTED",
            "kind": "DELIVER",
            "poster": "A1",
            "acceptor": "A2",
            "deadline_tick": 6001,
            "requirements": [{"item": "COAL", "count": 1}, {"item": "PLANK", "count": 5}],
            "reward": [{"item": "COAL", "count": 5}],
            "deposit": [{"item": "STONE", "count": 1}],
            "delivered": [{"item": "PLANK", "count": 2}],
        },
        {
            "contract_id": "C000002",
            "state": "OPEN",
            "kind": "BUILD",
            "poster": "A1",
            "acceptor": "",
            "deadline_tick": 6003,
            "requirements": [],
            "reward": [{"item": "PLANK", "count": 1}],
            "deposit": [],
            "blueprint_id": "road_segment",
            "anchor": list(SITE),
            "rotation": 1,
        },
    ]


def test_what_changed_outside_of_ticks_is_seen_when_it_is_submitted() -> None:
    world, poster, worker, _ = an_office()
    low = (24, SURFACE, 0)
    contract = taken(world, poster, worker, a_road(anchor=low))
    for z in range(5):
        put(world, (24, SURFACE, z), "PLANK")
    wait(world)
    assert contract.state == "ACCEPTED"
    assert said(world, worker, submit(contract)) == "ok"


# Kept out, and too many


@pytest.mark.parametrize("of_poster", [True, False])
def test_who_has_the_goods_and_is_kept_from_a_terminal_by_a_land_has_not_failed(
    of_poster: bool,
) -> None:
    world, poster, worker, _ = an_office()
    owner = poster if of_poster else put_agent(world, 30, 0)
    a_land(world, owner, 30, 1, radius=16)
    contract = taken(world, poster, worker, wanted(deposit=stacks(STONE=3), duration_ticks=9))
    world.relocate(worker, (90, STAND, 0))
    wait(world, 12)
    assert contract.state == "FAILED"
    assert (worker.have("STONE"), poster.have("STONE")) == (5, 0)
    assert worker.reputation["trade"] == worker.reputation["law"] == 500


@pytest.mark.parametrize("why", ["no goods", "wild", "member"])
def test_who_was_free_to_deliver_or_had_nothing_to_deliver_has_failed(why: str) -> None:
    world, poster, worker, _ = an_office()
    if why != "wild":
        claim = a_land(world, poster, 30, 1, radius=16)
        if why == "member":
            claim.members.append(worker.id)
        else:
            worker.give("PLANK", -21)
    contract = taken(world, poster, worker, wanted(deposit=stacks(STONE=3), duration_ticks=9))
    world.relocate(worker, (90, STAND, 0))
    wait(world, 12)
    assert contract.state == "FAILED"
    assert (worker.have("STONE"), poster.have("STONE")) == (2, 3)
    assert worker.reputation["trade"] < 500


def test_strangers_do_not_fill_a_terminal_that_stands_on_a_land() -> None:
    world, owner, _, _ = an_office()
    a_land(world, owner, 30, 1, radius=16)
    one = wanted(requirements=stacks(STONE=1), reward=stacks(STONE=1))
    for number in range(2):
        stranger = put_agent(world, 21 - number % 2, 0, STONE=20)
        for _ in range(MAX_OF_POSTER):
            posted(world, stranger, one)
        code, message = refused(world, stranger, one)
        assert (code, message) == ("E_CONFLICT", "you have 12 contracts at this terminal already")
    late = put_agent(world, 21, 0, STONE=20)
    posted(world, late, one)
    assert sum(contract.is_live for contract in world.contracts) == MAX_OF_VISITORS
    posted(world, owner)
    check_escrow(world)


def a_full_terminal() -> tuple[World, list[Agent], PostContract]:
    """Four bodies have posted all that they may at a terminal on nobody's land, and so filled
    it."""
    world, _, _, _ = an_office()
    one = wanted(requirements=stacks(COAL=1), reward=stacks(STONE=1))
    few = [put_agent(world, 20 + number % 3, 0, STONE=20) for number in range(4)]
    for poster in few:
        for _ in range(MAX_OF_POSTER):
            posted(world, poster, one)
    return world, few, one


def test_a_few_bodies_do_not_fill_a_terminal_on_nobodys_land() -> None:
    world, few, one = a_full_terminal()
    newest = max(world.contracts, key=lambda contract: contract.id)
    late = put_agent(world, 21, 0, STONE=20)
    assert refused(world, late, wanted(reward=stacks(COAL=99)))[0] == "E_NO_RESOURCE"
    assert newest.state == "OPEN", "who is refused displaces nobody"
    mine = [posted(world, late, one)]
    assert (newest.state, newest.poster, few[3].have("STONE")) == (
        "FAILED",
        few[3].id,
        20 - MAX_OF_POSTER + 1,
    )
    while said(world, late, one) == "ok":
        mine.append(max(world.contracts, key=lambda contract: contract.id))
    assert refused(world, late, one) == ("E_CONFLICT", "this terminal has 48 contracts already")
    held = Counter(contract.poster for contract in world.contracts if contract.is_live)
    assert sorted(held.values()) == [9, 9, 10, 10, 10], "all have the same share"
    assert all(contract.is_live for contract in mine)
    assert refused(world, few[0], one)[0] == "E_CONFLICT", "nor do those who filled it take it back"
    check_escrow(world)


def test_accepted_contracts_take_no_room_and_are_not_displaced() -> None:
    world, _, one = a_full_terminal()
    friends = [put_agent(world, 20 + number % 3, 0) for number in range(4)]
    ours = list(world.contracts)
    for number, contract in enumerate(ours):
        assert said(world, friends[number % 4], accept(contract)) == "ok"
    late = put_agent(world, 21, 0, STONE=20, COAL=5)
    for _ in range(MAX_OF_POSTER):
        posted(world, late, one)
    assert {contract.state for contract in ours} == {"ACCEPTED"}
    assert outcome(world, late, Open(target_id=TERMINAL)) == "ok"
    shown: Any = events(late, "CONTAINER")[-1]["contracts"]
    assert len(shown) == 48 + MAX_OF_POSTER
    check_escrow(world)


def test_an_owner_clears_its_terminal_and_a_poster_takes_its_contract_back() -> None:
    world, owner, poster, _ = an_office()
    a_land(world, owner, 30, 1, radius=16)
    one = wanted(requirements=stacks(COAL=1), reward=stacks(STONE=1))
    first, second, third = (posted(world, poster, one) for _ in range(3))
    stranger = put_agent(world, 22, 0, COAL=1)

    def cancel(contract: Contract) -> CancelContract:
        return CancelContract(terminal_id=TERMINAL, contract_id=contract.id)

    assert refused(world, stranger, cancel(first))[0] == "E_NO_PERMISSION"
    assert said(world, owner, cancel(first)) == "ok"
    assert said(world, poster, cancel(second)) == "ok"
    assert (first.state, second.state, poster.have("STONE")) == ("FAILED", "FAILED", 4)
    assert ask(world, stranger, accept(third))[0]["ok"]
    assert refused(world, owner, cancel(third))[0] == "E_CONFLICT"
    check_escrow(world)
