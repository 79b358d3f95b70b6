"""Role × action × expected code, in full: what anyone may do on a land, asked through ACTs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.voxel.flat import STAND, put_agent
from tests.voxel.society.civic import (
    a_land,
    a_society,
    add_member,
    an_org,
    deed_land,
    local_rules,
    outcome,
)
from tests.voxel.working import block_name, check_books, put
from thorp.protocol import actions
from thorp.protocol.actions import Stack
from thorp.simulator.totals import count_everything
from thorp.voxel.lookups import permissions
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import FLAGS, Claim, Curfew, Law, Trade
from thorp.voxel.state.world import World, block_id
from thorp.voxel.systems import items

CHEST, SIGN, SWITCH, BOARD = (3, STAND, 2), (2, STAND, 3), (1, STAND, 2), (2, STAND, 1)
STONE, FREE, TOTEM = (3, STAND, 3), (1, STAND, 3), (2, STAND, 4)
TERMINAL = (2, STAND, 0)
LAND, LAW = "LAND_A1_001", "LAW000001"
KIT = {"PLANK": 9, "BATTERY": 4, "CRYSTAL_SHARD": 4, "CONVEYOR": 1}

# Whoever asks stands at 2, 2; A3 is a bystander, and A4 a trader who is in the wild.
WISHES: dict[str, Callable[[], Any]] = {
    "PLACE": lambda: actions.Place(block_pos=FREE, item_id="PLANK"),
    "MINE": lambda: actions.Mine(block_pos=STONE),
    "BUILD": lambda: actions.BuildBlueprint(blueprint_id="road_segment", anchor=(-4, STAND, -4)),
    "SIGN": lambda: actions.SetSign(target_id=block_id("SIGN", SIGN), text="hello"),
    "SWITCH": lambda: actions.ToggleSwitch(target_id=block_id("SWITCH", SWITCH)),
    "TOTEM": lambda: actions.Mine(block_pos=TOTEM),
    "OUT": lambda: actions.Transfer(
        src_container=block_id("CHEST", CHEST), dst_container="SELF", item_id="COAL", count=1
    ),
    "IN": lambda: actions.Transfer(
        src_container="SELF", dst_container=block_id("CHEST", CHEST), item_id="PLANK", count=1
    ),
    "OPEN": lambda: actions.Open(target_id=block_id("CHEST", CHEST)),
    "GATHER": lambda: actions.Gather(target_id="IT000001"),
    "POST": lambda: actions.PostBoard(board_id=block_id("BULLETIN_BOARD", BOARD), title="t", body="b"),
    "OFFER": lambda: actions.OfferTrade(to="A3", offer=[("PLANK", 1)], request=[("COAL", 1)]),
    "PERMS": lambda: actions.SetPermissions(land_id=LAND, policy={"allow_trade": True}),
    "ADD": lambda: actions.AddMember(land_id=LAND, member_id="A3"),
    "REMOVE": lambda: actions.RemoveMember(land_id=LAND, member_id="A3"),
    "UPGRADE": lambda: actions.UpgradeClaim(land_id=LAND, radius=64),
    "DEED": lambda: actions.DeedLand(land_id=LAND, new_owner="A3"),
    "PROPOSE": lambda: actions.ProposeLaw(
        land_id=LAND, template_id="MARKET_TAX", params={"market_tax": 0.1}
    ),
    "VOTE": lambda: actions.Vote(law_id=LAW, choice="YES"),
    "CLAIM": lambda: actions.ClaimLand(anchor=FREE, radius=1),
    "LOOT": lambda: actions.Mine(block_pos=CHEST),
    "ACCEPT": lambda: actions.AcceptTrade(trade_id="TR000001"),
    "MARKET": lambda: actions.Say(channel="MARKET", text="planks!"),
    "SEARCH": lambda: actions.SearchBoard(board_id=block_id("BULLETIN_BOARD", BOARD), text="t"),
    "CONTRACT": lambda: actions.PostContract(
        terminal_id=block_id("CONTRACT_TERMINAL", TERMINAL),
        contract_kind="GATHER",
        requirements=[Stack("COAL", 1)],
        reward=[Stack("PLANK", 1)],
    ),
    "BELT": lambda: actions.Place(block_pos=FREE, item_id="CONVEYOR"),
}  # fmt: skip

# + done, - E_NO_PERMISSION, w the same for what is in it, ? E_INVALID_TARGET, x E_CONFLICT.
TABLE = """
                       PLACE MINE BUILD SIGN SWITCH TOTEM OUT IN OPEN GATHER POST OFFER PERMS ADD REMOVE UPGRADE DEED PROPOSE VOTE CLAIM LOOT ACCEPT MARKET SEARCH CONTRACT BELT
