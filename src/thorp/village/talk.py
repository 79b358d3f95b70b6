"""A language model answers what villagers do not understand by rule, in their words.

It is used where `$THORP_VILLAGE_MODEL` names a model, and by villagers behind sockets only: what a
model says is no function of the seed. It may speak, and nothing else. One question is asked at a
time, each villager waits with a few, and a run has its budget; when the model fails or the budget
is spent, the villager says that it does not understand, as it does without a model.
"""

import asyncio
import logging
import os
from collections import deque
from collections.abc import Mapping
from typing import Final

from thorp.kernel.errors import ThorpError
from thorp.models import Budget, ChatClient, ChatMessage, ChatRequest
from thorp.village import answers
from thorp.village.conversation import TEXT_LIMIT, Asked
from thorp.village.villager import Villager
from thorp.village.words import goods

_log = logging.getLogger(__name__)

MODEL_VARIABLE: Final = "THORP_VILLAGE_MODEL"
MOST_PUZZLES: Final = 3
"""Questions that wait for the model, of one villager; further ones push the oldest out."""
REPLY_TOKENS: Final = 120
"""Two or three sentences."""
CALL_SECONDS: Final = 25.0
"""A question is forgotten after 150 ticks, which are 30 seconds at the usual rate."""
CALLS: Final = 500
TOKENS: Final = 400_000
"""What one run of the village may spend on talk."""
LOOK_SECONDS: Final = 0.25
_INSTRUCTIONS: Final = (
    "You are {name}, the {trade} of the small village of Thorp. Answer the stranger who speaks to"
    " you in one or two short plain sentences, as {name}. Say only what follows from these facts;"
    " if they do not tell, say that you do not know.\n{facts}"
)


class Talker:
    """Answers the puzzles of all villagers of a process by one model."""

    def __init__(self, client: ChatClient, model: str) -> None:
        self._client = client
        self._model = model
        self._budget = Budget(calls=CALLS, tokens=TOKENS)
        self._villagers: list[Villager] = []
        self._is_calling = False

    @property
    def is_asked(self) -> bool:
        """Whether a question waits for the model, or for its answer."""
        return self._is_calling or any(me.conversation.puzzles for me in self._villagers)

    def listen_to(self, me: Villager) -> None:
        """Take over what this villager does not understand."""
        me.conversation.puzzles = deque(maxlen=MOST_PUZZLES)
        self._villagers.append(me)

    async def run(self) -> None:
        """Answer one question after the other, until cancelled."""
        while True:
            for me in self._villagers:
                if me.conversation.puzzles:
                    await self._answer(me, me.conversation.puzzles.popleft())
            await asyncio.sleep(LOOK_SECONDS)

    async def _answer(self, me: Villager, asked: Asked) -> None:
        request = question_to_model(self._model, me, asked)
        self._is_calling = True
        try:
            reply = await asyncio.to_thread(
                self._client.complete, request, seconds=CALL_SECONDS, budget=self._budget
            )
            text = spoken_line(reply.text)
        except ThorpError as problem:
            _log.warning("%s could not ask the model: %s", me.name, problem)
            text = ""
        finally:
            self._is_calling = False
        me.conversation.solve(me, asked, text or me.conversation.answer(me, asked).text)


def talker_from_environment(environ: Mapping[str, str] = os.environ) -> Talker | None:
    """The talker that the environment names; None if it names no model."""
    model = environ.get(MODEL_VARIABLE, "")
    return Talker(ChatClient.from_environment(environ), model) if model else None


def question_to_model(model: str, me: Villager, asked: Asked) -> ChatRequest:
    """What a villager knows, and the stranger's words."""
    instructions = _INSTRUCTIONS.format(name=me.name, trade=me.trade, facts=_facts(me))
    messages = (ChatMessage("system", instructions), ChatMessage("user", asked.text[:TEXT_LIMIT]))
    return ChatRequest(model=model, messages=messages, max_tokens=REPLY_TOKENS)


def _facts(me: Villager) -> str:
    neighbours = ", ".join(f"{name} ({trade})" for name, trade in me.knowledge.trades.items())
    hour = int(me.obs.world.time_of_day * 24)
    facts = (
        f"It is {hour}:00 on day {me.today + 1}; the weather is {me.obs.world.weather.lower()}.",
        f"You are doing this: {me.intent}",
        f"Your neighbours: {neighbours}.",
        *answers.character(me),
        f"The store wants {goods(me.knowledge.wanted)}.",
        f"The store can spare {goods(me.knowledge.spare)}.",
        "The store, the contract terminal, the board, the bench and the forge are on the plaza.",
        "Newcomers who do one of Maud's small jobs are invited, become citizens and get a plot.",
    )
    return "\n".join(facts)


def spoken_line(text: str) -> str:
    """A model's text as one line that a villager can say."""
    printable = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(printable.split())[:TEXT_LIMIT]
