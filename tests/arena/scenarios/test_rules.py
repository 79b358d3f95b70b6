"""The checks themselves: what is sound passes, and every rule catches those who break it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.arena.scenarios import offenders as o
from thorp.arena.testing import (
    AGENT_RULES,
    ODD_VALUES,
    SCENARIO_RULES,
    AgentSuite,
    BrokenRule,
    ScenarioSuite,
    check_agent,
    check_hash_seeds,
    check_scenario,
)
from thorp.arena.testing.trial import AgentTrial, ScenarioTrial, check_rule, rule_name

SCENARIO_OFFENDERS = {
    "has-all-members": (
        o.Nameless,
        o.Scoreless,
        o.EndTurnNumber,
        o.ToActTuple,
        o.SeatsList,
        o.SeatsReversed,
        o.OddLog,
        o.PlainFlag,
        o.SealedWithoutInit,
    ),
    "plays-without-failing": (o.FailingSummary,),
    "same-seed-same-bytes": (o.Moody,),
    "matches-share-nothing": (o.KeepsStateOnItself, o.CountsItsMatches),
    "everything-is-json": (
        o.FractionsAsPlain,
        o.NumbersAsKeys,
        o.ObservesSet,
        o.ObservesInfinity,
        o.FeedbackBytes,
        o.SummaryNumberKeys,
        o.ScoreNan,
    ),
    "any-action-is-judged": (o.TrustsActions, o.TrustsActionsLater, o.NoVerdict, o.NumberVerdict),
    "invalid-actions-gain-nothing": (o.PaysForNonsense,),
    "observing-changes-nothing": (o.CountsLooks,),
    "asking-changes-nothing": (o.CountsSummaries, o.CountsScores, o.CountsTerminals, o.CountsToAct),
    "every-seat-has-a-score": (
        o.ForgetsASeat,
        o.ScoresAStranger,
        o.ScoresTruth,
        o.ScoresNothingMidway,
        o.ScoreNan,
    ),
    "somebody-is-to-act": (o.AsksAText, o.AsksAStranger, o.AsksNobody),
    "failing-seats-stop-nothing": (o.NeedsEverybody,),
    "terminal-stays-terminal": (o.StartsAgain, o.TerminalNumber),
    "ends-in-time": (o.WaitsForAll,),
    "hidden-choices-stay-hidden": (o.ShowsChoices, o.EndsOnAChoice),
    "secrets-decide-what-is-hidden": (o.DealsFromTheSeed, o.ForgetsTheSecret),
    "seats-are-counted": (o.TakesAnyNumber, o.RefusesThree),
    "leaves-global-random-alone": (o.DrawsGlobally,),
}
AGENT_OFFENDERS = {
    "has-all-members": (o.OtherId, o.Actless),
    "acts-without-failing": (o.Stumbles,),
    "actions-are-json": (o.ActsSet, o.ActsNan, o.ActsLater),
    "actions-are-valid": (o.Strides,),
    "same-seed-same-actions": (o.MoodyWalker,),
    "init-starts-afresh": (o.NeverForgets,),
    "instances-share-nothing": (o.OneMind,),
    "survives-setbacks": (o.TrustsItself, o.TrustsOthers),
    "leaves-global-random-alone": (o.DrawsGloballyToo,),
}


def pairs(table: dict[str, tuple[Any, ...]]) -> list[Any]:
    return [
        pytest.param(rule, offender, id=f"{rule}-{offender.__name__}")
        for rule, classes in table.items()
        for offender in classes
    ]


def scenario_trial(make: Any) -> ScenarioTrial:
    return ScenarioTrial(make, (o.Walker,), matches=5, hidden_choices=True, ends_within=6)


def test_every_rule_has_its_offenders() -> None:
    assert [rule_name(rule) for rule in SCENARIO_RULES] == list(SCENARIO_OFFENDERS)
    assert [rule_name(rule) for rule in AGENT_RULES] == list(AGENT_OFFENDERS)


def test_a_sound_scenario_passes() -> None:
    check_scenario(o.Race, agents=[o.Walker], matches=5, hidden_choices=True, ends_within=6)
    check_scenario(o.Race, actions=[{"steps": 1}, {"steps": 3}], matches=5, seed=99)
    check_scenario(o.Race, matches=5)
    check_scenario(o.Relay, agents=[o.Walker], matches=5, hidden_choices=True, ends_within=6)


def test_a_sound_agent_passes() -> None:
    check_agent(o.Walker, scenario_factory=o.Race, matches=5)
    check_agent(o.Walker, scenario_factory=o.Race, opponents=[o.Strides, o.Stumbles], matches=5)


@pytest.mark.parametrize(("rule", "offender"), pairs(SCENARIO_OFFENDERS))
def test_a_scenario_that_breaks_a_rule_is_caught_by_it(rule: str, offender: Any) -> None:
    (function,) = [each for each in SCENARIO_RULES if rule_name(each) == rule]
    with pytest.raises(BrokenRule) as caught:
        check_rule(function, scenario_trial(offender))
    assert caught.value.rule == rule
    assert str(caught.value).startswith(f"{rule}: ")
    assert len(caught.value.message) > 20


@pytest.mark.parametrize(("rule", "offender"), pairs(SCENARIO_OFFENDERS))
def test_a_scenario_that_breaks_a_rule_does_not_pass(rule: str, offender: Any) -> None:
    with pytest.raises(BrokenRule):
        check_scenario(offender, agents=[o.Walker], matches=5, hidden_choices=True, ends_within=6)


@pytest.mark.parametrize(("rule", "offender"), pairs(AGENT_OFFENDERS))
def test_an_agent_that_breaks_a_rule_is_caught_by_it(rule: str, offender: Any) -> None:
    (function,) = [each for each in AGENT_RULES if rule_name(each) == rule]
    with pytest.raises(BrokenRule) as caught:
        check_rule(function, AgentTrial(offender, o.Race, matches=5))
    assert caught.value.rule == rule
    with pytest.raises(BrokenRule):
        check_agent(offender, scenario_factory=o.Race, matches=5)


def test_rules_that_are_not_asked_for_are_not_tried() -> None:
    check_scenario(o.ShowsChoices, agents=[o.Walker], matches=2)
    check_scenario(o.WaitsForAll, agents=[o.Walker], matches=2)
    check_agent(o.Strides, scenario_factory=o.Race, matches=2, always_valid=False)


def test_messages_say_what_was_seen() -> None:
    with pytest.raises(BrokenRule, match=r"adjudicate raised .*TypeError.* for the action None"):
        check_scenario(o.TrustsActions, agents=[o.Walker])
    with pytest.raises(
        BrokenRule, match=r"the log changed when the match was played again; line \d+ should"
    ):
        check_scenario(o.Moody, agents=[o.Walker])
    with pytest.raises(BrokenRule, match=r"failed in turn 3 in an ordinary match: 'stumbled'"):
        check_agent(o.Stumbles, scenario_factory=o.Race)


PATH = "tests.arena.scenarios.offenders"


def test_iterating_over_a_set_is_caught() -> None:
    with pytest.raises(BrokenRule, match="PYTHONHASHSEED=0 and 1") as caught:
        check_hash_seeds(
            f"{PATH}:SetOrder", [f"{PATH}:Walker"] * 2, matches=1, hash_seeds=("0", "1")
        )
    assert caught.value.rule == "same-bytes-under-every-hash-seed"


def test_a_match_that_cannot_be_played_elsewhere_is_told() -> None:
    with pytest.raises(BrokenRule, match=r"process of its own(?s:.*)no_such_module"):
        check_hash_seeds("no_such_module:Nothing", [], hash_seeds=("0",))


def test_odd_values_cover_every_kind() -> None:
    assert {type(value) for value in ODD_VALUES} == {type(None), bool, int, float, str, list, dict}


def offered_by(suite: type) -> set[str]:
    return {
        name for name in dir(suite) if name.startswith("test_") and callable(getattr(suite, name))
    }


def test_suites_have_one_test_for_each_rule() -> None:
    named = {f"test_{rule.__name__}" for rule in SCENARIO_RULES}
    assert offered_by(ScenarioSuite) == {*named, "test_same_bytes_under_every_hash_seed"}
    assert offered_by(AgentSuite) == {f"test_{rule.__name__}" for rule in AGENT_RULES}


def test_suites_offer_only_the_rules_asked_for() -> None:
    class Plain(ScenarioSuite): ...

    class Full(Plain):
        hidden_choices = True
        ends_within = 6
        sealed = True
        import_paths = (f"{PATH}:Race", f"{PATH}:Walker", f"{PATH}:Walker")

    class Careless(AgentSuite):
        always_valid = False

    assert offered_by(ScenarioSuite) - offered_by(Plain) == {
        "test_ends_in_time",
        "test_hidden_choices_stay_hidden",
        "test_secrets_decide_what_is_hidden",
        "test_same_bytes_under_every_hash_seed",
    }
    assert offered_by(Full) == offered_by(ScenarioSuite)
    assert offered_by(AgentSuite) - offered_by(Careless) == {"test_actions_are_valid"}


@pytest.mark.parametrize("rule", SCENARIO_RULES, ids=rule_name)
def test_each_test_of_a_scenario_suite_tries_its_rule(rule: Any) -> None:
    offender = SCENARIO_OFFENDERS[rule_name(rule)][0]

    class Suite(ScenarioSuite):
        agents = (o.Walker,)
        matches = 5
        hidden_choices = True
        ends_within = 6
        sealed = True

        def make_scenario(self) -> Any:
            return offender()

    with pytest.raises(BrokenRule) as caught:
        getattr(Suite(), f"test_{rule.__name__}")()
    assert caught.value.rule == rule_name(rule)


@pytest.mark.parametrize("rule", AGENT_RULES, ids=rule_name)
def test_each_test_of_an_agent_suite_tries_its_rule(rule: Any) -> None:
    offender = AGENT_OFFENDERS[rule_name(rule)][0]

    class Suite(AgentSuite):
        matches = 5

        def make_agent(self, id: str) -> Any:
            return offender(id)

        def make_scenario(self) -> Any:
            return o.Race()

    with pytest.raises(BrokenRule) as caught:
        getattr(Suite(), f"test_{rule.__name__}")()
    assert caught.value.rule == rule_name(rule)


class TestRace(ScenarioSuite):
    """The suite as an author uses it, hash seeds included."""

    agents = (o.Walker,)
    matches = 3
    hidden_choices = True
    ends_within = 6
    import_paths = (f"{PATH}:Race", f"{PATH}:Walker", f"{PATH}:Walker")

    def make_scenario(self) -> Any:
        return o.Race()


class TestWalker(AgentSuite):
    matches = 3

    def make_agent(self, id: str) -> Any:
        return o.Walker(id)

    def make_scenario(self) -> Any:
        return o.Race()