wild                   +     +    +     +    +      +     +   +  +    +      +    +     ?     ?   ?      ?       ?    ?       ?    +     +    +      +      +      +        +
owner                  +     +    +     +    +      +     +   +  +    +      +    +     +     +   +      +       +    +       +    x     +    +      +      +      +        +
member                 +     +    +     +    +      -     +   +  +    +      +    +     -     -   -      -       -    +       +    x     +    +      +      +      +        +
leader                 +     +    +     +    +      +     +   +  +    +      +    +     +     +   +      +       +    +       +    x     +    +      +      +      +        +
officer                +     +    +     +    +      +     +   +  +    +      +    +     +     +   +      +       +    +       +    x     +    +      +      +      +        +
citizen                +     +    +     +    +      -     +   +  +    +      +    +     -     -   -      -       -    +       +    x     +    +      +      +      +        +
visitor                -     -    -     -    -      -     -   +  +    -      -    -     -     -   -      -       -    -       -    -     -    -      -      +      +        -
visitor,build          +     -    +     +    +      -     -   +  +    -      -    -     -     -   -      -       -    -       -    x     -    -      -      +      +        -
visitor,break          -     +    -     -    -      -     -   +  +    -      -    -     -     -   -      -       -    -       -    -     w    -      -      +      +        -
visitor,damage         -     -    -     -    -      -     -   +  +    -      -    -     -     -   -      -       -    -       -    -     -    -      -      +      +        -
visitor,trade          -     -    -     -    -      -     -   +  +    -      +    +     -     -   -      -       -    -       -    -     -    +      +      +      +        -
visitor,all            +     +    +     +    +      -     -   +  +    -      +    +     -     -   -      -       -    -       -    x     w    +      +      +      +        -
former_member          -     -    -     -    -      -     -   +  +    -      -    -     -     -   -      -       -    -       -    -     -    -      -      +      +        -
former_citizen         -     -    -     -    -      -     -   +  +    -      -    -     -     -   -      -       -    -       -    -     -    -      -      +      +        -
former_owner           -     -    -     -    -      -     -   +  +    -      -    -     -     -   -      -       -    -       -    -     -    -      -      +      +        -
wanted                 -     -    -     -    -      -     -   +  +    -      -    -     -     -   -      -       -    -       -    -     -    -      -      +      +        -
foreigner              -     -    -     -    -      -     -   +  +    -      -    -     -     -   -      -       -    -       -    -     -    -      -      +      +        -
owner,stage1           +     +    +     +    +      +     +   +  +    +      +    +     +     +   +      -       +    +       +    x     +    +      +      +      +        +
member,stage1          +     +    +     +    +      -     +   +  +    +      +    +     -     -   -      -       -    +       +    x     +    +      +      +      +        +
visitor,stage1         -     -    -     -    -      -     -   +  +    -      -    -     -     -   -      -       -    -       -    -     -    -      -      +      +        -
owner,stage2           +     +    +     +    +      +     +   +  +    +      +    +     +     +   +      -       +    +       +    x     +    +      +      +      +        +
member,stage2          +     +    +     +    +      +     +   +  +    +      +    +     -     -   -      -       -    +       +    x     +    +      +      +      +        +
visitor,stage2         +     +    +     +    +      +     +   +  +    +      +    +     -     -   -      -       -    -       -    x     +    +      +      +      +        +
owner,curfew           -     -    -     -    -      -     +   +  +    +      +    +     +     +   +      +       +    +       +    -     -    +      +      +      +        -
member,curfew          -     -    -     -    -      -     +   +  +    +      +    +     -     -   -      -       -    +       +    -     -    +      +      +      +        -
officer,curfew         -     -    -     -    -      -     +   +  +    +      +    +     +     +   +      +       +    +       +    -     -    +      +      +      +        -
visitor,all,curfew     -     -    -     -    -      -     -   +  +    -      +    +     -     -   -      -       -    -       -    -     -    +      +      +      +        -
visitor,stage2,curfew  -     -    -     -    -      -     +   +  +    +      +    +     -     -   -      -       -    -       -    -     -    +      +      +      +        -
"""

HEADS, *ROWS = [line.split() for line in TABLE.strip().splitlines()]
CODES = {
    "+": "ok", "-": "E_NO_PERMISSION", "w": "E_NO_PERMISSION", "?": "E_INVALID_TARGET", "x": "E_CONFLICT",
}  # fmt: skip
# Denying these costs a point of law reputation.
SANCTIONED = ("PLACE", "MINE", "BUILD", "SIGN", "SWITCH", "TOTEM", "LOOT", "BELT")
# Doing these changes nothing in the world. A3 is on no list to be struck off.
HARMLESS = ("OPEN", "REMOVE", "MARKET", "SEARCH")


def stage_set(traits: list[str]) -> tuple[World, Agent]:
    """A place with one of everything, on a land or not, and the agent that the traits describe."""
    world = a_society()
    owner, agent, bystander = (
        put_agent(world, 0, 4),
        put_agent(world, 2, 2, **KIT),
        put_agent(world, 6, 6),
    )
    owner.home = bystander.home = (1000, 1000)
    for position, name in (
        (CHEST, "CHEST"), (SIGN, "SIGN"), (SWITCH, "SWITCH"), (BOARD, "BULLETIN_BOARD"), (STONE, "STONE"),
        (TERMINAL, "CONTRACT_TERMINAL"),
    ):  # fmt: skip
        put(world, position, name)
    world.containers[CHEST].stock = {"COAL": 5}
    world.containers.touch(CHEST)
    items.drop(world, agent.position, "SAND", 1)
    trader = put_agent(world, 90, 90, STONE=1)
    world.trades.put(Trade("TR000001", trader.id, agent.id, {"STONE": 1}, {"PLANK": 1}, 10**6))
    world.derived.index = None
    if traits[0] == "wild":
        put(world, TOTEM, "CLAIM_TOTEM")
        return world, agent
    claim = a_land(world, owner, *TOTEM[::2])
    WHO[traits[0]](world, claim, owner, agent)
    for trait in traits[1:]:
        if trait == "curfew":
            claim.curfew = Curfew(0, 1_000_000)
        elif trait.startswith("stage"):
            claim.stage = int(trait[-1])
        else:
            claim.flags.update(
                {flag: trait in ("all", flag.removeprefix("allow_")) for flag in FLAGS}
            )
    law = Law(LAW, LAND, "MARKET_TAX", "", "A1", "VOTING", 0, 0, 10**6, {"market_tax": 0})
    world.laws.put(law)
    world.claims.touch(claim.id)
    world.derived.index = None
    return world, agent


def _as_owner(world: World, claim: Claim, owner: Agent, agent: Agent) -> None:
    claim.owner = agent.id


def _as_member(world: World, claim: Claim, owner: Agent, agent: Agent) -> None:
    claim.members.append(agent.id)


def _as_visitor(world: World, claim: Claim, owner: Agent, agent: Agent) -> None:
    """Nothing makes a visitor."""


def _in_org(role: str) -> Callable[[World, Claim, Agent, Agent], None]:
    def join(world: World, claim: Claim, owner: Agent, agent: Agent) -> None:
        org = an_org(world, owner, agent)
        org.members[agent.id] = role  # type: ignore[assignment]
        world.orgs.touch(org.id)
        claim.owner = org.id

    return join


def _as_former_member(world: World, claim: Claim, owner: Agent, agent: Agent) -> None:
    add_member(world, owner, claim, agent)
    assert outcome(world, owner, actions.RemoveMember(land_id=LAND, member_id=agent.id)) == "ok"


def _as_former_citizen(world: World, claim: Claim, owner: Agent, agent: Agent) -> None:
    claim.owner = an_org(world, owner, agent).id
    assert outcome(world, agent, actions.LeaveOrg()) == "ok"


def _as_former_owner(world: World, claim: Claim, owner: Agent, agent: Agent) -> None:
    claim.owner = agent.id
    deed_land(world, agent, claim, owner)


def _as_wanted(world: World, claim: Claim, owner: Agent, agent: Agent) -> None:
    claim.owner = an_org(world, owner).id
    agent.reputation["law"] = 100
    agent.changed()


def _as_foreigner(world: World, claim: Claim, owner: Agent, agent: Agent) -> None:
    """A leader, but of another organisation."""
    claim.owner = an_org(world, owner).id
    an_org(world, agent)


WHO: dict[str, Callable[[World, Claim, Agent, Agent], None]] = {
    "owner": _as_owner,
    "member": _as_member,
    "leader": _in_org("LEADER"),
    "officer": _in_org("OFFICER"),
    "citizen": _in_org("MEMBER"),
    "visitor": _as_visitor,
    "former_member": _as_former_member,
    "former_citizen": _as_former_citizen,
    "former_owner": _as_former_owner,
    "wanted": _as_wanted,
    "foreigner": _as_foreigner,
}


def things_of(world: World) -> tuple[object, ...]:
    """All that an action of the table could change."""
    names = [block_name(world, place) for place in (STONE, FREE, TOTEM, (-4, STAND, -4))]
    tables = [table.digest() for name, table in world.tables().items() if name != "agents"]
    return count_everything(world), names, tables


def test_the_table_is_complete() -> None:
    assert list(WISHES) == HEADS
    assert {row[0].split(",")[0] for row in ROWS} == {"wild", *WHO}
    assert all(len(row) == len(HEADS) + 1 for row in ROWS)


@pytest.mark.parametrize(
    ("role", "marks"), [(row[0], row[1:]) for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_what_a_role_may_do(role: str, marks: list[str]) -> None:
    for what, mark in zip(HEADS, marks, strict=True):
        world, agent = stage_set(role.split(","))
        before, law = things_of(world), agent.reputation["law"]
        assert outcome(world, agent, WISHES[what]()) == CODES[mark], what
        loss = law - agent.reputation["law"]
        if mark == "+":
            assert loss == 0
            assert what in HARMLESS or things_of(world) != before, f"{what} changed nothing"
        else:
            assert loss == (1 if mark == "-" and what in SANCTIONED else 0), what
            assert things_of(world) == before, f"{what} was refused and yet changed something"
        check_books(world)


@pytest.mark.parametrize(
    ("role", "marks"), [(row[0], row[1:]) for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_an_obs_says_what_is_true(role: str, marks: list[str]) -> None:
    may = {what: mark == "+" for what, mark in zip(HEADS, marks, strict=True)}
    world, agent = stage_set(role.split(","))
    told = local_rules(world, agent)
    assert told["permissions"] == {
        "can_build": may["PLACE"],
        "can_break": may["MINE"],
        "can_damage": role in ("visitor,damage", "visitor,all", "visitor,all,curfew"),
        "can_trade": may["OFFER"],
    }
    who = role.split(",")[0]
    roles = {"wild": "WILD", "owner": "OWNER"}
    as_member = who in ("member", "leader", "officer", "citizen")
    assert told["role"] == roles.get(who, "MEMBER" if as_member else "VISITOR")


def test_the_table_agrees_with_what_rules_ask() -> None:
    """The rights that other rules build upon, cell by cell."""
    for row in ROWS:
        world, agent = stage_set(row[0].split(","))
        mark = dict(zip(HEADS, row[1:], strict=True))
        assert permissions.may_build(world, agent, FREE) == (mark["PLACE"] == "+")
        assert permissions.may_break(world, agent, STONE) == (mark["MINE"] == "+")
        assert permissions.may_break(world, agent, TOTEM) == (mark["TOTEM"] == "+")
        assert permissions.may_take(world, agent, world.containers[CHEST]) == (mark["OUT"] == "+")
        assert permissions.may_trade(world, agent, BOARD) == (mark["POST"] == "+")


# Borders


def a_border() -> tuple[World, Agent, Agent]:
    """Land of A1 up to x 4, the wild beyond, and A2 on the border."""
    world = a_society()
    owner, agent = put_agent(world, 0, 1), put_agent(world, 6, 0, PLANK=20)
    a_land(world, owner, radius=4)
    return world, owner, agent


@pytest.mark.parametrize(("x", "code"), [(4, "E_NO_PERMISSION"), (5, "ok")])
def test_rights_end_at_the_border(x: int, code: str) -> None:
    world, _, agent = a_border()
    assert outcome(world, agent, actions.Place(block_pos=(x, STAND, 0), item_id="PLANK")) == code
    assert (
        outcome(world, agent, actions.Place(block_pos=(x, STAND + 3, 0), item_id="PLANK")) == code
    )


def test_a_plan_that_reaches_into_a_land_is_refused_whole() -> None:
    world, _, agent = a_border()
    wish = actions.BuildBlueprint(blueprint_id="road_segment", anchor=(2, STAND, 2), rotation=1)
    assert outcome(world, agent, wish) == "E_NO_PERMISSION"
    assert agent.have("PLANK") == 20


@pytest.mark.parametrize("outward", [True, False])
def test_belts_do_not_carry_across_a_border(outward: bool) -> None:
    world, _, _ = a_border()
    inside, outside, heading = (4, STAND, 0), (5, STAND, 0), (1, 0)
    source, belt = (inside, outside) if outward else (outside, inside)
    put(world, source, "CHEST")
    world.containers[source].stock = {"COAL": 5}
    put(world, belt, "CONVEYOR", heading if outward else (-1, 0))
    for _ in range(5):
        outcome(world, world.agents[1], actions.Stop())
    assert world.containers[source].stock == {"COAL": 5}, "nothing is taken"
    assert not len(world.items)


def test_belts_do_not_push_into_a_foreign_container() -> None:
    world, _, _ = a_border()
    put(world, (4, STAND, 0), "CHEST")
    put(world, (5, STAND, 0), "CONVEYOR", (-1, 0))
    items.drop(world, (5, STAND + 1, 0), "COAL", 2)
    for _ in range(3):
        outcome(world, world.agents[1], actions.Stop())
    assert world.containers[4, STAND, 0].stock == {}
    assert [entity.count for entity in world.items] == [2], "it waits on the belt"


def test_belts_within_one_land_run() -> None:
    world, _, _ = a_border()
    put(world, (2, STAND, 2), "CHEST")
    put(world, (3, STAND, 2), "CONVEYOR", (1, 0))
    put(world, (4, STAND, 2), "CHEST")
    world.containers[2, STAND, 2].stock = {"COAL": 2}
    for _ in range(4):
        outcome(world, world.agents[1], actions.Stop())
    assert world.containers[4, STAND, 2].stock == {"COAL": 2}


@pytest.mark.parametrize(("chest_x", "code"), [(3, "ok"), (5, "E_NO_RESOURCE")])
def test_builders_pull_from_chests_of_the_same_land_alone(chest_x: int, code: str) -> None:
    world, owner, _ = a_border()
    put(world, (chest_x, STAND, 3), "CHEST")
    world.containers[chest_x, STAND, 3].stock = {"PLANK": 10}
    wish = actions.BuildBlueprint(blueprint_id="road_segment", anchor=(-3, STAND, -2))
    assert outcome(world, owner, wish) == code
    assert world.containers[chest_x, STAND, 3].stock == {"PLANK": 5 if code == "ok" else 10}


def test_builders_do_not_pull_what_they_may_not_take() -> None:
    world, _, agent = a_border()
    agent.give("PLANK", -20)
    claim = world.claims["LAND_A1_001"]
    claim.flags["allow_build"] = True
    world.claims.touch(claim.id)
    put(world, (3, STAND, 3), "CHEST")
    world.containers[3, STAND, 3].stock = {"PLANK": 10}
    wish = actions.BuildBlueprint(blueprint_id="road_segment", anchor=(-3, STAND, -2))
    assert outcome(world, agent, wish) == "E_NO_RESOURCE"


def test_a_chest_of_others_is_not_broken_for_its_goods() -> None:
    world, _, agent = a_border()
    claim = world.claims["LAND_A1_001"]
    claim.flags["allow_break"] = True
    world.claims.touch(claim.id)
    put(world, (4, STAND, 0), "CHEST")
    world.containers[4, STAND, 0].stock = {"COAL": 1}
    assert outcome(world, agent, actions.Mine(block_pos=(4, STAND, 0))) == "E_NO_PERMISSION"
    assert world.containers[4, STAND, 0].stock == {"COAL": 1}
