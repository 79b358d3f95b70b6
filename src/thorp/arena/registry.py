"""Finds scenarios and bots by name: those that come with Thorp and those of installed packages.

A package adds its own by entry points: in group `thorp.scenarios`, `chess = "pkg.mod:Chess"`; in
group `thorp.agents`, `chess.greedy = "pkg.mod:Greedy"`, the scenario's name and the bot's kind
joined by a dot. A scenario is built with its parameters as keywords, a bot with its id.

Names such as `open-spiel:chess` are games of other projects: see `thorp.arena.exhibition`.
"""

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from msgspec import UNSET

from thorp.arena.agents import BUILT_IN_AGENTS
from thorp.arena.contract import Agent, Scenario
from thorp.arena.exhibition import bots_of, is_exhibited, scenario_factory
from thorp.arena.scenarios import BUILT_IN_SCENARIOS
from thorp.kernel.canonical import Json, canonical_text
from thorp.kernel.errors import IllegalError, InvalidError, ThorpError

SCENARIO_GROUP = "thorp.scenarios"
AGENT_GROUP = "thorp.agents"
# The types of parameters as they are written in JSON and on the command line.
_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    tuple: "a list, such as [1,3,5]",
    list: "a list, such as [1,3,5]",
    dict: "an object",
}


def scenario_names() -> list[str]:
    """Every scenario that can be played: the built-in ones and those of installed packages."""
    return sorted(
        {*BUILT_IN_SCENARIOS, *(point.name for point in entry_points(group=SCENARIO_GROUP))}
    )


def agent_kinds(scenario: str) -> list[str]:
    """The kinds of bots that a scenario has, built in or from installed packages."""
    prefix = f"{scenario}."
    points = (point.name for point in entry_points(group=AGENT_GROUP))
    brought = (name.removeprefix(prefix) for name in points if name.startswith(prefix))
    return sorted({*_built_in_bots(scenario), *brought})


def scenario_parameters(scenario: str, given: Mapping[str, Json]) -> dict[str, Json]:
    """Complete the given parameters with the scenario's defaults. Refuses unknown names and values
    of a wrong type. A parameter whose default is UNSET is there only if it is given; its scenario
    checks the value."""
    defaults = _defaults(_scenario_factory(scenario))
    for name, value in given.items():
        if name not in defaults:
            names = ", ".join(defaults) or "none"
            raise InvalidError(
                f"{scenario} has no parameter {name!r}; it has: {names}", code="parameter"
            )
        if defaults[name] is UNSET:
            continue
        if not _has_type_of(value, defaults[name]):
            kind = _KINDS.get(type(defaults[name]), "text")
            text = canonical_text(value)
            raise InvalidError(
                f"parameter {name} of {scenario} is {kind}, not {text:.80}", code="parameter"
            )
    usual = {name: value for name, value in defaults.items() if value is not UNSET}
    return {**usual, **given}


def make_scenario(scenario: str, parameters: Mapping[str, Json]) -> Scenario:
    """Build a scenario by name. Refuses an unknown name, and parameters that the scenario does not
    take."""
    complete = scenario_parameters(scenario, parameters)
    try:
        built: Scenario = _scenario_factory(scenario)(**complete)
    except ThorpError:
        raise
    except Exception as failure:
        raise InvalidError(
            f"scenario {scenario} refused its parameters: {failure}", code="parameter"
        ) from failure
    return built


def scenario_with_name(logged: str) -> str:
    """Find the scenario whose logs have this name. Refuses a name that no installed scenario
    uses."""
    if is_exhibited(logged):  # Such a game logs the name that it is known by.
        return logged
    for scenario in scenario_names():
        # A scenario that does not load, or has no defaults, cannot have written this log.
        with suppress(ThorpError):
            if make_scenario(scenario, {}).name == logged:
                return scenario
    raise InvalidError(f"no scenario here writes logs named {logged!r}", code="unknown_scenario")


def is_built_in(scenario: str, kind: str) -> bool:
    """Whether this kind of bot comes with Thorp; those play the same from the same seed."""
    return kind in _built_in_bots(scenario)


def make_agent(scenario: str, kind: str, id: str) -> Agent:
    """Build a bot by kind. Refuses a kind that does not play this scenario."""
    built_in: Callable[[str], Agent] | None = _built_in_bots(scenario).get(kind)
    factory = built_in or _load(AGENT_GROUP, f"{scenario}.{kind}")
    if factory is None:
        kinds = ", ".join(agent_kinds(scenario))
        raise InvalidError(
            f"unknown agent {kind!r} for {scenario}; known: {kinds}", code="unknown_agent"
        )
    agent: Agent = factory(id)
    return agent


def _built_in_bots(scenario: str) -> dict[str, Callable[[str], Agent]]:
    """The bots that come with Thorp for this scenario."""
    return BUILT_IN_AGENTS.get(scenario) or bots_of(scenario)


def _scenario_factory(scenario: str) -> Callable[..., Scenario]:
    if is_exhibited(scenario):
        return scenario_factory(scenario)
    factory = BUILT_IN_SCENARIOS.get(scenario) or _load(SCENARIO_GROUP, scenario)
    if factory is None:
        names = ", ".join(scenario_names())
        raise InvalidError(
            f"unknown scenario {scenario!r}; known: {names}", code="unknown_scenario"
        )
    return factory


@cache
def _defaults(factory: Callable[..., Scenario]) -> dict[str, Any]:
    """A scenario's parameters and their defaults, from the signature of its class."""
    parameters = inspect.signature(factory).parameters
    return {name: parameter.default for name, parameter in parameters.items()}


def _load(group: str, name: str) -> Callable[..., Any] | None:
    """Load what an installed package offers under a name; None if none does."""
    for point in entry_points(group=group, name=name):
        try:
            loaded: Callable[..., Any] = point.load()
        except Exception as failure:
            raise IllegalError(
                f"{name}: its package does not load ({type(failure).__name__}: {failure}); mend "
                "or remove it",
                code="entry_point",
            ) from failure
        return loaded
    return None


def _has_type_of(value: Json, default: object) -> bool:
    """Whether a value has the default's type; an integer also fits where a float is expected, and
    a list where the default is a tuple, which JSON does not have."""
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, (int, float)):
        return isinstance(value, (int, float))
    if isinstance(default, tuple):
        return isinstance(value, (list, tuple))
    return isinstance(value, type(default))
