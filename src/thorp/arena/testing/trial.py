"""Trials: a scenario or an agent under test, the matches it plays, and the players of those
matches.

A rule of the contract is a function of a trial that raises BrokenRule; the rule's name is the
function's, with hyphens. Players may be random, fail, act oddly or be interrupted. An interceptor
is put around every call: it gets the call, and returns what the caller sees. ODD_VALUES are JSON
values that no scenario expects.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

from thorp.arena.action import copy_action
from thorp.arena.contract import (
    Agent,
    AgentContext,
    MatchConfig,
    MatchResult,
    Scenario,
    SimpleAgent,
)
from thorp.arena.runner import MatchStopped, run_match
from thorp.kernel.canonical import Json

T = TypeVar("T")
Trial = TypeVar("Trial")
MakeScenario: TypeAlias = Callable[[], Scenario]
MakeAgent: TypeAlias = Callable[[str], Agent]
MakePlayers: TypeAlias = Callable[[], list[Agent]]

TURNS: Final = 50  # How many turns a trial match has at most, unless the scenario promises an end.
# Easy to handle wrongly: one looks like a number, one is not a word.
_IDS: Final = ("ann", "10", "Zoë B.")
_SHOWN: Final = 300


class Call(NamedTuple):
    """A call of a method of the real scenario or agent. Calling this makes the call."""

    subject: Any
    member: str
    arguments: tuple[Any, ...]

    def __call__(self) -> Any:
        return getattr(self.subject, self.member)(*self.arguments)


Interceptor: TypeAlias = Callable[[Call], Any]


class _Intercepted:
    """Stands for a scenario or an agent; every call of a method goes through `intercept`."""

    def __init__(self, subject: object, intercept: Interceptor) -> None:
        self._subject = subject
        self._intercept = intercept

    def __getattr__(self, member: str) -> Any:
        value = getattr(self._subject, member)
        if not callable(value):
            return value
        return lambda *arguments: self._intercept(Call(self._subject, member, arguments))


def intercepted(subject: T, intercept: Interceptor) -> T:
    """The same scenario or agent, with `intercept` around every call."""
    return cast(T, _Intercepted(subject, intercept))


class RandomPicker(SimpleAgent):
    """Draws every action from a pool."""

    def __init__(self, id: str, pool: Sequence[Json]) -> None:
        super().__init__(id)
        self._pool = pool

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        return self._pool[int(ctx.rng() * len(self._pool))]


def before_act(agent: Agent, look: Callable[[AgentContext], object]) -> Agent:
    """The agent, with a call of `look` before each of its moves. If `look` raises, so does the
    agent."""

    def intercept(call: Call) -> Any:
        if call.member == "act":
            look(call.arguments[1])
        return call()

    return intercepted(agent, intercept)


def instead_of_act(agent: Agent, replace: Callable[[AgentContext, Json], Json]) -> Agent:
    """The agent, with each of its actions replaced by what `replace` returns."""

    def intercept(call: Call) -> Any:
        result = call()
        return replace(call.arguments[1], result) if call.member == "act" else result

    return intercepted(agent, intercept)


def sometimes_odd(agent: Agent, odd: Sequence[Json]) -> Agent:
    """The agent, with every third of its actions replaced by an odd one."""
    n = len(odd)
    return instead_of_act(
        agent, lambda ctx, action: odd[int(ctx.rng() * n)] if ctx.rng() < 1 / 3 else action
    )


def with_choice(agent: Agent, turn: int, choice: Json) -> Agent:
    """The agent, except that in one turn its action is `choice`."""
    return instead_of_act(agent, lambda ctx, action: choice if ctx.turn == turn else action)


def failing_tables(players: Callable[[], list[Agent]]) -> Iterator[tuple[list[Agent], str]]:
    """Yield fresh players of which some fail, and a description of who fails."""
    for seat in range(len(players())):
        for how, wrap in _FAILURES.items():
            table = players()
            table[seat] = wrap(table[seat])
            yield table, f"seat {seat + 1} {how}"
    yield [before_act(agent, fail) for agent in players()], "all seats fail in every turn"
    yield [before_act(agent, fail_sometimes) for agent in players()], "seats fail now and then"


def fail(ctx: AgentContext) -> None:
    """An agent's turn that always raises."""
    raise RuntimeError("it fails on purpose")


