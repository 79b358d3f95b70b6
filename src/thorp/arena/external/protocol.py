"""The messages between the runner and an external agent, version 1, as `docs/agents.md` shows them.

Each is a JSON object with a `type`. A reply repeats its turn, so that a late one is recognised and
dropped. Over HTTP each of the runner's messages repeats the content of `init`, so that a server
need not keep state.

A turn ends at its own limit or when the match's time is used up, whichever comes first. Only the
time in which the runner waits for this seat counts, not its start-up.
"""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

from thorp.arena.contract import AgentConfig, AgentContext, Limits, MatchTask
from thorp.arena.registry import scenario_parameters
from thorp.kernel.canonical import DEPTH_LIMIT, Json, insertion_bytes
from thorp.kernel.errors import InvalidError, ThorpError
from thorp.models.decode import DecodeError, decode_json

PROTOCOL = 1
WORLD = "world"  # Stands for a scenario's name in the `init` of an agent in a served world.
END = insertion_bytes({"type": "end"})

START_SECONDS = 30.0
"""How long an agent may take until it is ready. This is not the turn limit: an interpreter and its
libraries take seconds to load even for an agent that then answers in milliseconds."""
SECONDS_LIMIT = 86_400.0  # The longest limit: one day. An endless one would not be a limit.


class AgentFailure(ThorpError):
    """An external agent did not act. The message goes into the log, so it must be the same in every
    run."""

    code = "agent"


class RunnerMessages:
    """Writes the messages from the runner to an agent in another process."""

    def __init__(self, task: MatchTask) -> None:
        limits = task.limits
        name = task.scenario
        parameters = {} if name == WORLD else scenario_parameters(name, task.parameters)
        self._match: dict[str, Json] = {"scenario": name, "parameters": parameters}
        self._more: dict[str, Json] = {
            "maxTurns": task.max_turns,
            "limits": {
                "turnSeconds": limits.turn_seconds,
                "matchSeconds": limits.match_seconds,
                "memoryMib": limits.memory_mib,
            },
        }

    def init(self, config: AgentConfig) -> bytes:
        """The message that opens a match for a seat."""
        return insertion_bytes({"type": "init", **self._seat(config), **self._match, **self._more})

    def self_contained_act(
        self, config: AgentConfig, observation: Json, ctx: AgentContext
    ) -> bytes:
        """The `act` message for HTTP: it repeats the seat and the match, so that a server can
        answer it without having kept anything."""
        head = {"type": "act", **self._seat(config), "turn": ctx.turn, **self._match}
        return insertion_bytes({**head, **_perceived(observation, ctx)})

    def _seat(self, config: AgentConfig) -> dict[str, Json]:
        seat: dict[str, Json] = {
            "protocol": PROTOCOL,
            "agentId": config.agent_id,
            "seed": config.seed,
        }
        return seat if config.commitment is None else {**seat, "commitment": config.commitment}


def act_message(observation: Json, ctx: AgentContext) -> bytes:
    """The message that asks an agent for its action in a turn."""
    return insertion_bytes({"type": "act", "turn": ctx.turn, **_perceived(observation, ctx)})


def _perceived(observation: Json, ctx: AgentContext) -> dict[str, Json]:
    """What an agent learns in a turn: its observation, and the verdict on its last action if there
    is one."""
    if ctx.feedback is None:
        return {"observation": observation}
    return {"observation": observation, "feedback": ctx.feedback}


def read_message(data: bytes) -> dict[str, Json]:
    """Decode an agent's reply; anything but a JSON object is the agent's failure."""
    try:
        message = decode_json(data)
    except DecodeError as failure:
        if failure.code == "depth":
            # The words that the log's writer uses for a value that is too deep.
            raise AgentFailure(f"nested deeper than {DEPTH_LIMIT} levels, or a cycle") from None
        raise AgentFailure("the reply is not JSON") from None
    if not isinstance(message, dict):
        raise AgentFailure("the reply is not a JSON object")
    return message


def check_ready(message: dict[str, Json]) -> None:
    """Refuse an answer to init that is not `ready` in our protocol."""
    if message.get("type") == "error":
        raise AgentFailure(_error_text(message))
    if message.get("type") != "ready":
        raise AgentFailure("the agent did not answer init with ready")
    if message.get("protocol") != PROTOCOL:
        raise AgentFailure(f"the agent does not speak protocol {PROTOCOL}")


def is_late(message: dict[str, Json], turn: int) -> bool:
    """Whether a message answers an earlier turn."""
    answered = message.get("turn")
    return type(answered) is int and answered < turn


def take_action(message: dict[str, Json], turn: int) -> Json:
    """Return the action in a reply, which must answer this turn."""
    kind = message.get("type")
    if kind not in ("action", "error"):
        raise AgentFailure("the reply is neither an action nor an error")
    answered = message.get("turn")
    if type(answered) is not int or answered != turn:
        raise AgentFailure(f"the reply does not answer turn {turn}")
    if kind == "error":
        raise AgentFailure(_error_text(message))
    if "action" not in message:
        raise AgentFailure("the reply holds no action")
    return message["action"]


def _error_text(message: dict[str, Json]) -> str:
    text = message.get("message")
    return text if isinstance(text, str) else "the agent reports an error without a message"


def check_limits(limits: Limits) -> None:
    """Refuse limits that are not positive, or not finite."""
    for name in ("turn_seconds", "match_seconds"):
        seconds = getattr(limits, name)
        if not (math.isfinite(seconds) and 0 < seconds <= SECONDS_LIMIT):
            raise InvalidError(
                f"{name} must be above 0 and at most {SECONDS_LIMIT:g}", code="limits"
            )
    for name, least in (("memory_mib", 1), ("model_calls", 0), ("model_tokens", 0)):
        if getattr(limits, name) < least:
            raise InvalidError(f"{name} must be at least {least}", code="limits")


class TimeBudget:
    """The time that one seat has left. `awaited` is the word for what the runner waits for, in
    messages: action or reply."""

    def __init__(self, limits: Limits, awaited: str) -> None:
        self._limits = limits
        self._left = limits.match_seconds
        self._awaited = awaited

    @property
    def used_up(self) -> bool:
        """Whether the seat has used up its time for the match."""
        return self._left <= 0

    @contextmanager
    def turn(self) -> Iterator[float]:
        """Time one turn; yields its deadline on the monotonic clock. A TimeoutError inside becomes
        an AgentFailure that says which limit it was."""
        if self.used_up:
            raise self._exhausted()
        started = time.monotonic()
        try:
            yield started + min(self._limits.turn_seconds, self._left)
        except TimeoutError:
            if self._left <= self._limits.turn_seconds:
                self._left = 0
                raise self._exhausted() from None
            raise AgentFailure(
                f"no {self._awaited} within {self._limits.turn_seconds:g} s"
            ) from None
        finally:
            self._left -= time.monotonic() - started

    def _exhausted(self) -> AgentFailure:
        return AgentFailure(f"the match limit of {self._limits.match_seconds:g} s is used up")
