"""What a villager answers when somebody speaks to it.

Whoever whispers to a villager, or names it, is answered; a question to nobody is answered by the
villager that stands nearest. The answer comes the way the question came, in words, and with the
ids in its `data` for machines. `questions` says which question a text is, and `answers` what
is said to it; a villager says only what it knows itself.

Villagers do not answer each other: they have their own ways of telling (`knowledge`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from thorp.protocol.obs import Event, Position
from thorp.village import needs
from thorp.village.questions import Question, Topic, is_question, names_first, read_question

if TYPE_CHECKING:
    from thorp.village.villager import Villager

MOST_WAITING: Final = 8
"""Questions that wait for an answer; more than that is noise."""
PATIENCE_TICKS: Final = 150
"""A question that waited longer is not answered any more: who asked has gone on."""
BREATH_TICKS: Final = 15
"""Between two answers of one villager. The world allows five texts in 50 ticks, and the greeter
needs some of them."""
SAME_TICKS: Final = 100
"""Within this time somebody who asks the same again gets no second answer."""
MOST_REMEMBERED: Final = 64
"""People whose last question is remembered."""
TEXT_LIMIT: Final = 600
"""Characters of an answer: what a listener reads at a glance."""


class Reply(NamedTuple):
    """An answer in words, and its ids for machines."""

    text: str
    data: Mapping[str, Any] = {}


NOT_UNDERSTOOD: Final = Reply(
    "I do not understand. Ask me where something is, what there is to do, what we sell or buy,"
    " who somebody is, or whom I like."
)


class Asked(NamedTuple):
    """A question as it was put to a villager."""

    speaker: str
    text: str
    is_whispered: bool
    tick: int
    question: Question | None
    """None if it was not understood."""


class Conversation:
    """The questions put to one villager, until they are answered."""

    def __init__(self) -> None:
        self.answer: Callable[[Villager, Asked], Reply] = _not_understood
        """What is said to a question."""
        self.puzzles: deque[Asked] | None = None
        """Questions that no rule understands, for a language model to answer; None where there is
        no model, and the villager says itself that it does not understand."""
        self.answered = 0
        """How many questions it has answered."""
        self._waiting: deque[Asked] = deque(maxlen=MOST_WAITING)
        self._replies: deque[tuple[Asked, Reply]] = deque(maxlen=MOST_WAITING)
        """What a model has said to puzzles."""
        self._last: dict[str, tuple[str, int]] = {}
        """The last question of each speaker, and its tick."""
        self._spoke_tick = -BREATH_TICKS

    def hear(self, me: Villager, event: Event) -> None:
        """Note a question, if it is for this villager and somebody else than a villager asks."""
        speaker = str(event["from"])
        text = str(event["text"])
        if speaker == me.obs.agent_id or speaker in me.knowledge.ids.values():
            return
        is_whispered = event["channel"] == "WHISPER"
        is_named = names_first(text, me.knowledge.ids) == me.name
        question = read_question(text, me.knowledge.roles, _items(me), me=me.name)
        if not (is_whispered or is_named or _is_nearest(me, event, question)):
            return
        if question is None and not is_question(text):
            return
        last = self._last.get(speaker)
        if last is not None and last[0] == text and me.tick < last[1] + SAME_TICKS:
            return
        self._last.pop(speaker, None)
        self._last[speaker] = (text, me.tick)
        while len(self._last) > MOST_REMEMBERED:
            del self._last[next(iter(self._last))]
        asked = Asked(
            speaker=speaker,
            text=text,
            is_whispered=is_whispered,
            tick=me.tick,
            question=question,
        )
        if question is None and self.puzzles is not None:
            self.puzzles.append(asked)
        else:
            self._waiting.append(asked)

    def solve(self, me: Villager, asked: Asked, text: str) -> None:
        """Take a model's answer to a puzzle; it is said with the next observation."""
        self._replies.append((asked, Reply(text)))
        me.wake_tick = 0

    def answers(self, me: Villager) -> list[dict[str, Any]]:
        """The next answer as an action, if one is due."""
        if me.tick < self._spoke_tick + BREATH_TICKS:
            return []
        while self._waiting or self._replies:
            if self._replies:
                asked, reply = self._replies.popleft()
            else:
                asked = self._waiting.popleft()
                reply = self.answer(me, asked)
            if me.tick <= asked.tick + PATIENCE_TICKS:
                self._spoke_tick = me.tick
                self.answered += 1
                return [_spoken(asked, reply)]
        return []

    @property
    def is_pending(self) -> bool:
        """Whether something is still to be said."""
        return bool(self._waiting or self._replies)


def _not_understood(_: Villager, __: Asked) -> Reply:
    return NOT_UNDERSTOOD


def _spoken(asked: Asked, reply: Reply) -> dict[str, Any]:
    action: dict[str, Any] = {"type": "SAY", "channel": "LOCAL", "text": reply.text[:TEXT_LIMIT]}
    if asked.is_whispered:
        action = {"type": "WHISPER", "to": asked.speaker, "text": reply.text[:TEXT_LIMIT]}
    return action | {"data": dict(reply.data)} if reply.data else action


def _is_nearest(me: Villager, event: Event, question: Question | None) -> bool:
    """Whether a question to nobody by name is this villager's to answer.

    Nobody answers a greeting or thanks that may be meant for somebody else.
    """
    if event["channel"] != "LOCAL" or question is None or question.topic in _TO_ANYBODY:
        return False
    if names_first(str(event["text"]), me.knowledge.ids):
        return False
    people = {thing.id: thing.pos for thing in me.obs.entities if thing.type == "AGENT"}
    there = people.get(event["from"])
    if there is None:
        return False
    villagers = {
        villager: people[villager] for villager in me.knowledge.ids.values() if villager in people
    }
    villagers[me.obs.agent_id] = me.position
    nearest = min(villagers, key=lambda villager: (_steps(villagers[villager], there), villager))
    return nearest == me.obs.agent_id


def _steps(one: Position, other: Position) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def _items(me: Villager) -> list[str]:
    return [*me.knowledge.spare, *needs.TARGETS, *me.knowledge.wanted, *me.recipes]


_TO_ANYBODY: Final = (Topic.GREETING, Topic.PARTING, Topic.THANKS, Topic.FEELING)