def fail_sometimes(ctx: AgentContext) -> None:
    """An agent's turn that raises one time in three."""
    if ctx.rng() < 1 / 3:
        fail(ctx)


def _fail_in_init(call: Call) -> Any:
    return fail(call.arguments[0]) if call.member == "init" else call()


_FAILURES: Final[dict[str, Callable[[Agent], Agent]]] = {
    "fails in every turn": lambda agent: before_act(agent, fail),
    "fails in init": lambda agent: intercepted(agent, _fail_in_init),
}


def _nested(levels: int) -> Json:
    value: Json = 0
    for level in range(levels):
        value = [value] if level % 2 else {"a": value}
    return value


ODD_VALUES: Final[tuple[Json, ...]] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    0.5,
    -0.0,
    2**31,
    2**53 + 1,
    10**30,
    -(10**30),
    10**400,
    1e308,
    5e-324,
    math.nan,
    math.inf,
    "",
    "0",
    "null",
    "\x00\u2028\U0001f600",
    "\ud800",
    "x" * 10_000,
    [],
    [[]],
    [None, True, "x"],
    list(range(100)),
    {},
    {"": None},
    {"\udfff": "\ud800"},
    {"__proto__": {"x": 1}},
    {"0": 0, "-1": -1},
    _nested(100),
)
"""Every kind of JSON value, ordinary and extreme. NaN, infinities and 10**400 reach a scenario as
null."""


def odd_versions(action: Json) -> Iterator[Json]:
    """The action with one member missing, one too many, or one of another kind."""
    yield [action]
    if not isinstance(action, dict):
        return
    yield {**action, "extra": None}
    for name in action:
        yield {key: value for key, value in action.items() if key != name}
        yield {key.upper(): value for key, value in action.items()}
        for value in ODD_VALUES:
            yield {**action, name: value}
        yield {**action, name: [action[name]]}
        yield {**action, name: str(action[name])}


# Trials


@dataclass(frozen=True)
class ScenarioTrial:
    """A scenario under test. Its seats are taken by `agents` in turn, or else by players that draw
    from `actions`."""

    make: MakeScenario
    agents: Sequence[MakeAgent] = ()
    actions: Sequence[Json] = ()
    matches: int = 20
    seed: int = 0
    hidden_choices: bool = False
    ends_within: int | None = None
    draw_from: str = "the seed that init gets"

    def configs(self, most: int | None = None) -> list[MatchConfig]:
        """The matches to play, each with its own seed."""
        count = self.matches if most is None else min(self.matches, most)
        return [
            MatchConfig(seed=self.seed + n, max_turns=self.ends_within or TURNS)
            for n in range(count)
        ]

    def ids(self) -> list[str]:
        """The ids of the seats."""
        return seat_ids(seat_count(self.make()))

    def players(self) -> list[Agent]:
        """A fresh agent for every seat."""
        ids = self.ids()
        if self.agents:
            return [make(id) for id, make in zip(ids, cycle(self.agents), strict=False)]
        return [RandomPicker(id, self.actions or ODD_VALUES) for id in ids]

    def play(
        self,
        config: MatchConfig,
        scenario: Scenario | None = None,
        agents: Sequence[Agent] | None = None,
    ) -> MatchResult:
        """One match, with a fresh scenario and fresh players unless they are given."""
        return run_match(scenario or self.make(), agents or self.players(), config)

    def play_intercepted(self, intercept: Interceptor, players: MakePlayers | None = None) -> None:
        """Play all matches with `intercept` around every call of the scenario."""
        for config in self.configs():
            self.play(config, intercepted(self.make(), intercept), (players or self.players)())

    def sample_actions(self) -> list[Json]:
        """Actions that make sense: the given ones, and those of the players in one match."""
        events = self.play(self.configs()[0]).events
        return [
            *self.actions,
            *(event["action"] for event in events if event["type"] == "ActionSubmitted"),
        ]

    def odd_actions(self) -> list[Json]:
        """Actions that make little sense, in the form in which a scenario gets them."""
        versions = [
            version for action in self.sample_actions()[:3] for version in odd_versions(action)
        ]
        return [copy_action(action)[1] for action in (*ODD_VALUES, *versions)]


