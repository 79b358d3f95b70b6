"""Players for trial matches: random, failing, odd or interrupted ones, and interceptors around any call.

An interceptor gets the call and returns what the caller sees. ODD_VALUES are JSON values that no scenario
expects.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

from thorp.arena.contract import Agent, AgentContext, SimpleAgent
from thorp.kernel.canonical import Json

T = TypeVar("T")


class Call(NamedTuple):
    """A call of a method of the real scenario or agent, which is made by calling it."""

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
    """The agent, with a call of `look` before each of its moves; what `look` raises, the agent raises."""

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

    def replace(ctx: AgentContext, action: Json) -> Json:
        return odd[int(ctx.rng() * len(odd))] if ctx.rng() < 1 / 3 else action

    return instead_of_act(agent, replace)


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
    raise RuntimeError("it fails on purpose")


def fail_sometimes(ctx: AgentContext) -> None:
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
    None, True, False, 0, -1, 1, 0.5, -0.0, 2**31, 2**53 + 1, 10**30, -(10**30), 10**400, 1e308, 5e-324,
    math.nan, math.inf, "", "0", "null", "\x00\u2028\U0001f600", "\ud800", "x" * 10_000,
    [], [[]], [None, True, "x"], list(range(100)),
    {}, {"": None}, {"\udfff": "\ud800"}, {"__proto__": {"x": 1}}, {"0": 0, "-1": -1}, _nested(100),
)  # fmt: skip
"""Every kind of JSON value, ordinary and extreme. NaN, infinities and 10**400 reach a scenario as null."""


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
