"""Tasks in a voxel world: what is measured of it, the land that is made ready, and the partner."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tasks.sources import suite
from thorp.kernel.errors import InvalidError
from thorp.tasks import Episode
from thorp.tasks.goal import EMPTY, Plan, leaves, read_goal, score
from thorp.tasks.numbers import draw_numbers, fill
from thorp.tasks.partner import Partner, PartnerParams, PartnerPrice
from thorp.tasks.world_engine import PARTNER, WorldEngine


def world_of(episode: Episode) -> WorldEngine:
    assert isinstance(episode.engine, WorldEngine)
    return episode.engine


HOUSE = suite().open("build-house-3000")
HOUSE_GOAL = read_goal(suite().rows["build-house-3000"].goal)
(HOUSE_PLAN,) = [leaf.argument for leaf in leaves(HOUSE_GOAL)]
assert isinstance(HOUSE_PLAN, Plan)
CELLS = [(place, block) for place, block in HOUSE_PLAN.cells() if block != EMPTY]


@settings(max_examples=5)
@given(order=st.permutations(CELLS))
def test_every_block_that_is_right_brings_a_house_nearer(order: list[Any]) -> None:
    """In whatever order it is built, and the score is 1 only once all stands."""
    engine = world_of(HOUSE.clone())
    number = engine.world.catalogs.block_number
    before = score(HOUSE_GOAL, engine.measure)
    assert before == 0
    for place, block in order:
        x, y, z = place
        engine.world.ground.put(x, y, z, number[block])
        after = score(HOUSE_GOAL, engine.measure)
        assert after > before
        before = after
    assert before == 1


def test_a_house_that_is_filled_up_is_not_whole() -> None:
    engine = world_of(HOUSE.clone())
    number = engine.world.catalogs.block_number
    for place, block in HOUSE_PLAN.cells():
        x, y, z = place
        engine.world.ground.put(x, y, z, number["PLANK" if block == EMPTY else block])
    assert score(HOUSE_GOAL, engine.measure) == Fraction(len(CELLS), len(list(HOUSE_PLAN.cells())))


@pytest.mark.parametrize("row", ["build-bridge-3000", "build-road-3001"])
def test_land_is_level_and_the_learner_sees_it(row: str) -> None:
    episode = suite().open(row)
    engine = world_of(episode)
    x, y, z = engine.anchors["home"]
    blocks = {engine.world.ground.block(x + dx, y - 1, z) for dx in (-5, -1, 0, 1, 2)}
    assert blocks == {engine.world.catalogs.block_number["GRASS"]}
    seen = engine.observe()
    fresh = world_of(suite().open(row)).observe()
    assert seen == fresh
    if "trench" in engine.anchors:
        for distance in range(4):
            tx, ty, tz = engine.anchors["trench"]
            assert engine.world.ground.block(tx + distance, ty, tz) == 0


def test_a_row_is_solved_by_no_other_rows_acts() -> None:
    """Places and prices follow from the seed."""
    for task in ("build-road", "build-bridge", "trade-coal"):
        seeds = [row.seed for row in suite().select(task)]
        words = {Episode(suite().tasks[task], seed).prompt for seed in seeds}
        assert len(words) > len(seeds) // 2, task


def test_numbers_follow_from_the_seed_and_from_each_other() -> None:
    wanted = {
        "price": [2, 5],
        "count": [1, 3],
        "all": "price*count",
        "more": "all+7",
        "who": ["A", "B"],
    }
    drawn = [draw_numbers(wanted, seed) for seed in range(40)]
    assert drawn == [draw_numbers(wanted, seed) for seed in range(40)]
    assert {numbers["price"] for numbers in drawn} == {2, 3, 4, 5}
    assert {numbers["who"] for numbers in drawn} == {"A", "B"}
    for numbers in drawn:
        price, count = numbers["price"], numbers["count"]
        assert isinstance(price, int)
        assert isinstance(count, int)
        assert numbers["all"] == price * count
        assert numbers["more"] == price * count + 7


def test_numbers_stand_in_names_values_and_texts() -> None:
    tree = {"have": {"$item": "$count"}, "text": "{count} of {item}", "left": ["$count", 1, None]}
    assert fill(tree, {"item": "LOG", "count": 3}) == {
        "have": {"LOG": 3},
        "text": "3 of LOG",
        "left": [3, 1, None],
    }
    for lost in ("$price", "{price}", "$digest:price"):
        with pytest.raises(InvalidError):
            fill({"have": lost}, {})


@pytest.mark.parametrize("choice", [[5, 2], [], [1, "A"], "price", "price*nobody", 7, "a/b"])
def test_numbers_that_cannot_be_drawn_are_refused(choice: Any) -> None:
    with pytest.raises(InvalidError) as refused:
        draw_numbers({"price": [1, 2], "other": choice}, 0)
    assert refused.value.code == "params"


def partner(**prices: int) -> Partner:
    price = PartnerPrice(gives="COAL", takes="PLANK", **prices)
    return Partner(PartnerParams(goods={"COAL": 5}, prices=(price,)), "A1", (0, 20, 0))


def offered(planks: int, coal: int = 1, **fields: Any) -> dict[str, Any]:
    offer = {"offer": [["PLANK", planks]], "request": [["COAL", coal]]}
    return {"type": "TRADE_OFFER", "trade_id": "TR1", "from": "A1", **offer, **fields}


def answers(seller: Partner, event: dict[str, Any]) -> list[Any]:
    return [instant["type"] for instant in seller.decide([event])["instants"]]


def test_a_partner_comes_down_to_its_least_price_and_no_further() -> None:
    seller = partner(asks=5, least=3)
    assert answers(seller, offered(4)) == ["DECLINE_TRADE"]
    assert answers(seller, offered(4)) == ["ACCEPT_TRADE"], "each refusal takes one off"
    stubborn = partner(asks=5, least=3)
    assert [answers(stubborn, offered(2))[0] for _ in range(9)] == ["DECLINE_TRADE"] * 9


@pytest.mark.parametrize(
    "event",
    [
        offered(9, offer=[["DIRT", 9]]),
        offered(9, request=[["DIAMOND", 1]]),
        offered(9, offer=[["PLANK", 9], ["LOG", 1]]),
        offered(9, offer=[]),
    ],
)
def test_a_partner_declines_what_it_does_not_deal_in(event: dict[str, Any]) -> None:
    assert answers(partner(asks=2, least=2), event) == ["DECLINE_TRADE"]


def test_a_copy_of_a_haggle_goes_on_alike() -> None:
    episode = suite().open("trade-haggle-3000")
    offer = {"to": PARTNER, "request_item": "COAL", "request_count": 3, "offer_item": "PLANK"}
    episode.act({"action": "offer_trade", "offer_count": 1, **offer})
    episode.act({"action": "wait"})
    copy = episode.clone()
    for run in (episode, copy):
        run.act({"action": "offer_trade", "offer_count": 2, **offer})
        run.act({"action": "wait"})
    assert copy.digest() == episode.digest()


def test_parameters_that_cannot_be_read_are_refused() -> None:
    wrong: list[dict[str, Any]] = [
        {"weathr": "COLD"},
        {"land": {"level": 99}},
        {"partner": {"goods": {}}},
    ]
    for params in wrong:
        with pytest.raises(InvalidError) as refused:
            WorldEngine(params, 1)
        assert (refused.value.code, refused.value.path) == ("params", "$.params")
