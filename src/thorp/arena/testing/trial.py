"""Trials: a scenario or an agent under test, and the matches it plays.

A rule of the contract is a function of a trial that raises BrokenRule; the rule's name is the function's,
with hyphens.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Final, TypeAlias, TypeVar

from thorp.arena.action import freeze_action
from thorp.arena.contract import Agent, MatchConfig, MatchResult, Scenario
from thorp.arena.runner import MatchStopped, run_match
from thorp.arena.testing.players import ODD_VALUES, Interceptor, RandomPicker, intercepted, odd_versions
from thorp.kernel.canonical import Json

MakeScenario: TypeAlias = Callable[[], Scenario]
MakeAgent: TypeAlias = Callable[[str], Agent]
MakePlayers: TypeAlias = Callable[[], list[Agent]]
Trial = TypeVar("Trial")

TURNS: Final = 50
"""How many turns a trial match has at most, unless the scenario promises an end."""
_IDS: Final = ("ann", "10", "Zoë B.")
"""Ids that are easy to handle wrongly: one looks like a number, one is not a word."""
_SHOWN: Final = 300


@dataclass(frozen=True)
class ScenarioTrial:
    """A scenario under test. Its seats are taken by `agents` in turn, else by pickers of `actions`."""

    make: MakeScenario
    agents: tuple[MakeAgent, ...] = ()
    actions: tuple[Json, ...] = ()
    matches: int = 20
    seed: int = 0
    hidden_choices: bool = False
    ends_within: int | None = None
    draw_from: str = "the seed that init gets"

    def configs(self, most: int | None = None) -> list[MatchConfig]:
        """The matches to play, each with its own seed."""
        count = self.matches if most is None else min(self.matches, most)
        return [MatchConfig(self.seed + n, self.ends_within or TURNS) for n in range(count)]

    def ids(self) -> list[str]:
        return seat_ids(seat_count(self.make()))

    def players(self) -> list[Agent]:
        """A fresh agent for every seat."""
        ids = self.ids()
        if self.agents:
            return [make(id) for id, make in zip(ids, cycle(self.agents), strict=False)]
        return [RandomPicker(id, self.actions or ODD_VALUES) for id in ids]

    def play(
        self, config: MatchConfig, scenario: Scenario | None = None, agents: Sequence[Agent] | None = None
    ) -> MatchResult:
        """One match, with a fresh scenario and fresh players unless they are given."""
        return run_match(scenario or self.make(), agents or self.players(), config)

    def play_intercepted(self, intercept: Interceptor, players: MakePlayers | None = None) -> None:
        """Play all matches with `intercept` around every call of the scenario."""
        for config in self.configs():
            self.play(config, intercepted(self.make(), intercept), (players or self.players)())

    def sample_actions(self) -> list[Json]:
        """Actions that make sense: the given ones, and what the players do in one match."""
        events = self.play(self.configs()[0]).events
        return [*self.actions, *(event["action"] for event in events if event["type"] == "ActionSubmitted")]

    def odd_actions(self) -> list[Json]:
        """Actions that make little sense, as a scenario gets to see them."""
        versions = [version for action in self.sample_actions()[:3] for version in odd_versions(action)]
        return [freeze_action(action)[1] for action in (*ODD_VALUES, *versions)]


@dataclass(frozen=True)
class AgentTrial:
    """An agent under test, in a scenario that it plays; the other seats are taken by `opponents` in turn."""

    make: MakeAgent
    make_scenario: MakeScenario
    opponents: tuple[MakeAgent, ...] = ()
    matches: int = 20
    seed: int = 0
    always_valid: bool = True
    draw_from: str = "ctx.rng()"

    def configs(self) -> list[MatchConfig]:
        """The matches to play, each with its own seed."""
        return [MatchConfig(self.seed + n, TURNS) for n in range(self.matches)]

    def own(self, config: MatchConfig) -> Agent:
        """A fresh agent for this match: in every match it has another seat."""
        return self.make(self.own_id(config))

    def own_id(self, config: MatchConfig) -> str:
        ids = seat_ids(seat_count(self.make_scenario()))
        return ids[int(config.seed) % len(ids)]

    def other(self, config: MatchConfig) -> MatchConfig:
        """Another match, with the agent in the same seat."""
        return MatchConfig(config.seed + 1_000 * seat_count(self.make_scenario()), config.max_turns)

    def play_intercepted(self, intercept: Interceptor) -> None:
        """Play all matches with `intercept` around every call of the agent."""
        for config in self.configs():
            self.play(config, intercepted(self.own(config), intercept))

    def play(
        self, config: MatchConfig, agent: Agent | None = None, others: Callable[[Agent], Agent] | None = None
    ) -> MatchResult:
        """One match, with a fresh agent unless it is given; `others` may wrap the opponents."""
        scenario, own = self.make_scenario(), self.own_id(config)
        ids, makers = seat_ids(seat_count(scenario)), cycle(self.opponents or (self.make,))
        seated: list[Agent] = []
        for id, make in zip(ids, makers, strict=False):
            other = others or (lambda same: same)
            seated.append((agent or self.make(id)) if id == own else other(make(id)))
        return run_match(scenario, seated, config)


def seat_count(scenario: Scenario) -> int:
    """Two seats, or the nearest number that the scenario takes."""
    fewest, most = getattr(scenario, "seats", (1, None))
    count: int = max(fewest, 2)
    return count if most is None else min(count, most)


def seat_ids(count: int) -> list[str]:
    return [*_IDS, *(f"seat-{n}" for n in range(len(_IDS), count))][:count]


class BrokenRule(AssertionError, MatchStopped):
    """A scenario or an agent breaks a rule. `rule` is its name, `message` says how. It ends the match."""

    def __init__(self, message: str, rule: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"


def check_rule(rule: Callable[[Trial], None], trial: Trial) -> None:
    """Check one rule; a BrokenRule that it raises gets the rule's name."""
    try:
        rule(trial)
    except BrokenRule as broken:
        broken.rule = rule_name(rule)
        raise


def rule_name(rule: Callable[..., None]) -> str:
    return rule.__name__.replace("_", "-")


def short_repr(value: object) -> str:
    """The repr of a value, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def require_same_log(expected: MatchResult | bytes, actual: MatchResult | bytes, circumstance: str) -> None:
    """Raise BrokenRule unless two logs are the same to the byte; show the first different line."""
    before, after = (log if isinstance(log, bytes) else log.jsonl for log in (expected, actual))
    if before == after:
        return
    left, right = before.decode().split("\n"), after.decode().split("\n")
    parted = (n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
    line = next(parted, min(len(left), len(right)) - 1)
    raise BrokenRule(
        f"the log changed {circumstance}; line {line + 1} should be\n"
        f"  {left[line][:_SHOWN]}\nbut is\n  {right[line][:_SHOWN]}"
    )
