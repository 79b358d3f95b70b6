"""Achievements: the table, which deeds count and are kept, and the score."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import exp, log
from pathlib import Path

import pytest

from tests.voxel.flat import STAND, put_agent
from tests.voxel.society.civic import a_land, a_society, an_org, ask, outcome, pass_law, said, wait
from tests.voxel.society.eventful import hold
from tests.voxel.test_snapshot import epoch_of
from tests.voxel.working import drained, put
from thorp.protocol import actions
from thorp.protocol.actions import Stack
from thorp.voxel.achievements import (
    ACHIEVEMENTS,
    IDS,
    SOCIAL,
    TECH,
    note_deed,
    points,
    score,
    success_rates,
)
from thorp.voxel.catalog import Catalogs
from thorp.voxel.persistence.snapshot import encode_state, pack, restore
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import World, block_id

PAGE = Path(__file__).parents[2] / "docs" / "achievements.md"
BESIDE = (1, STAND, 0)


def test_the_table_is_sound(catalogs: Catalogs) -> None:
    assert (len(TECH), IDS) == (22, TECH + SOCIAL)
    assert len(set(IDS)) == len(IDS)
    known = {"mine": catalogs.items, "place": catalogs.items, "eat": catalogs.items}
    known |= {"craft": catalogs.recipes, "build": catalogs.blueprints}  # type: ignore[dict-item]
    for number, one in enumerate(ACHIEVEMENTS):
        assert one.points in (1, 3, 5, 8)
        assert set(one.needs) <= set(IDS[:number]), f"{one.id} needs something that comes later"
        assert one.deed not in known or all(thing in known[one.deed] for thing in one.things)


def test_the_page_lists_the_table() -> None:
    depth: dict[str, int] = {}
    for one in ACHIEVEMENTS:
        depth[one.id] = 1 + max((depth[need] for need in one.needs), default=0)
    rows = [
        f"| `{one.id}` | {one.points} | {depth[one.id]} | "
        f"{', '.join(f'`{need}`' for need in one.needs)} |"
        for one in ACHIEVEMENTS
    ]
    listed = re.findall(
        r"^(\| `\w+` \| \d+ \| \d+ \| [^|]*\|) .+\|$", PAGE.read_text("utf-8"), re.M
    )
    assert listed == [row.replace("|  |", "| |") for row in rows]


# How each deed is done; the agent has everything it takes.


def _mine(block: str) -> Callable[[World, Agent], None]:
    def deed(world: World, agent: Agent) -> None:
        put(world, BESIDE, block)
        assert outcome(world, agent, actions.Mine(block_pos=BESIDE)) == "ok"

    return deed


def _mine_leaves(world: World, agent: Agent) -> None:
    for _ in range(99):
        if "collect_sapling" not in agent.achievements:
            agent.stamina = 1000
            _mine("LEAVES")(world, agent)


def _place(item: str) -> Callable[[World, Agent], None]:
    return lambda world, agent: _ok(world, agent, actions.Place(item_id=item, block_pos=BESIDE))


def _make(recipe: str) -> Callable[[World, Agent], None]:
    def deed(world: World, agent: Agent) -> None:
        put(world, (0, STAND, 2), "CRAFTING_BENCH")
        _ok(world, agent, actions.Craft(recipe_id=recipe))

    return deed


def _ok(world: World, agent: Agent, wish: actions.Instant | actions.Task) -> None:
    assert outcome(world, agent, wish) == "ok"


def _house(world: World, agent: Agent) -> None:
    for part in world.catalogs.blueprints["hut_small"].blocks:
        agent.give(part.block, 1)
    anchor = (4, STAND, 4)
    wish = actions.BuildBlueprint(blueprint_id="hut_small", anchor=anchor, rotation=0)
    assert outcome(world, agent, wish, limit=200) == "ok"


def _trade(world: World, agent: Agent) -> None:
    other = put_agent(world, 2, 0, COAL=1)
    (offered,) = ask(
        world, agent, actions.OfferTrade(to=other.id, offer=[("PLANK", 1)], request=[("COAL", 1)])
    )
    assert said(world, other, actions.AcceptTrade(trade_id=offered["trade_id"])) == "ok"
    assert other.achievements == {"trade_goods": 1}


def _contract(world: World, poster: Agent, acceptor: Agent) -> None:
    put(world, BESIDE, "CONTRACT_TERMINAL")
    terminal = block_id("CONTRACT_TERMINAL", BESIDE)
    wish = actions.PostContract(
        terminal_id=terminal,
        contract_kind="DELIVER",
        requirements=[Stack("STONE", 1)],
        reward=[Stack("PLANK", 1)],
        duration_ticks=100,
    )
    (posted,) = ask(world, poster, wish)
    named = {"terminal_id": terminal, "contract_id": posted["contract_id"]}
    assert said(world, acceptor, actions.AcceptContract(**named)) == "ok"
    move = actions.Transfer(src_container="SELF", dst_container=terminal, item_id="STONE", count=1)
    assert outcome(world, acceptor, move) == "ok"
    assert poster.have("STONE"), "the contract was kept"


def _law(world: World, agent: Agent) -> None:
    pass_law(world, agent, a_land(world, agent, 2, 2), "MARKET_TAX", market_tax=0.1)


def _event(world: World, agent: Agent) -> None:
    x, y, z = hold(world, "RUINS_GATE").center or BESIDE
    world.relocate(agent, (x + 1, y, z))
    chest = block_id("CHEST", (x, y, z))
    assert outcome(world, agent, actions.Open(target_id=chest)) == "ok"


DEEDS: dict[str, Callable[[World, Agent], object]] = {
    "collect_wood": _mine("LOG"),
    "collect_sapling": _mine_leaves,
    "collect_seeds": _mine("TALL_GRASS"),
    "collect_berries": _mine("BERRY_BUSH"),
    "collect_meat": _mine("WARREN"),
    "collect_stone": _mine("STONE"),
    "collect_coal": _mine("COAL_ORE"),
    "eat_berries": lambda world, agent: _ok(world, agent, actions.Eat(item_id="BERRIES")),
    "place_plant": _place("SEEDS"),
    "place_stone": _place("STONE"),
    "place_bench": _place("CRAFTING_BENCH"),
    "make_torch": _make("torch"),
    "make_wood_pickaxe": _make("wood_pickaxe"),
    "make_stone_pickaxe": _make("stone_pickaxe"),
    "place_furnace": _place("FURNACE"),
    "collect_iron": _mine("IRON_ORE"),
    "collect_copper": _mine("COPPER_ORE"),
    "make_bread": _make("bread"),
    "make_iron_pickaxe": _make("iron_pickaxe"),
    "make_wire": _make("wire"),
    "collect_crystal": _mine("CRYSTAL_ORE"),
    "make_contract_terminal": _make("contract_terminal"),
    "post_notice": lambda world, agent: _ok(
        world, agent, actions.PostBoard(board_id="news", title="Wanted", body="Coal")
    ),
    "trade_goods": _trade,
    "join_org": lambda world, agent: an_org(world, put_agent(world, 3, 3), agent),
    "finish_house": _house,
    "reach_event_goal": _event,
    "have_contract_kept": lambda world, agent: _contract(
        world, agent, put_agent(world, 0, 1, STONE=1)
    ),
    "keep_contract": lambda world, agent: _contract(world, put_agent(world, 0, 1, PLANK=1), agent),
    "cast_vote": _law,
    "claim_land": lambda world, agent: a_land(world, agent, 2, 2),
    "propose_law": _law,
    "pass_law": _law,
}


def an_owner_of_everything(world: World) -> Agent:
    return put_agent(world, **dict.fromkeys(sorted(world.catalogs.items), 20))


@pytest.mark.parametrize("name", IDS)
def test_the_deed_unlocks_it(name: str) -> None:
    world = a_society()
    agent = an_owner_of_everything(world)
    DEEDS[name](world, agent)
    assert agent.achievements[name] == 1
    assert drained(world).digest() == world.digest()


def test_counts_are_hashed_state() -> None:
    world = a_society()
    agent = an_owner_of_everything(world)
    before = world.digest()
    for _ in range(2):
        note_deed(world, agent, "craft", "torch")
    note_deed(world, agent, "craft", "sign")
    assert agent.achievements == {"make_torch": 2}
    assert world.digest() != before
    told = {"kind": "UNLOCKED", "agent": agent.id, "achievement": "make_torch", "points": 3}
    assert world.scratch.public_events == [told], "the first one is told in public"


def test_they_outlive_death_sleep_and_a_season_and_are_in_snapshots() -> None:
    world = a_society(seasons=True, day_ticks=30, season_length_ticks=120)
    agent = an_owner_of_everything(world)
    _ok(world, agent, actions.Eat(item_id="BERRIES"))
    agent.hp = 0
    wait(world)
    assert agent.hp > 0, "it woke again"
    world.agents.lay_down(agent)
    wait(world, 130)
    assert world.season == 2
    assert agent.achievements == {"eat_berries": 1}
    again = restore(pack(encode_state(world, epoch_of(world))), lambda *_: a_society())
    assert again.agents[agent.number].achievements == {"eat_berries": 1}


def test_the_score_is_crafters() -> None:
    assert score([TECH]) == pytest.approx(100)
    assert score([(), ()]) == 0
    half = [TECH[:1], ()]
    assert success_rates(half)["collect_wood"] == 50
    assert score(half) == pytest.approx(exp(log(51) / 22) - 1)
    assert score([SOCIAL], SOCIAL) == pytest.approx(100)
    assert score([TECH[:1]] * 99 + [TECH[:2]]) - score([TECH[:1]] * 100) > 0.03, "a rare one counts"
    assert points(IDS) == sum(one.points for one in ACHIEVEMENTS)
