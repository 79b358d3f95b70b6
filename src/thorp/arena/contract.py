"""The match contract: what an agent, a scenario and a match are.

Any object with the members of `Agent` or `Scenario` fits; no base class is needed. Observations,
actions, feedback and summaries are JSON values. An agent gets a copy of the observation that was
logged, and the scenario gets the action as it was logged, so nothing that either does later can
change the log.

A scenario must judge *any* JSON value as an action, null included, and answer `valid=False` if it
is not a move. All its randomness comes from the seed that `init` gets. `docs/writing-scenarios.md`
lists its optional members: to_act, end_turn, observation_log, seats, briefing, answer_guide,
chooser, is_plain, sealed with init_sealed, ranking, and parameters_from.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from html import escape
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

import msgspec

from thorp.kernel.canonical import Json, read_text

State: TypeAlias = Any
Reason: TypeAlias = Literal["completed", "maxTurnsReached", "error", "interrupted"]


class AnswerGuide(Protocol):
    """Says what an agent may answer, for whoever asks a language model. It belongs to one seat, and
    is given its observations in order. A match is the same with it and without."""

    def take(self, observation: Json) -> None:
        """Take in the next observation."""

    def schema(self) -> dict[str, Json]:
        """The JSON schema of an answer to it."""

    def instead_of(self, action: Json) -> str:
        """What could be answered instead of an action that was refused; may be empty."""


class Chooser(Protocol):
    """Turns observations into questions with letters for answers, for whoever asks a language
    model. It belongs to one seat, and is given its observations in order. A match is the same with
    it and without."""

    @property
    def rules(self) -> str:
        """What a model is told first; always the same."""

    def take(self, observation: Json) -> None:
        """Take in the next observation."""

    @property
    def letters(self) -> str:
        """The letters of the options that there are now; at least one."""

    def prompt(self) -> str:
        """What a model is told about this moment."""

    def choose(self, letter: str) -> Json:
        """The action of the option with this letter, which is taken. Refuses another letter."""


Level: TypeAlias = Literal["json", "choices"]
"""How models are asked: for an action as a JSON object, or for the letter of an option."""


class AgentConfig(msgspec.Struct, frozen=True):
    """What an agent learns before the match: its id, its own seed, and in a sealed match the
    commitment to the secret that hidden values are drawn from."""

    agent_id: str
    seed: int
    commitment: str | None = None


class AgentContext(msgspec.Struct, frozen=True):
    """What an agent gets with every turn. `rng()` draws from the agent's own stream, in [0, 1).

    `feedback` is the verdict on the agent's last action: `{"turn": 3, "valid": False, "feedback":
    …}`, whose inner `feedback` is the scenario's. A turn in which the agent failed counts as
    refused, with `{"error": message}`. It is None before the first verdict.
    """

    rng: Callable[[], float]
    turn: int
    agent_id: str
    feedback: dict[str, Json] | None = None


class Adjudication(msgspec.Struct, frozen=True):
    """A scenario's verdict on one action, and the state that follows."""

    valid: bool
    feedback: Json
    state: State


class MatchConfig(msgspec.Struct, frozen=True):
    """`seed` is any number; without a `match_id` one is drawn from it.

    With a `secret` of 32 bytes a sealed scenario draws hidden values from it; the commitment then
    also covers `parameters`, those the scenario was built with.
    """

    seed: float
    max_turns: float = 100
    match_id: str | None = None
    secret: bytes | None = None
    parameters: dict[str, Json] = {}


@runtime_checkable
class Agent(Protocol):
    """A player: `init` before the first turn, then one `act` for each of its turns."""

    @property
    def id(self) -> str:
        """The name under which the log knows the agent; it never changes during a match."""
        ...

    def init(self, config: AgentConfig) -> None:
        """Prepare for one match. An agent that plays again is prepared again."""
        ...

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        """Answer an observation with an action. Any JSON value is taken and judged; raising costs
        the turn."""
        ...


@runtime_checkable
class Scenario(Protocol):
    """The rules of a game: it shows each agent its view, judges actions and keeps the score."""

    @property
    def name(self) -> str:
        """The name of the game, under which the log and the command line know it."""
        ...

    def init(self, seed: int, agent_ids: Sequence[str]) -> State:
        """The state before the first turn. Everything random follows from the seed."""
        ...

    def observe(self, state: State, agent_id: str) -> Json:
        """The part of the state that this agent may see."""
        ...

    def adjudicate(self, state: State, agent_id: str, action: Json) -> Adjudication:
        """Judge any JSON value as this agent's action; the verdict holds the state that follows.
        A refused action leaves the state as it was."""
        ...

    def is_terminal(self, state: State) -> bool:
        """Whether the match is over. Asked before every seat."""
        ...

    def score(self, state: State) -> Mapping[str, float]:
        """The points of every agent at the end; more is better."""
        ...

    def summarize(self, state: State) -> Json:
        """The part of the state that the log keeps after each turn, for whoever reads it."""
        ...


class SimpleAgent:
    """A base class for agents without state of their own: it has an id, and prepares nothing."""

    def __init__(self, id: str) -> None:
        self.id = id

    def init(self, config: AgentConfig) -> None:
        """Does nothing: each observation holds everything that the agent needs."""


class MatchResult(msgspec.Struct, kw_only=True, eq=False, dict=True):
    """A finished match. `jsonl` is the whole log; `error` says why a scenario failed, if it did.
    `diagnostics` are for people: by id, the end of an external agent's standard error, say."""

    match_id: str
    seed: float
    scores: dict[str, float]
    turns: int
    reason: Reason
    jsonl: bytes
    error: str | None
    contents: dict[str, bytes]
    diagnostics: dict[str, str] = {}

    @cached_property
    def events(self) -> list[dict[str, Json]]:
        """The log as values, one a line."""
        return [read_text(line) for line in self.jsonl.split(b"\n")[:-1]]

    def __repr__(self) -> str:
        return (
            f"MatchResult({self.match_id!r}, {self.reason}, turns={self.turns}, "
            f"scores={self.scores})"
        )

    def _repr_html_(self) -> str:
        """The result in a notebook: who played, and how it ended. What others have written stands
        in it as text."""
        rows = "".join(
            f"<tr><td>{escape(agent)}</td><td>{escape(str(score))}</td></tr>"
            for agent, score in self.scores.items()
        )
        failure = f"<p>{escape(self.error)}</p>" if self.error else ""
        return (
            f"<p>{escape(self.match_id)}: {escape(str(self.reason))} after {self.turns} turns</p>"
            f"<table><thead><tr><th>agent</th><th>score</th></tr></thead><tbody>{rows}</tbody>"
            f"</table>{failure}"
        )


class Seat(msgspec.Struct, frozen=True):
    """One seat: the agent's id, and where the agent comes from (see
    `thorp.arena.external.spec`)."""

    id: str
    spec: str


USUAL_MAX_TURNS = 1000
"""How many turns a match has at most if nobody says it."""


class Limits(msgspec.Struct, frozen=True):
    """What an external agent may use. Bots that run in process are trusted and not limited."""

    turn_seconds: float = 10.0
    match_seconds: float = 300.0
    memory_mib: int = 1024
    model_calls: int = 200
    model_tokens: int = 200_000


class MatchTask(msgspec.Struct, frozen=True):
    """A match as data, names and numbers only: a worker can rebuild it, and a manifest can record
    it."""

    scenario: str
    seats: tuple[Seat, ...]
    seed: int
    max_turns: int
    parameters: dict[str, Json] = {}
    match_id: str | None = None
    limits: Limits = Limits()
    secret: str | msgspec.UnsetType = msgspec.UNSET
    """In hexadecimal. Only sealed matches have one; other manifests leave the field out."""
    level: Level | msgspec.UnsetType = msgspec.UNSET
    """How its models are asked, where that was said; else `local` chooses if it can, and others
    answer in JSON."""
