"""The contract by Thorp's suites; the game by tests of its own."""

from __future__ import annotations

import pytest
from thorp_roshambo import Counter, Roshambo
from thorp_roshambo.scenario import beats

from thorp.arena import Agent, MatchConfig, Scenario, run_match
from thorp.arena.testing import AgentSuite, ScenarioSuite


class TestRoshamboContract(ScenarioSuite):
    agents = (Counter,)
    actions = ({"hand": "rock"}, {"hand": "paper"})
    hidden_choices = True
    ends_within = 8
    import_paths = ("thorp_roshambo:Roshambo", "thorp_roshambo:Counter", "thorp_roshambo:Counter")

    def make_scenario(self) -> Scenario:
        return Roshambo(rounds=8)


class TestCounterContract(AgentSuite):
    def make_agent(self, id: str) -> Agent:
        return Counter(id)

    def make_scenario(self) -> Scenario:
        return Roshambo(rounds=8)


@pytest.mark.parametrize(
    ("hand", "other", "won"),
    [
        ("rock", "scissors", True),
        ("rock", "paper", False),
        ("rock", "rock", False),
        ("rock", None, True),
    ],
)
def test_hands(hand: str, other: str | None, won: bool) -> None:
    assert beats(hand, other) is won


def test_counter_learns_a_habit() -> None:
    class Rock(Counter):
        def act(self, observation: object, ctx: object) -> object:
            return {"hand": "rock"}

    result = run_match(Roshambo(), [Counter("ann"), Rock("bo")], MatchConfig(seed=7))
    assert result.scores["ann"] >= 19
