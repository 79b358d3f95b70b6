"""Checks that a scenario or an agent keeps the contract, for authors to call or to inherit.

    check_scenario(Nim, agents=[Greedy, Perfect])
    check_agent(Perfect, scenario_factory=Nim)
    check_hash_seeds("nim.game:Nim", ["nim.bots:Greedy", "nim.bots:Perfect"])

Each checks every rule in turn and raises BrokenRule, which names the rule and what was seen. For pytest,
`ScenarioSuite` and `AgentSuite` hold the same rules as one test each.
"""

from collections.abc import Sequence

from thorp.arena.testing.hash_seeds import check_hash_seeds
from thorp.arena.testing.players import ODD_VALUES
from thorp.arena.testing.rules import AGENT_RULES, SCENARIO_RULES
from thorp.arena.testing.suites import AgentSuite, ScenarioSuite
from thorp.arena.testing.trial import (
    AgentTrial,
    BrokenRule,
    MakeAgent,
    MakeScenario,
    ScenarioTrial,
    check_rule,
)
from thorp.kernel.canonical import Json

__all__ = [
    "AGENT_RULES", "ODD_VALUES", "SCENARIO_RULES", "AgentSuite", "BrokenRule", "ScenarioSuite",
    "check_agent", "check_hash_seeds", "check_scenario",
]  # fmt: skip


def check_scenario(
    factory: MakeScenario,
    *,
    agents: Sequence[MakeAgent] | None = None,
    actions: Sequence[Json] | None = None,
    matches: int = 20,
    seed: int = 0,
    hidden_choices: bool = False,
    ends_within: int | None = None,
) -> None:
    """Check every rule on the scenarios that `factory()` makes; raise BrokenRule at the first broken one.

    Seats are taken by `agents` (each made with its id), or else draw from `actions`; give one of them, or the
    rules see only nonsense played. `hidden_choices` adds the rule for simultaneous moves, `ends_within=N` the
    rule that every match is over after N turns.
    """
    shape = (matches, seed, hidden_choices, ends_within)
    trial = ScenarioTrial(factory, tuple(agents or ()), tuple(actions or ()), *shape)
    for rule in SCENARIO_RULES:
        check_rule(rule, trial)


def check_agent(
    factory: MakeAgent,
    *,
    scenario_factory: MakeScenario,
    opponents: Sequence[MakeAgent] | None = None,
    matches: int = 20,
    seed: int = 0,
    always_valid: bool = True,
) -> None:
    """Check every rule on the agents that `factory(id)` makes; raise BrokenRule at the first broken one.

    They play the scenario that `scenario_factory()` makes, against `opponents` or else against themselves.
    """
    trial = AgentTrial(factory, scenario_factory, tuple(opponents or ()), matches, seed, always_valid)
    for rule in AGENT_RULES:
        check_rule(rule, trial)
