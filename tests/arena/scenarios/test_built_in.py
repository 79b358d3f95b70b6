"""The scenarios and bots that come with Thorp, through the suites that everybody can inherit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from thorp.arena import Agent, Scenario
from thorp.arena import agents as bots
from thorp.arena.agents import BUILT_IN_AGENTS
from thorp.arena.scenarios import BUILT_IN_SCENARIOS, Auction, ConnectFour, Dilemma, NumberGuess
from thorp.arena.testing import ScenarioSuite, check_agent, check_hash_seeds, check_scenario


class TestNumberGuess(ScenarioSuite):
    agents = (bots.RandomAgent, bots.BaselineAgent)

    def make_scenario(self) -> Scenario:
        return NumberGuess()


class TestAuction(ScenarioSuite):
    agents = (bots.RandomBidder, bots.PacingBidder)
    hidden_choices = True
    ends_within = 6
    sealed = True

    def make_scenario(self) -> Scenario:
        return Auction(lots=6)


class TestDilemma(ScenarioSuite):
    agents = (bots.CoinFlipper, bots.GenerousTitForTat)
    hidden_choices = True
    ends_within = 12

    def make_scenario(self) -> Scenario:
        return Dilemma(rounds=12)


class TestConnectFour(ScenarioSuite):
    agents = (bots.RandomColumns, bots.GreedyColumns)
    ends_within = 63

    def make_scenario(self) -> Scenario:
        return ConnectFour()


def test_without_players_the_scenarios_face_nothing_but_nonsense() -> None:
    for scenario in (NumberGuess, lambda: Auction(lots=3), lambda: Dilemma(rounds=3), ConnectFour):
        check_scenario(scenario, matches=3)


# What is played in the checks: short matches, and a search that does not look far.
STAGES: dict[str, Callable[[], Scenario]] = {
    "auction": Auction,
    "connect-four": ConnectFour,
    "dilemma": lambda: Dilemma(rounds=12),
    "number-guess": NumberGuess,
}
KINDS = [(scenario, kind) for scenario, kinds in BUILT_IN_AGENTS.items() for kind in kinds]


@pytest.mark.parametrize(("scenario", "kind"), KINDS)
def test_every_bot_keeps_the_rules(scenario: str, kind: str) -> None:
    def make(id: str) -> Agent:
        return (
            bots.Minimax(id, depth=2) if kind == "minimax" else BUILT_IN_AGENTS[scenario][kind](id)
        )

    opponent = BUILT_IN_AGENTS[scenario]["random"]
    check_agent(make, scenario_factory=STAGES[scenario], opponents=[opponent], matches=4)
    check_agent(make, scenario_factory=STAGES[scenario], matches=2, seed=50)


TABLES: dict[str, list[list[Any]]] = {
    "auction": [list(BUILT_IN_AGENTS["auction"].values())],
    "connect-four": [[bots.RandomColumns, bots.GreedyColumns], [bots.GreedyColumns, bots.Minimax]],
    "dilemma": [
        [bots.CoinFlipper, bots.Joss],
        [bots.GenerousTitForTat, bots.Alternator],
        [bots.TitForTat, bots.Defector],
        [bots.SuspiciousTitForTat, bots.Grudger],
        [bots.Pavlov, bots.TitForTwoTats],
        [bots.Cooperator, bots.CoinFlipper],
    ],
    "number-guess": [[bots.RandomAgent, bots.BaselineAgent]],
}


def path(factory: Any) -> str:
    return f"{factory.__module__}:{factory.__name__}"


def test_every_bot_sits_at_a_table() -> None:
    for scenario, kinds in BUILT_IN_AGENTS.items():
        assert {bot for table in TABLES[scenario] for bot in table} == set(kinds.values())


@pytest.mark.parametrize(
    ("scenario", "table"), [(scenario, table) for scenario in TABLES for table in TABLES[scenario]]
)
def test_logs_are_the_same_under_every_hash_seed(scenario: str, table: list[Any]) -> None:
    matches = 1 if bots.Minimax in table else 3
    check_hash_seeds(
        path(BUILT_IN_SCENARIOS[scenario]), [path(bot) for bot in table], matches=matches
    )


@pytest.mark.parametrize("scenario", BUILT_IN_SCENARIOS)
def test_every_scenario_has_a_random_bot_and_a_better_one(scenario: str) -> None:
    assert "random" in BUILT_IN_AGENTS[scenario]
    assert len(BUILT_IN_AGENTS[scenario]) >= 2


@pytest.mark.parametrize("scenario", ["auction", "connect-four", "dilemma"])
def test_newer_scenarios_log_the_name_they_are_known_by(scenario: str) -> None:
    assert BUILT_IN_SCENARIOS[scenario]().name == scenario


def test_the_lists_of_names_are_complete() -> None:
    assert {
        factory.__name__ for kinds in BUILT_IN_AGENTS.values() for factory in kinds.values()
    } == set(bots.__all__) - {"BUILT_IN_AGENTS"}
