"""The rules as pytest suites to inherit, one test for each rule.

    class TestNim(ScenarioSuite):
        agents = (Greedy, Perfect)

        def make_scenario(self):
            return Nim()

Rules that a subclass does not ask for (`hidden_choices`, `ends_within`, `sealed`, `import_paths`,
`always_valid`) are not collected for it, so that nothing is skipped and nothing passes unchecked.
Nothing here imports pytest, which collects any class whose name starts with `Test`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from thorp.arena.contract import Agent, Scenario
from thorp.arena.testing import agent_rules, scenario_rules
from thorp.arena.testing.hash_seeds import check_hash_seeds
from thorp.arena.testing.trial import AgentTrial, MakeAgent, ScenarioTrial, check_rule
from thorp.kernel.canonical import Json


def _include_test(suite: type, base: type, test: str, wanted: bool) -> None:
    """Include a test of the base class, or hide it from pytest, which ignores what is not callable."""
    setattr(suite, test, getattr(base, test) if wanted else None)


class ScenarioSuite:
    """Inherit, give `make_scenario`, and give `agents` that play it, or `actions` that make sense in it."""

    agents: Sequence[MakeAgent] = ()
    actions: Sequence[Json] = ()
    matches: int = 10
    seed: int = 0
    hidden_choices: bool = False
    """Seats choose at the same time, and must not see each other's choice."""
    ends_within: int | None = None
    """Every match is over after this many turns, whatever the seats do."""
    sealed: bool = False
    """The scenario draws what is hidden from a secret."""
    import_paths: Sequence[str] = ()
    """The scenario's import path ("package.module:Class"), then those of agents for all its seats."""

    def __init_subclass__(cls) -> None:
        _include_test(cls, ScenarioSuite, "test_ends_in_time", cls.ends_within is not None)
        _include_test(cls, ScenarioSuite, "test_hidden_choices_stay_hidden", cls.hidden_choices)
        _include_test(cls, ScenarioSuite, "test_secrets_decide_what_is_hidden", cls.sealed)
        _include_test(cls, ScenarioSuite, "test_same_bytes_under_every_hash_seed", bool(cls.import_paths))

    def make_scenario(self) -> Scenario:
        raise NotImplementedError("a ScenarioSuite needs make_scenario()")

    def check_rule(self, rule: Callable[[ScenarioTrial], None]) -> None:
        """Check one rule on this scenario."""
        trial = ScenarioTrial(
            make=self.make_scenario,
            agents=tuple(self.agents),
            actions=tuple(self.actions),
            matches=self.matches,
            seed=self.seed,
            hidden_choices=self.hidden_choices,
            ends_within=self.ends_within,
        )
        check_rule(rule, trial)

    def test_has_all_members(self) -> None:
        self.check_rule(scenario_rules.has_all_members)

    def test_plays_without_failing(self) -> None:
        self.check_rule(scenario_rules.plays_without_failing)

    def test_same_seed_same_bytes(self) -> None:
        self.check_rule(scenario_rules.same_seed_same_bytes)

    def test_matches_share_nothing(self) -> None:
        self.check_rule(scenario_rules.matches_share_nothing)

    def test_everything_is_json(self) -> None:
        self.check_rule(scenario_rules.everything_is_json)

    def test_any_action_is_judged(self) -> None:
        self.check_rule(scenario_rules.any_action_is_judged)

    def test_invalid_actions_gain_nothing(self) -> None:
        self.check_rule(scenario_rules.invalid_actions_gain_nothing)

    def test_observing_changes_nothing(self) -> None:
        self.check_rule(scenario_rules.observing_changes_nothing)

    def test_asking_changes_nothing(self) -> None:
        self.check_rule(scenario_rules.asking_changes_nothing)

    def test_every_seat_has_a_score(self) -> None:
        self.check_rule(scenario_rules.every_seat_has_a_score)

    def test_failing_seats_stop_nothing(self) -> None:
        self.check_rule(scenario_rules.failing_seats_stop_nothing)

    def test_terminal_stays_terminal(self) -> None:
        self.check_rule(scenario_rules.terminal_stays_terminal)

    def test_ends_in_time(self) -> None:
        self.check_rule(scenario_rules.ends_in_time)

    def test_hidden_choices_stay_hidden(self) -> None:
        self.check_rule(scenario_rules.hidden_choices_stay_hidden)

    def test_secrets_decide_what_is_hidden(self) -> None:
        self.check_rule(scenario_rules.secrets_decide_what_is_hidden)

    def test_seats_are_counted(self) -> None:
        self.check_rule(scenario_rules.seats_are_counted)

    def test_leaves_global_random_alone(self) -> None:
        self.check_rule(scenario_rules.leaves_global_random_alone)

    def test_same_bytes_under_every_hash_seed(self) -> None:
        scenario, *agents = self.import_paths
        check_hash_seeds(scenario, agents, seed=self.seed)


class AgentSuite:
    """Inherit, and give `make_agent` and `make_scenario`; without `opponents` it plays against itself."""

    opponents: Sequence[MakeAgent] = ()
    matches: int = 10
    seed: int = 0
    always_valid: bool = True
    """Its scenario judges all its actions valid."""

    def __init_subclass__(cls) -> None:
        _include_test(cls, AgentSuite, "test_actions_are_valid", cls.always_valid)

    def make_agent(self, id: str) -> Agent:
        raise NotImplementedError("an AgentSuite needs make_agent(id)")

    def make_scenario(self) -> Scenario:
        raise NotImplementedError("an AgentSuite needs make_scenario()")

    def check_rule(self, rule: Callable[[AgentTrial], None]) -> None:
        """Check one rule on this agent."""
        trial = AgentTrial(
            make=self.make_agent,
            make_scenario=self.make_scenario,
            opponents=tuple(self.opponents),
            matches=self.matches,
            seed=self.seed,
            always_valid=self.always_valid,
        )
        check_rule(rule, trial)

    def test_has_all_members(self) -> None:
        self.check_rule(agent_rules.has_all_members)

    def test_acts_without_failing(self) -> None:
        self.check_rule(agent_rules.acts_without_failing)

    def test_actions_are_json(self) -> None:
        self.check_rule(agent_rules.actions_are_json)

    def test_actions_are_valid(self) -> None:
        self.check_rule(agent_rules.actions_are_valid)

    def test_same_seed_same_actions(self) -> None:
        self.check_rule(agent_rules.same_seed_same_actions)

    def test_init_starts_afresh(self) -> None:
        self.check_rule(agent_rules.init_starts_afresh)

    def test_instances_share_nothing(self) -> None:
        self.check_rule(agent_rules.instances_share_nothing)

    def test_survives_setbacks(self) -> None:
        self.check_rule(agent_rules.survives_setbacks)

    def test_leaves_global_random_alone(self) -> None:
        self.check_rule(agent_rules.leaves_global_random_alone)
