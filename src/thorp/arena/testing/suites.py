"""The rules as functions to call, and as pytest suites to inherit with one test for each rule.

`docs/writing-scenarios.md` shows both. In a suite each rule is a test of that name:
`test_same_seed_same_bytes` and so on. Tests that a subclass does not ask for (`hidden_choices`,
`ends_within`, `sealed`, `import_paths`, `always_valid`) are not collected for it, so that no test
is skipped, and none passes without checking anything. Nothing here imports pytest.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pkgutil import resolve_name
from typing import Any

from thorp.arena.contract import Agent, MatchConfig, Scenario
from thorp.arena.runner import run_match
from thorp.arena.testing import trial as trials
from thorp.arena.testing.rules import AGENT_RULES, SCENARIO_RULES
from thorp.arena.testing.trial import AgentTrial, MakeAgent, MakeScenario, ScenarioTrial, check_rule
from thorp.kernel.canonical import Json

_RULE = "same-bytes-under-every-hash-seed"
_PROGRAM = "from thorp.arena.testing.suites import play_task; play_task()"

_ASKED_FOR = {
    "test_ends_in_time": "ends_within",
    "test_hidden_choices_stay_hidden": "hidden_choices",
    "test_secrets_decide_what_is_hidden": "sealed",
    "test_same_bytes_under_every_hash_seed": "import_paths",
    "test_actions_are_valid": "always_valid",
}
"""Tests that a subclass has only if this attribute asks for them."""


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
    """Check every rule on the scenarios that `factory()` makes; raise BrokenRule at the first
    broken one.

    Seats are taken by `agents` (each made with its id), or else draw from `actions`. Give one of
    them, or the rules only see odd actions. `hidden_choices` adds the rule for simultaneous moves,
    `ends_within=N` the rule that every match is over after N turns.
    """
    trial = ScenarioTrial(
        make=factory,
        agents=agents or (),
        actions=actions or (),
        matches=matches,
        seed=seed,
        hidden_choices=hidden_choices,
        ends_within=ends_within,
    )
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
    """Check every rule on the agents that `factory(id)` makes; raise BrokenRule at the first broken
    one.

    They play the scenario that `scenario_factory()` makes, against `opponents` or else against
    themselves.
    """
    trial = AgentTrial(
        make=factory,
        make_scenario=scenario_factory,
        opponents=opponents or (),
        matches=matches,
        seed=seed,
        always_valid=always_valid,
    )
    for rule in AGENT_RULES:
        check_rule(rule, trial)


# One log under every hash seed: Python orders sets of strings by a secret that is new in every
# process, unless PYTHONHASHSEED fixes it. Code that iterates over a set, or sorts by hash, plays
# different matches in different processes, which shows only if the match is played in several.


def check_hash_seeds(
    scenario: str,
    agents: Sequence[str],
    *,
    parameters: Mapping[str, Json] | None = None,
    matches: int = 3,
    seed: int = 0,
    max_turns: int = 50,
    hash_seeds: Sequence[str] = ("0", "1", "random"),
) -> None:
    """Play the same matches in one process per hash seed; raise BrokenRule unless all logs are the
    same.

    `scenario` and `agents` are import paths like "package.module:Factory". A scenario is built with
    `parameters` as keywords, an agent with its id.
    """
    task = json.dumps([scenario, list(agents), dict(parameters or {}), matches, seed, max_turns])
    logs = [_logs_under(hash_seed, task) for hash_seed in hash_seeds]
    try:
        for hash_seed, log in zip(hash_seeds[1:], logs[1:], strict=True):
            trials.require_same_log(
                logs[0], log, f"between PYTHONHASHSEED={hash_seeds[0]} and {hash_seed}"
            )
    except trials.BrokenRule as broken:
        broken.rule = _RULE
        raise


def play_task() -> None:
    """Run in the other process: read a task from standard input, play its matches, and write their
    logs to standard output."""
    scenario, agents, parameters, matches, seed, max_turns = json.load(sys.stdin)
    for n in range(matches):
        seated = [
            resolve_name(path)(f"{path.partition(':')[2]}-{seat}")
            for seat, path in enumerate(agents)
        ]
        match = run_match(
            resolve_name(scenario)(**parameters),
            seated,
            MatchConfig(seed=seed + n, max_turns=max_turns),
        )
        sys.stdout.buffer.write(match.jsonl)


def _logs_under(hash_seed: str, task: str) -> bytes:
    """Play a task in a process with this hash seed; return the logs."""
    # The process gets our search path, so that it finds modules that only the test can see.
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=task.encode(),
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
        check=False,
    )
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise trials.BrokenRule(
            f"the match could not be played in a process of its own:\n{said}", _RULE
        )
    return done.stdout


# Suites


class _Suite:
    """The base of both suites, which makes their tests."""

    matches: int = 10
    seed: int = 0

    def __init_subclass__(cls, rules: Sequence[Callable[[Any], None]] = ()) -> None:
        """Give a suite a test for each of its rules. A subclass of a suite hides those that it does
        not ask for from pytest, which ignores what is not callable."""
        for rule in rules:

            def test(self: Any, rule: Callable[[Any], None] = rule) -> None:
                check_rule(rule, self.trial())

            test.__doc__ = rule.__doc__
            setattr(cls, f"test_{rule.__name__}", test)
        for name, option in _ASKED_FOR.items():
            if not rules and hasattr(cls, option):
                method = next(vars(base)[name] for base in cls.__mro__ if vars(base).get(name))
                setattr(cls, name, method if getattr(cls, option) else None)

    def trial(self) -> Any:
        """The trial that the rules are checked on."""
        raise NotImplementedError


class ScenarioSuite(_Suite, rules=SCENARIO_RULES):
    """Inherit, give `make_scenario`, and give `agents` that play it, or `actions` that make sense
    in it."""

    agents: Sequence[MakeAgent] = ()
    actions: Sequence[Json] = ()
    # Seats choose at the same time, and must not see each other's choice.
    hidden_choices: bool = False
    # Every match is over after this many turns, whatever the seats do.
    ends_within: int | None = None
    sealed: bool = False  # The scenario draws what is hidden from a secret.
    import_paths: Sequence[str] = ()
    """The scenario's import path ("package.module:Class"), then those of agents for all its
    seats."""

    def make_scenario(self) -> Scenario:
        """A fresh scenario to be tested."""
        raise NotImplementedError("a ScenarioSuite needs make_scenario()")

    def trial(self) -> ScenarioTrial:
        return ScenarioTrial(
            make=self.make_scenario,
            agents=self.agents,
            actions=self.actions,
            matches=self.matches,
            seed=self.seed,
            hidden_choices=self.hidden_choices,
            ends_within=self.ends_within,
        )

    def test_same_bytes_under_every_hash_seed(self) -> None:
        scenario, *agents = self.import_paths
        check_hash_seeds(scenario, agents, seed=self.seed)


class AgentSuite(_Suite, rules=AGENT_RULES):
    """Inherit, and give `make_agent` and `make_scenario`; without `opponents` it plays against
    itself."""

    opponents: Sequence[MakeAgent] = ()
    always_valid: bool = True  # Its scenario judges all its actions valid.

    def make_agent(self, id: str) -> Agent:
        """A fresh agent to be tested."""
        raise NotImplementedError("an AgentSuite needs make_agent(id)")

    def make_scenario(self) -> Scenario:
        """A fresh scenario that the agent plays."""
        raise NotImplementedError("an AgentSuite needs make_scenario()")

    def trial(self) -> AgentTrial:
        return AgentTrial(
            make=self.make_agent,
            make_scenario=self.make_scenario,
            opponents=self.opponents,
            matches=self.matches,
            seed=self.seed,
            always_valid=self.always_valid,
        )