@dataclass(frozen=True)
class AgentTrial:
    """An agent under test, in a scenario that it plays; the other seats are taken by `opponents` in
    turn."""

    make: MakeAgent
    make_scenario: MakeScenario
    opponents: Sequence[MakeAgent] = ()
    matches: int = 20
    seed: int = 0
    always_valid: bool = True
    draw_from: str = "ctx.rng()"

    def configs(self) -> list[MatchConfig]:
        """The matches to play, each with its own seed."""
        return [MatchConfig(seed=self.seed + n, max_turns=TURNS) for n in range(self.matches)]

    def own(self, config: MatchConfig) -> Agent:
        """A fresh agent for this match. It takes another seat in each."""
        return self.make(self.own_id(config))

    def own_id(self, config: MatchConfig) -> str:
        """The id of the agent's seat in this match."""
        ids = seat_ids(seat_count(self.make_scenario()))
        return ids[int(config.seed) % len(ids)]

    def other(self, config: MatchConfig) -> MatchConfig:
        """Another match, with the agent in the same seat."""
        return MatchConfig(
            seed=config.seed + 1_000 * seat_count(self.make_scenario()), max_turns=config.max_turns
        )

    def play_intercepted(self, intercept: Interceptor) -> None:
        """Play all matches with `intercept` around every call of the agent."""
        for config in self.configs():
            self.play(config, intercepted(self.own(config), intercept))

    def play(
        self,
        config: MatchConfig,
        agent: Agent | None = None,
        others: Callable[[Agent], Agent] | None = None,
    ) -> MatchResult:
        """One match, with a fresh agent unless it is given; `others` may wrap the opponents."""
        scenario = self.make_scenario()
        own = self.own_id(config)
        ids = seat_ids(seat_count(scenario))
        makers = cycle(self.opponents or (self.make,))
        wrap = others or (lambda same: same)
        seated: list[Agent] = []
        for id, make in zip(ids, makers, strict=False):
            seated.append((agent or self.make(id)) if id == own else wrap(make(id)))
        return run_match(scenario, seated, config)


def seat_count(scenario: Scenario) -> int:
    """Two seats, or the nearest number that the scenario takes."""
    fewest, most = getattr(scenario, "seats", (1, None))
    count: int = max(fewest, 2)
    return count if most is None else min(count, most)


def seat_ids(count: int) -> list[str]:
    """Ids for `count` seats, the first few chosen to be awkward."""
    return [*_IDS, *(f"seat-{n}" for n in range(len(_IDS), count))][:count]


class BrokenRule(AssertionError, MatchStopped):
    """A scenario or an agent breaks a rule. `rule` is the rule's name, `message` says how it was
    broken. It ends the match."""

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
    """A rule's name as reports write it, with hyphens."""
    return rule.__name__.replace("_", "-")


def short_repr(value: object) -> str:
    """The repr of a value, cut to a readable length."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def require_same_log(
    expected: MatchResult | bytes, actual: MatchResult | bytes, circumstance: str
) -> None:
    """Raise BrokenRule unless two logs are the same to the byte; show the first different line."""
    before, after = (log if isinstance(log, bytes) else log.jsonl for log in (expected, actual))
    if before == after:
        return
    left = before.decode().split("\n")
    right = after.decode().split("\n")
    parted = (n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)
    line = next(parted, min(len(left), len(right)) - 1)
    raise BrokenRule(
        f"the log changed {circumstance}; line {line + 1} should be\n"
        f"  {left[line][:_SHOWN]}\nbut is\n  {right[line][:_SHOWN]}"
    )
