"""The scenarios and bots that come with Thorp, through the suites that everybody can inherit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from thorp.arena import Agent, Scenario
from thorp.arena import agents as bots
from thorp.arena.agents import BUILT_IN_AGENTS
from thorp.arena.scenarios import (
    BUILT_IN_SCENARIOS,
    Auction,
    ConnectFour,
    Dilemma,
    Fireworks,
    Impostor,
    KuhnPoker,
    LeducPoker,
    LiarsDice,
    Negotiation,
    Nim,
    NumberGuess,
)
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


class TestNim(ScenarioSuite):
    agents = (bots.RandomHeaps, bots.PerfectHeaps)
    matches = 4
    ends_within = 30

    def make_scenario(self) -> Scenario:
        return Nim(deals=2, heaps=[3, 4, 5])


class TestKuhnPoker(ScenarioSuite):
    agents = (bots.RandomPoker, bots.EquilibriumKuhn)
    matches = 4
    ends_within = 9
    sealed = True

    def make_scenario(self) -> Scenario:
        return KuhnPoker(deals=3)


class TestLeducPoker(ScenarioSuite):
    agents = (bots.RandomPoker, bots.EquilibriumLeduc)
    matches = 4
    ends_within = 24
    sealed = True

    def make_scenario(self) -> Scenario:
        return LeducPoker(deals=3)


class TestLiarsDice(ScenarioSuite):
    agents = (bots.RandomDice, bots.OddsDice)
    matches = 4
    ends_within = 50
    sealed = True

    def make_scenario(self) -> Scenario:
        return LiarsDice(deals=2, dice=2)


class TestNegotiation(ScenarioSuite):
    agents = (bots.RandomNegotiator, bots.TradingNegotiator)
    matches = 4
    ends_within = 20
    sealed = True

    def make_scenario(self) -> Scenario:
        return Negotiation(deals=2)


class TestImpostor(ScenarioSuite):
    agents = (bots.BluntWords, bots.CarefulWords)
    matches = 3
    hidden_choices = True
    ends_within = 8
    sealed = True

    def make_scenario(self) -> Scenario:
        return Impostor(games=2)


class TestFireworks(ScenarioSuite):
    agents = (bots.RandomFireworks, bots.SignallingFireworks)
    matches = 3
    ends_within = 60
    sealed = True

    def make_scenario(self) -> Scenario:
        return Fireworks(colours=3, ranks=4)


def test_without_players_the_scenarios_face_nothing_but_nonsense() -> None:
    for scenario in (NumberGuess, lambda: Auction(lots=3), lambda: Dilemma(rounds=3), ConnectFour):
        check_scenario(scenario, matches=3)
    for short in (lambda: KuhnPoker(deals=2), lambda: Negotiation(deals=1), lambda: Nim(deals=1)):
        check_scenario(short, matches=1)


# What is played in the checks: short matches, and a search that does not look far.
STAGES: dict[str, Callable[[], Scenario]] = {
    "auction": Auction,
    "connect-four": ConnectFour,
    "dilemma": lambda: Dilemma(rounds=12),
    "fireworks": lambda: Fireworks(colours=3, ranks=4),
    "impostor": lambda: Impostor(games=1),
    "kuhn-poker": lambda: KuhnPoker(deals=2),
    "leduc-poker": lambda: LeducPoker(deals=2),
    "liars-dice": lambda: LiarsDice(deals=1),
    "negotiation": lambda: Negotiation(deals=1),
    "nim": lambda: Nim(deals=1),
    "number-guess": NumberGuess,
}
# Their suites cost little, but there are many of them.
FEWER_MATCHES = {"fireworks", "impostor", "leduc-poker", "liars-dice", "negotiation", "nim"}
KINDS = [(scenario, kind) for scenario, kinds in BUILT_IN_AGENTS.items() for kind in kinds]


@pytest.mark.parametrize(("scenario", "kind"), KINDS)
def test_every_bot_keeps_the_rules(scenario: str, kind: str) -> None:
    def make(id: str) -> Agent:
        return (
            bots.Minimax(id, depth=2) if kind == "minimax" else BUILT_IN_AGENTS[scenario][kind](id)
        )

    opponent = BUILT_IN_AGENTS[scenario]["random"]
    matches = 2 if scenario in FEWER_MATCHES else 4
    check_agent(make, scenario_factory=STAGES[scenario], opponents=[opponent], matches=matches)
    check_agent(make, scenario_factory=STAGES[scenario], matches=matches // 2, seed=50)


FIRST_SCENARIOS = {"auction", "connect-four", "dilemma", "number-guess"}
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
    "fireworks": [[bots.RandomFireworks, bots.CautiousFireworks, bots.SignallingFireworks]],
    "impostor": [[bots.RandomWords, bots.BluntWords, bots.CarefulWords]],
    "kuhn-poker": [[bots.HonestKuhn, bots.EquilibriumKuhn], [bots.RandomPoker, bots.RandomPoker]],
    "leduc-poker": [
        [bots.HonestLeduc, bots.EquilibriumLeduc],
        [bots.RandomPoker, bots.RandomPoker],
    ],
    "liars-dice": [[bots.TruthfulDice, bots.OddsDice], [bots.RandomDice, bots.RandomDice]],
    "negotiation": [
        [bots.RandomNegotiator, bots.TradingNegotiator],
        [bots.StubbornNegotiator, bots.FairNegotiator],
    ],
    "nim": [[bots.RandomHeaps, bots.PerfectHeaps], [bots.EndgameHeaps, bots.EndgameHeaps]],
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
        path(BUILT_IN_SCENARIOS[scenario]),
        [path(bot) for bot in table],
        matches=matches,
        max_turns=200,
        hash_seeds=("0", "random") if scenario not in FIRST_SCENARIOS else ("0", "1", "random"),
    )


@pytest.mark.parametrize("scenario", BUILT_IN_SCENARIOS)
def test_every_scenario_has_a_random_bot_and_a_better_one(scenario: str) -> None:
    assert "random" in BUILT_IN_AGENTS[scenario]
    assert len(BUILT_IN_AGENTS[scenario]) >= 2


@pytest.mark.parametrize("scenario", sorted(set(BUILT_IN_SCENARIOS) - {"number-guess"}))
def test_newer_scenarios_log_the_name_they_are_known_by(scenario: str) -> None:
    assert BUILT_IN_SCENARIOS[scenario]().name == scenario


def test_the_lists_of_names_are_complete() -> None:
    assert {
        factory.__name__ for kinds in BUILT_IN_AGENTS.values() for factory in kinds.values()
    } == set(bots.__all__) - {"BUILT_IN_AGENTS"}
