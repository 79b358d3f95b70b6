"""What a model is told: who it is, what is played, and what it sees now.

The text follows from scenario, parameters, id, turn and observations alone, so that a re-run asks the
same question and finds the recorded answer. Changing a word here is a change of format: older recordings no
longer fit.

A model is handed its last exchanges, for many observations make sense only as a sequence. Only turns in
which it gave an action are remembered, as that action; both their number and their length are bounded.
Legal moves are not listed: knowing them is part of playing.
"""

from __future__ import annotations

from collections import deque

from thorp.arena.registry import scenario_parameters
from thorp.arena.task import MatchTask
from thorp.kernel.canonical import Json, canonical_text
from thorp.models.chat import ChatRequest, Message

EXCHANGES_LIMIT = 16
"""How many earlier turns a model is shown."""

MEMORY_CHARACTERS_LIMIT = 16_000
"""How many characters those may take, about 5,000 tokens: a call has to fit its budget on every turn."""

_RULES = (
    "You are a player in a match. Each message tells you the turn and what you observe. "
    "Answer with your action: one JSON object and nothing else."
)


class Prompt:
    """The conversation of one seat with its model."""

    def __init__(self, model: str, agent_id: str, task: MatchTask, briefing: str) -> None:
        self._model = model
        facts = {
            "agentId": agent_id,
            "maxTurns": task.max_turns,
            "parameters": scenario_parameters(task.scenario, task.parameters),
            "scenario": task.scenario,
        }
        parts = [_RULES, briefing, canonical_text(facts)]
        self._system = Message("system", "\n\n".join(part for part in parts if part))
        self._memory: deque[tuple[Message, Message]] = deque(maxlen=EXCHANGES_LIMIT)

    def request(self, turn: int, observation: Json) -> ChatRequest:
        """The question for this turn."""
        remembered = [message for exchange in self._memory for message in exchange]
        return ChatRequest(self._model, (self._system, *remembered, _seen(turn, observation)))

    def remember(self, turn: int, observation: Json, action: Json) -> None:
        """Keep an exchange, and let go of the oldest ones as far as the limits demand."""
        self._memory.append((_seen(turn, observation), Message("assistant", canonical_text(action))))
        while sum(map(_length, self._memory)) > MEMORY_CHARACTERS_LIMIT:
            self._memory.popleft()


def _seen(turn: int, observation: Json) -> Message:
    return Message("user", canonical_text({"turn": turn, "observation": observation}))


def _length(exchange: tuple[Message, Message]) -> int:
    return sum(len(message.content) for message in exchange)
