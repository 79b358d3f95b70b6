"""The rules as pytest suites to inherit, one test for each rule; see `docs/writing-scenarios.md`.

Each rule is a test of its name: `test_same_seed_same_bytes` and so on. Rules that a subclass does not ask for
(`hidden_choices`, `ends_within`, `sealed`, `import_paths`, `always_valid`) are not collected for it, so that
nothing is skipped and nothing passes unchecked. Nothing here imports pytest.
"""

from collections.abc import Callable, Sequence
from typing import Any

from thorp.arena.contract import Agent, Scenario
from thorp.arena.testing.hash_seeds import check_hash_seeds
from thorp.arena.testing.rules import AGENT_RULES, SCENARIO_RULES
from thorp.arena.testing.trial import AgentTrial, MakeAgent, ScenarioTrial, check_rule
from thorp.kernel.canonical import Json


class _Suite:
    matches: int = 10
    seed: int = 0

    def trial(self) -> Any:
        """What the rules are checked on."""
        raise NotImplementedError

    @classmethod
    def _choose_tests(cls, wanted: dict[str, bool]) -> None:
        """Include these tests, or hide them from pytest, which ignores what is not callable."""
        for name, include in wanted.items():
            if not include:
                setattr(cls, name, None)
            elif getattr(cls, name) is None:  # hidden in a base class
                setattr(cls, name, next(vars(base)[name] for base in cls.__mro__ if vars(base).get(name)))


class ScenarioSuite(_Suite):
    """Inherit, give `make_scenario`, and give `agents` that play it, or `actions` that make sense in it."""

    agents: Sequence[MakeAgent] = ()
    actions: Sequence[Json] = ()
    hidden_choices: bool = False
    """Seats choose at the same time, and must not see each other's choice."""
    ends_within: int | None = None
    """Every match is over after this many turns, whatever the seats do."""
    sealed: bool = False
    """The scenario draws what is hidden from a secret."""
    import_paths: Sequence[str] = ()
    """The scenario's import path ("package.module:Class"), then those of agents for all its seats."""

    def __init_subclass__(cls) -> None:
        cls._choose_tests(
            {
                "test_ends_in_time": cls.ends_within is not None,
                "test_hidden_choices_stay_hidden": cls.hidden_choices,
                "test_secrets_decide_what_is_hidden": cls.sealed,
                "test_same_bytes_under_every_hash_seed": bool(cls.import_paths),
            }
        )

    def make_scenario(self) -> Scenario:
        raise NotImplementedError("a ScenarioSuite needs make_scenario()")

    def trial(self) -> ScenarioTrial:
        agents, actions = tuple(self.agents), tuple(self.actions)
        shape = (self.matches, self.seed, self.hidden_choices, self.ends_within)
        return ScenarioTrial(self.make_scenario, agents, actions, *shape)

    def test_same_bytes_under_every_hash_seed(self) -> None:
        scenario, *agents = self.import_paths
        check_hash_seeds(scenario, agents, seed=self.seed)


class AgentSuite(_Suite):
    """Inherit, and give `make_agent` and `make_scenario`; without `opponents` it plays against itself."""

    opponents: Sequence[MakeAgent] = ()
    always_valid: bool = True
    """Its scenario judges all its actions valid."""

    def __init_subclass__(cls) -> None:
        cls._choose_tests({"test_actions_are_valid": cls.always_valid})

    def make_agent(self, id: str) -> Agent:
        raise NotImplementedError("an AgentSuite needs make_agent(id)")

    def make_scenario(self) -> Scenario:
        raise NotImplementedError("an AgentSuite needs make_scenario()")

    def trial(self) -> AgentTrial:
        shape = (tuple(self.opponents), self.matches, self.seed, self.always_valid)
        return AgentTrial(self.make_agent, self.make_scenario, *shape)


def _add_tests(suite: type[_Suite], rules: Sequence[Callable[[Any], None]]) -> None:
    """Give a suite a test for each rule."""
    for rule in rules:

        def test(self: _Suite, rule: Callable[[Any], None] = rule) -> None:
            check_rule(rule, self.trial())

        test.__doc__ = rule.__doc__
        setattr(suite, f"test_{rule.__name__}", test)


_add_tests(ScenarioSuite, SCENARIO_RULES)
_add_tests(AgentSuite, AGENT_RULES)
