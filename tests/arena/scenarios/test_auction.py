"""The sealed-bid auction: prices, ties, budgets, silence, and what stays private."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.arena import Agent, AgentConfig, AgentContext, MatchConfig, run_match
from thorp.arena.agents import (
    BUILT_IN_AGENTS,
    PacingBidder,
    RandomBidder,
    ShadingBidder,
    TruthfulBidder,
)
from thorp.arena.scenarios import Auction
from thorp.kernel.canonical import canonical_text
from thorp.kernel.errors import InvalidError

IDS = ["a", "b", "c"]


def sell(scenario: Auction, state: Any, **bids: Any) -> Any:
    """One lot: the bids given are made, in seating order, and the lot is resolved."""
    for agent_id, bid in bids.items():
        state = scenario.adjudicate(state, agent_id, {"bid": bid}).state
    return scenario.end_turn(state)


def start(ids: list[str] = IDS, seed: int = 7, **parameters: Any) -> tuple[Auction, Any]:
    scenario = Auction(**parameters)
    return scenario, scenario.init(seed, ids)


@pytest.mark.parametrize(("pricing", "price"), [("first", 60), ("second", 45)])
def test_the_highest_bid_wins_and_pays_by_the_pricing_rule(pricing: str, price: int) -> None:
    scenario, state = start(pricing=pricing)
    value = scenario.observe(state, "b")["value"]
    after = sell(scenario, state, a=10, b=60, c=45)
    assert scenario.score(after) == {"a": 0, "b": value - price, "c": 0}
    seen = scenario.observe(after, "a")
    assert seen["results"] == [{"lot": 1, "winner": "b", "price": price}]
    assert seen["bidders"]["b"] == {"won": 1, "budget": 100 - price}
    assert (seen["lot"], seen["budget"]) == (2, 100)


def test_a_lone_bid_at_second_prices_costs_nothing() -> None:
    scenario, state = start(pricing="second")
    value = scenario.observe(state, "a")["value"]
    assert scenario.score(sell(scenario, state, a=1))["a"] == value


def test_if_all_pass_the_lot_goes_unsold() -> None:
    scenario, state = start()
    after = sell(scenario, state, a=0, c=0)
    summary = scenario.summarize(after)
    assert (summary["winner"], summary["price"], summary["silent"]) == (None, 0, ["b"])
    assert scenario.score(after) == {"a": 0, "b": 0, "c": 0}
    assert scenario.observe(after, "a")["lot"] == 2


def test_ties_are_decided_by_a_fair_draw_for_every_lot() -> None:
    winners: Counter[str] = Counter()
    changed = 0
    for seed in range(100):
        scenario, state = start(seed=seed, lots=6, budget=6, pricing="first")
        previous = None
        for _ in range(6):
            state = sell(scenario, state, a=1, b=1, c=1)
            winner = scenario.summarize(state)["winner"]
            winners[winner] += 1
            changed += previous not in (None, winner)
            previous = winner
    assert all(160 <= winners[agent_id] <= 240 for agent_id in IDS), winners
    assert 0.55 < changed / 500 < 0.78, "the next lot has another winner in two cases of three"


def test_ties_among_some_leave_the_lower_bids_out() -> None:
    for seed in range(20):
        scenario, state = start(seed=seed)
        assert scenario.summarize(sell(scenario, state, a=5, b=9, c=9))["winner"] in ("b", "c")


def test_second_price_in_a_tie_is_the_tied_bid() -> None:
    scenario, state = start()
    assert scenario.summarize(sell(scenario, state, a=9, b=9, c=1))["price"] == 9


def test_values_are_drawn_from_the_seed_and_spread_over_the_range() -> None:
    values: Counter[int] = Counter()
    for seed in range(200):
        scenario, state = start(seed=seed, highest_value=4)
        views = [scenario.observe(state, agent_id)["value"] for agent_id in IDS]
        assert views == [
            scenario.observe(scenario.init(seed, IDS), agent_id)["value"] for agent_id in IDS
        ]
        values.update(views)
    assert sorted(values) == [1, 2, 3, 4]
    assert all(110 <= count <= 190 for count in values.values()), values


def test_nobody_sees_another_seats_value_or_bid() -> None:
    scenario, state = start()
    lots = tuple(
        msgspec.structs.replace(lot, values=(lot.values[0], 1, 2), order=(2, 1, 0))
        for lot in state.lots
    )
    elsewhere = msgspec.structs.replace(state, lots=lots)
    assert scenario.observe(elsewhere, "a") == scenario.observe(state, "a")
    for bid in (0, 1, 100):
        sealed = scenario.adjudicate(state, "b", {"bid": bid}).state
        assert scenario.observe(sealed, "a") == scenario.observe(state, "a")
        assert scenario.summarize(sealed) == scenario.summarize(state)


def test_losing_bids_are_never_public() -> None:
    for pricing in ("first", "second"):
        scenario, state = start(pricing=pricing)
        low, lower = sell(scenario, state, a=50, b=40, c=3), sell(scenario, state, a=50, b=40, c=2)
        assert scenario.observe(low, "a") == scenario.observe(lower, "a")


def test_observations_show_the_latest_results_only() -> None:
    scenario, state = start(lots=30)
    for _ in range(25):
        state = sell(scenario, state, a=1)
    results = scenario.observe(state, "a")["results"]
    assert [result["lot"] for result in results] == list(range(16, 26))
    assert scenario.observe(state, "a")["bidders"]["a"]["won"] == 25


@pytest.mark.parametrize(
    "action",
    [
        None,
        5,
        {},
        {"bid": -1},
        {"bid": 101},
        {"bid": 1.5},
        {"bid": True},
        {"bid": "5"},
        {"bid": 10**400},
    ],
)
def test_what_is_no_bid_is_refused_and_changes_nothing(action: Any) -> None:
    scenario, state = start()
    verdict = scenario.adjudicate(state, "a", action)
    assert (verdict.valid, verdict.state) == (False, state)
    assert verdict.feedback == {"error": "bid must be a whole number from 0 to 100"}
    assert scenario.summarize(scenario.end_turn(verdict.state))["silent"] == IDS


def test_a_whole_number_with_a_fraction_of_zero_is_a_bid() -> None:
    scenario, state = start()
    assert scenario.adjudicate(state, "a", {"bid": 5.0}).feedback == {"sealed": True}
    assert (
        canonical_text(scenario.summarize(sell(scenario, state, a=5.0))["bids"])
        == '{"a":5,"b":0,"c":0}'
    )


def test_a_bid_stands() -> None:
    scenario, state = start()
    sealed = scenario.adjudicate(state, "a", {"bid": 5}).state
    assert not scenario.adjudicate(sealed, "a", {"bid": 6}).valid


class Failing:
    def __init__(self, id: str, *, in_init: bool = False) -> None:
        self.id = id
        self.in_init = in_init

    def init(self, config: AgentConfig) -> None:
        if self.in_init:
            raise RuntimeError("down")

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        raise RuntimeError("down")


@pytest.mark.parametrize("in_init", [False, True])
def test_a_failing_seat_passes_and_the_auction_goes_on(in_init: bool) -> None:
    agents: list[Agent] = [Failing("a", in_init=in_init), TruthfulBidder("b")]
    result = run_match(Auction(lots=5), agents, MatchConfig(3, 100))
    assert (result.reason, result.turns) == ("completed", 5)
    summaries = [event["summary"] for event in result.events if event["type"] == "StateUpdated"]
    assert all((s["winner"], s["price"], s["silent"]) == ("b", 0, ["a"]) for s in summaries)
    assert result.scores["b"] == sum(summary["values"]["b"] for summary in summaries)


def test_an_auction_of_failing_seats_ends() -> None:
    result = run_match(Auction(lots=5), [Failing("a"), Failing("b")], MatchConfig(3, 100))
    assert (result.reason, result.turns, result.scores) == ("completed", 5, {"a": 0, "b": 0})


@given(
    seed=st.integers(-(2**31), 2**31 - 1),
    pricing=st.sampled_from(["first", "second"]),
    bids=st.lists(st.lists(st.integers(-2, 45), min_size=3, max_size=3), min_size=6, max_size=6),
)
def test_money_and_scores_add_up(seed: int, pricing: str, bids: list[list[int]]) -> None:
    scenario, state = start(seed=seed, lots=6, budget=40, pricing=pricing)
    budgets, scores = dict.fromkeys(IDS, 40), dict.fromkeys(IDS, 0)
    for offers in bids:
        values = {agent_id: scenario.observe(state, agent_id)["value"] for agent_id in IDS}
        legal = {
            agent_id: bid
            for agent_id, bid in zip(IDS, offers, strict=True)
            if 0 <= bid <= budgets[agent_id]
        }
        state = sell(scenario, state, **dict(zip(IDS, offers, strict=True)))
        summary = scenario.summarize(state)
        winner, price = summary["winner"], summary["price"]
        assert summary["bids"] == {agent_id: legal.get(agent_id, 0) for agent_id in IDS}
        if winner is None:
            assert not any(legal.values())
        else:
            others = [bid for agent_id, bid in legal.items() if agent_id != winner]
            assert legal[winner] == max(legal.values()) > 0
            assert price == (legal[winner] if pricing == "first" else max(others, default=0))
            budgets[winner] -= price
            scores[winner] += values[winner] - price
        assert summary["budgets"] == budgets
        assert min(budgets.values()) >= 0
        assert scenario.score(state) == scores
    assert scenario.is_terminal(state)
    assert scenario.end_turn(state) == state
    canonical_text(scenario.observe(state, "a"))


@pytest.mark.parametrize(
    "parameters",
    [
        {"lots": 0},
        {"lots": 1001},
        {"lots": 1.5},
        {"lots": True},
        {"budget": 0},
        {"budget": -5},
        {"budget": float("inf")},
        {"highest_value": 0},
        {"pricing": "third"},
        {"pricing": None},
    ],
    ids=str,
)
def test_parameters_that_make_no_auction_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(InvalidError) as refusal:
        Auction(**parameters)
    assert refusal.value.code == "parameter"
    assert next(iter(parameters)) in refusal.value.message


@pytest.mark.parametrize("ids", [[], ["a"], ["a", "b", "a"]], ids=str)
def test_it_is_for_two_or_more(ids: list[str]) -> None:
    with pytest.raises(InvalidError) as refusal:
        Auction().init(1, ids)
    assert refusal.value.code == "seats"


def view(**changes: Any) -> dict[str, Any]:
    bidders = {"a": {"won": 0, "budget": 100}, "b": {"won": 0, "budget": 100}}
    return {
        "lot": 1,
        "lots": 10,
        "pricing": "second",
        "value": 80,
        "highestValue": 100,
        "budget": 100,
        "score": 0,
        "bidders": bidders,
        "results": [],
        **changes,
    }


@pytest.mark.parametrize(
    ("bidder", "observation", "bid"),
    [
        (TruthfulBidder, view(), 80),
        (TruthfulBidder, view(budget=30), 30),
        (ShadingBidder, view(), 40),
        (ShadingBidder, view(bidders=dict.fromkeys("abcd")), 60),
        (PacingBidder, view(), 30),
        (PacingBidder, view(lot=10), 80),
        (PacingBidder, view(pricing="first"), 20),
        (PacingBidder, view(pricing="first", lot=9), 40),
        (PacingBidder, view(budget=0), 0),
        (RandomBidder, view(budget=0), 0),
    ],
)
def test_what_bidders_bid(bidder: Any, observation: dict[str, Any], bid: int) -> None:
    assert bidder("a").act(observation, AgentContext(lambda: 0.5, 1, "a")) == {"bid": bid}


@pytest.mark.parametrize("pricing", ["first", "second"])
@pytest.mark.parametrize(
    ("stronger", "weaker"), [("pacing", "shading"), ("pacing", "truthful"), ("pacing", "random")]
)
def test_the_pacing_bidder_is_the_strongest(stronger: str, weaker: str, pricing: str) -> None:
    bots = BUILT_IN_AGENTS["auction"]
    ahead = 0
    for seed in range(60):
        agents = [bots[stronger]("s"), bots[weaker]("w")]
        scores = run_match(
            Auction(pricing=pricing), agents[:: 1 - 2 * (seed % 2)], MatchConfig(seed, 50)
        ).scores
        ahead += (scores["s"] > scores["w"]) - (scores["s"] < scores["w"])
    assert ahead > 0


def test_many_bidders() -> None:
    agents = [RandomBidder(f"seat-{n}") for n in range(20)]
    result = run_match(Auction(), agents, MatchConfig(1, 50))
    assert result.reason == "completed"
    assert len(result.scores) == 20
