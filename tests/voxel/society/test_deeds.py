"""What deeds bring: fun, reputation, goals, statistics."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.voxel.flat import STAND, put_agent
from tests.voxel.flat import events as events_of
from tests.voxel.society.civic import (
    NOTICE,
    VOTING,
    a_land,
    a_law,
    a_society,
    an_org,
    ask,
    move,
    newcomer,
    outcome,
    pass_law,
    said,
    wait,
)
from tests.voxel.society.eventful import declare, hold, obs
from tests.voxel.working import a_world, put
from thorp.protocol import actions
from thorp.voxel.inputs import Join
from thorp.voxel.society import deeds, scores
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Contract, Trade
from thorp.voxel.state.world import World
from thorp.voxel.tick import step

TOKEN = "00" * 32


def gains(agent: Agent) -> list[tuple[str, int, str]]:
    return [(one["dim"], one["delta"], one["reason"]) for one in events_of(agent, "FUN")]  # type: ignore[misc]


def goals(agent: Agent) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in one.items() if key not in ("t", "type")}
        for one in events_of(agent, "EVENT_GOAL")
    ]


def counted(world: World, kind: str) -> int:
    return scores.total(world, kind)  # type: ignore[arg-type]


# The score


@pytest.mark.parametrize(
    ("base", "worths"),
    [(5, [5, 4, 2, 2, 1, 1, 1, 0]), (10, [10, 7, 5, 3, 2, 2, 1]), (2, [2, 1, 1, 1, 0])],
)
def test_what_is_done_again_is_worth_less(base: int, worths: list[int]) -> None:
    assert [scores.decayed(base, 700, times) for times in range(len(worths))] == worths


@given(st.integers(0, 100), st.integers(1, 1000), st.integers(0, 40))
def test_decay_never_grows_and_never_goes_below_zero(base: int, permille: int, times: int) -> None:
    assert (
        0
        <= scores.decayed(base, permille, times + 1)
        <= scores.decayed(base, permille, times)
        <= base
    )


def test_a_window_ends_after_its_time_and_nothing_is_not_told() -> None:
    world = a_society(fun_decay_window_ticks=10)
    agent = put_agent(world)
    for _ in range(9):
        scores.award_fun(world, agent, "social", 2, reason="TRADE", key="social:trade")
    assert [delta for _, delta, _ in gains(agent)] == [2, 1, 1, 1]
    world.tick += 9
    scores.award_fun(world, agent, "social", 2, reason="TRADE", key="social:trade")
    assert len(gains(agent)) == 4
    world.tick += 1
    scores.award_fun(world, agent, "social", 2, reason="TRADE", key="social:trade")
    assert [one["total"] for one in events_of(agent, "FUN")] == [2, 3, 4, 5, 7]


def test_the_score_is_shown_once_there_is_one() -> None:
    world = a_society()
    agent = put_agent(world)
    assert "fun_score" not in obs(world, agent)
    scores.award_fun(world, agent, "influence", 4, reason="LAW_ADOPTED")
    assert obs(world, agent)["fun_score"] == {
        "novelty": 0,
        "creation": 0,
        "social": 0,
        "influence": 4,
        "narrative": 0,
        "risk_rescue": 0,
    }


# Novelty


def test_a_first_biome_counts_on_joining() -> None:
    world = a_society()
    step(world, [Join("new", TOKEN)])
    assert gains(world.agents[1]) == [("NOVELTY", 10, "BIOME_PLAINS")]
    assert world.agents[1].fun["novelty"] == 10


def test_each_biome_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    world = a_society()
    agent = put_agent(world)
    monkeypatch.setattr(
        world.ground.terrain,
        "biome",
        lambda x, z: ("PLAINS", "FOREST", "DESERT")[min(2, max(0, x - 1))],
    )
    ask(world, agent, move((5, STAND, 0)))
    wait(world, 8)
    ask(world, agent, move((0, STAND, 0)))
    wait(world, 8)
    assert gains(agent) == [("NOVELTY", 10, "BIOME_FOREST"), ("NOVELTY", 10, "BIOME_DESERT")]


def test_a_recipe_counts_once_and_by_its_tier() -> None:
    world = a_society()
    agent = newcomer(world, PLANK=20)
    for _ in range(2):
        assert outcome(world, agent, actions.Craft(recipe_id="stick_from_plank", count=2)) == "ok"
    assert gains(agent) == [("NOVELTY", 3, "RECIPE_stick_from_plank")]


@pytest.mark.parametrize(("tier", "points"), [(0, 3), (1, 3), (2, 5), (3, 8), (4, 8)])
def test_higher_tiers_are_worth_more(tier: int, points: int) -> None:
    world = a_society()
    agent = newcomer(world)
    recipe = next(iter(world.catalogs.recipes.values()))
    deeds.crafted(world, agent, type(recipe)(recipe.recipe_id, recipe.station, [], [], tier, 1))
    assert agent.fun["novelty"] == points


def test_smelting_is_a_recipe_too() -> None:
    world = a_society()
    agent = newcomer(world, IRON_ORE=1, COAL=1)
    put(world, (1, STAND, 0), "FURNACE")
    assert outcome(world, agent, actions.Smelt(item_id="IRON_ORE", count=1)) == "ok"
    assert [(dim, reason[:7]) for dim, _, reason in gains(agent)] == [("NOVELTY", "RECIPE_")]


def test_the_first_good_deed_in_each_kind_of_event_is_new() -> None:
    world = a_society()
    one, other = newcomer(world, PLANK=50, COAL=50), newcomer(world, 1, PLANK=50, COAL=50)
    for event_id in ("MARKET_WEEK", "CIVIC_VOTE", "MARKET_WEEK"):
        declare(world, event_id)
        trade(world, one, other)
    assert [delta for dim, delta, _ in gains(one) if dim == "NOVELTY"] == [5]
    assert one.seen_events == ["MARKET_WEEK"], "a trade is nothing to the vote"


# Exploring


def test_coming_farther_than_ever_is_exploring() -> None:
    world = a_society()
    step(world, [Join("walker", TOKEN)])
    agent = world.agents[1]
    home = agent.position
    ask(world, agent, move((home[0] + 40, STAND, home[2])))
    wait(world, 50)
    entered = (agent.x >> 4) - (home[0] >> 4)
    assert counted(world, "explored") == entered > 0
    ask(world, agent, move(home))
    wait(world, 50)
    assert counted(world, "explored") == entered, "the way back is known"


# Trade


def trade(world: World, one: Agent, other: Agent, *, give: int = 2, take: int = 2) -> None:
    wish = actions.OfferTrade(to=other.id, offer=[("PLANK", give)], request=[("COAL", take)])
    (offered,) = ask(world, one, wish)
    assert said(world, other, actions.AcceptTrade(trade_id=offered["trade_id"])) == "ok"
    wait(world, 50)


def test_a_fair_trade_in_market_week_is_a_goal_for_both() -> None:
    world = a_society()
    one, other = newcomer(world, PLANK=9, COAL=9), newcomer(world, 1, PLANK=9, COAL=9)
    declare(world, "MARKET_WEEK")
    trade(world, one, other)
    for agent in (one, other):
        assert ("NARRATIVE", 5, "MARKET_WEEK") in gains(agent)
        assert goals(agent) == [{"event_id": "MARKET_WEEK", "kind": "TRADE"}]
    assert counted(world, "trades") == 1
    trade(world, one, other, give=7, take=1)
    assert len(goals(one)) == 1, "this one was not fair"
    assert counted(world, "trades") == 2


# Laws


@pytest.mark.parametrize("in_vote", [False, True])
def test_laws_and_votes(in_vote: bool) -> None:
    world = a_society()
    agent = newcomer(world)
    claim = a_land(world, agent, 2, 2)
    if in_vote:
        declare(world, "CIVIC_VOTE")
    law = pass_law(world, agent, claim, "MARKET_TAX", market_tax=0.1)
    expected = [
        ("NARRATIVE", 4 if in_vote else 2, "CIVIC_VOTE" if in_vote else "VOTE"),
        ("INFLUENCE", 4, "LAW_ADOPTED"),
        ("NARRATIVE", 5, "LAW_ADOPTED"),
    ]
    if in_vote:
        expected = [
            ("NARRATIVE", 6, "CIVIC_VOTE"),
            ("NOVELTY", 5, "EVENT_CIVIC_VOTE"),
            *expected,
            ("NARRATIVE", 6, "CIVIC_VOTE"),
        ]
    assert gains(agent) == expected
    kinds = [(one["kind"], one["law_id"]) for one in goals(agent)]
    assert kinds == ([("PROPOSE_LAW", law.id), ("VOTE", law.id)] if in_vote else [])


def test_a_vote_that_is_changed_counts_once() -> None:
    world = a_society()
    agent = newcomer(world)
    law = a_law(world, agent, a_land(world, agent, 2, 2), "MARKET_TAX", market_tax=0.1)
    wait(world, NOTICE)
    for choice in ("YES", "NO", "YES"):
        assert said(world, agent, actions.Vote(law_id=law.id, choice=choice)) == "ok"
    assert gains(agent) == [("NARRATIVE", 2, "VOTE")]
    wait(world, VOTING)
    assert law.status == "ACTIVE"


# Building and contracts


def road(world: World, agent: Agent, z: int = 3) -> str:
    return outcome(
        world, agent, actions.BuildBlueprint(blueprint_id="road_segment", anchor=(2, STAND, z))
    )


@pytest.mark.parametrize(
    ("event_id", "award", "goal"),
    [
        ("BUILDER_EXPO", ("CREATION", 8, "BUILDER_EXPO"), "EXPO_BUILD"),
        ("BLUEPRINT_FAIR", ("INFLUENCE", 6, "BLUEPRINT_FAIR"), "FAIR_BUILD"),
        ("RUINS_GATE", None, None),
    ],
)
def test_building_while_something_is_going_on(event_id: str, award: Any, goal: str | None) -> None:
    world = a_society()
    agent = newcomer(world, PLANK=20)
    declare(world, event_id, 500)
    assert road(world, agent) == "ok"
    expected = [("NARRATIVE", 5, "EVENT_BUILD")]
    novelty = ("NOVELTY", 5, f"EVENT_{event_id}")
    assert gains(agent) == ([award, novelty, *expected] if award else [*expected, novelty])
    about = {"event_id": event_id, "kind": goal, "blueprint_id": "road_segment"}
    assert goals(agent) == ([about] if goal else [])
    assert counted(world, "built") == 1


def test_building_in_quiet_times_brings_nothing_at_once() -> None:
    world = a_society()
    agent = newcomer(world, PLANK=20)
    assert road(world, agent) == "ok"
    assert gains(agent) == []


@pytest.mark.parametrize("sky", ["STORM", "COLD"])
def test_building_in_bad_weather_takes_courage(sky: str) -> None:
    world = a_society()
    agent = newcomer(world, PLANK=20)
    world.weather, world.weather_until = sky, 1000
    assert road(world, agent) == "ok"
    assert gains(agent) == [("RISK_RESCUE", 8, "HAZARD_BUILD")]


def test_what_stands_or_is_only_mended_is_no_new_structure() -> None:
    world = a_society()
    agent = newcomer(world, PLANK=20)
    declare(world, "BUILDER_EXPO")
    assert road(world, agent) == "ok"
    before = gains(agent)
    assert road(world, agent) == "ok"
    world.ground.put(2, STAND, 3, 0)
    assert road(world, agent) == "ok"
    assert gains(agent) == before
    assert counted(world, "built") == 1


def contract(kind: str, acceptor: Agent) -> Contract:
    worth = {"STONE": 10}
    done = Contract("C000001", kind, "COMPLETED", "A9", (0, 0, 0), worth, {}, {}, 0, 9, acceptor.id)  # type: ignore[arg-type]
    done.blueprint_id = "hut_small"
    return done


FARMED: dict[str, Any] = {"reputation_decay_base": 0.7, "reputation_full_worth": 10}


def test_reputation_is_not_farmed_with_one_partner_or_with_trifles() -> None:
    world = a_society(**FARMED)
    agent, other = newcomer(world), newcomer(world, 1)
    earned = []
    for _ in range(50):
        before = agent.reputation["trade"]
        deeds.completed(world, contract("DELIVER", agent))
        earned.append(agent.reputation["trade"] - before)
    assert earned[:7] == [6, 4, 3, 2, 1, 1, 1]
    assert not any(earned[7:])
    small = contract("DELIVER", other)
    small.requirements = {"STONE": 1}
    for number in range(20):
        small.poster = f"A{number + 20}"
        deeds.completed(world, small)
    assert other.reputation["trade"] == 520
    world.tick += world.tuning.fun_decay_window_ticks
    before = agent.reputation["trade"]
    deeds.completed(world, contract("DELIVER", agent))
    assert agent.reputation["trade"] == before + 6


def test_reputation_decays_only_if_the_tuning_says_so() -> None:
    world = a_society(reputation_decay_base=1.0, reputation_full_worth=1)
    agent = newcomer(world)
    small = contract("DELIVER", agent)
    small.requirements = {"STONE": 1}
    for _ in range(50):
        deeds.completed(world, small)
    assert agent.reputation["trade"] == 500 + 50 * 6


def test_what_a_partner_counts_grows_with_its_days_of_presence() -> None:
    world = a_society(reputation_full_days=3)
    world.tick = 1
    agent, partner = newcomer(world), newcomer(world, 1)
    earned = []
    for thirds in range(5):
        partner.earlier_presence, partner.attached = thirds * world.tuning.day_ticks, False
        before = agent.reputation["trade"]
        order = contract("DELIVER", agent)
        order.poster = partner.id
        deeds.completed(world, order)
        earned.append(agent.reputation["trade"] - before)
    assert earned == [0, 2, 4, 6, 6]


def test_an_organisation_counts_as_its_leader_does() -> None:
    world = a_society(reputation_full_days=3)
    agent, leader, member = newcomer(world), newcomer(world, 1), newcomer(world, 2)
    leader.earlier_presence, leader.attached = world.tuning.day_ticks, False
    member.earlier_presence = 100 * world.tuning.day_ticks
    order = contract("DELIVER", agent)
    order.poster = an_org(world, leader, member).id
    deeds.completed(world, order)
    assert agent.reputation["trade"] == 502
    order.poster = "A99"
    deeds.completed(world, order)
    assert agent.reputation["trade"] == 502, "one that is gone counts nothing"


def test_swapping_equal_goods_with_new_bodies_earns_no_reputation() -> None:
    """With the tuning that every world has."""
    world = a_world()
    one = newcomer(world)
    for number in range(39):
        other = newcomer(world, 1 + number)
        for _ in range(3):
            deeds.traded(
                world, Trade("TR000001", one.id, other.id, {"PLANK": 20}, {"PLANK": 20}, 9)
            )
    assert (one.reputation["trade"], one.reputation["social"]) == (500, 500)


def test_wash_trades_earn_next_to_nothing() -> None:
    world = a_society(**FARMED)
    one, other = newcomer(world), newcomer(world, 1)
    for _ in range(40):
        deeds.traded(world, Trade("TR000001", one.id, other.id, {"STONE": 10}, {"PLANK": 10}, 9))
    assert one.reputation["trade"] == other.reputation["trade"] == 505
    assert one.reputation["social"] == 502


@pytest.mark.parametrize(("kind", "points"), [("GATHER", 5), ("DELIVER", 5), ("BUILD", 7)])
def test_contracts_in_quiet_times_in_events_and_in_hazards(kind: str, points: int) -> None:
    world = a_society()
    quiet, eventful, brave = newcomer(world), newcomer(world, 1), newcomer(world, 2)
    deeds.completed(world, contract(kind, quiet))
    assert gains(quiet) == [("SOCIAL", points, "CONTRACT")]
    declare(world, "RUINS_GATE")
    deeds.completed(world, contract(kind, eventful))
    assert gains(eventful)[1:] == [
        ("NARRATIVE", 5, "EVENT_SUCCESS"),
        ("NOVELTY", 5, "EVENT_RUINS_GATE"),
    ]
    world.director.event, world.weather = None, "COLD"
    deeds.completed(world, contract(kind, brave))
    assert gains(brave)[1:] == [("RISK_RESCUE", 8, "HAZARD_SUCCESS")]


@pytest.mark.parametrize(("trust", "points"), [(1000, 5), (500, 5), (250, 4), (0, 3)])
def test_who_is_not_trusted_has_less_of_it(trust: int, points: int) -> None:
    world = a_society()
    agent = newcomer(world)
    agent.reputation["trade"] = max(0, trust - 6)
    deeds.completed(world, contract("GATHER", agent))
    assert agent.fun["social"] == points


# Chests


@pytest.mark.parametrize(
    ("event_id", "expected"),
    [
        ("RUINS_GATE", [("NARRATIVE", 12, "RUINS_OPENED")]),
        (
            "BANDIT_CAMP",
            [("NARRATIVE", 8, "BANDITS_LOOTED"), ("RISK_RESCUE", 10, "BANDITS_LOOTED")],
        ),
    ],
)
def test_chests(event_id: str, expected: list[Any]) -> None:
    world = a_society()
    agent = newcomer(world)
    event = hold(world, event_id)
    assert event.center is not None
    deeds.opened(world, agent, world.containers[event.center])
    deeds.opened(world, agent, world.containers[event.center])
    assert gains(agent) == [*expected, ("NOVELTY", 5, f"EVENT_{event_id}")]


# Law


def test_denials_are_counted_and_law_comes_back_in_time() -> None:
    world = a_society()
    owner, visitor = newcomer(world), newcomer(world, 4)
    a_land(world, owner, 2, 2)
    assert outcome(world, visitor, actions.Mine(block_pos=(4, STAND - 1, 0))) == "E_NO_PERMISSION"
    assert counted(world, "denials") == 1
    assert visitor.reputation["law"] == 499
    wait(world, 300)
    assert visitor.reputation["law"] == 500
    wait(world, 300)
    assert visitor.reputation["law"] == 500
