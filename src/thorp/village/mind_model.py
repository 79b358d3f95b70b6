"""The model that chooses for a village's minds: one request a question, in process or beside a
socket.

It is the embedded one with its adapter, as `--agent local` has it; nothing of the model is loaded
here before a block of `serve_mind_model` is entered.
"""

import importlib.util
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from thorp.mind import RULES
from thorp.models import ChatMessage, ChatRequest
from thorp.models.choice import LISTED_BY_LLAMA, REPLY_TOKENS, Choice, ChoiceClient
from thorp.models.embedded import Endpoint, find_model
from thorp.models.embedded.causes import not_installed
from thorp.models.embedded.local import open_local
from thorp.models.embedded.process import RUNTIME
from thorp.village.minds import Question, Reply

REPLY_SECONDS: Final = 60.0
"""How long an answer may take, on a machine that does much else."""


def check_mind_model(name: str = "") -> None:
    """Refuse, with what to do about it, if the model or what runs it is not on this machine."""
    find_model(*filter(None, [name]))
    if importlib.util.find_spec(RUNTIME) is None:
        raise not_installed()


@contextmanager
def serve_mind_model(
    name: str = "", *, waiting: Callable[[float], None] = lambda seconds: None
) -> Iterator["MindModel"]:
    """The model, for as long as the block lasts; by default the one that was tuned for choosing."""
    with open_local(name, chooses=True, waiting=waiting) as endpoint:
        yield MindModel(endpoint)


class MindModel:
    """Asks an endpoint the questions of minds."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.name = endpoint.model
        self.trouble = endpoint.trouble
        self._client = ChoiceClient(endpoint.url, endpoint.key)
        self._client.listed = LISTED_BY_LLAMA
        self._client.trouble = endpoint.trouble

    def choose(self, question: Question) -> Reply:
        """What it answers. Raises ModelError or ModelTimeout."""
        began = time.monotonic()
        choice = self._client.choose(
            self._request(question), question.letters, seconds=REPLY_SECONDS
        )
        return _reply(choice, began)

    async def choose_async(self, question: Question) -> Reply:
        """The same in a running event loop. Cancelling it drops the question."""
        began = time.monotonic()
        choice = await self._client.choose_async(
            self._request(question), question.letters, seconds=REPLY_SECONDS
        )
        return _reply(choice, began)

    def _request(self, question: Question) -> ChatRequest:
        messages = (ChatMessage("system", RULES), ChatMessage("user", question.prompt))
        return ChatRequest(model=self.name, messages=messages, max_tokens=REPLY_TOKENS)


def _reply(choice: Choice, began: float) -> Reply:
    return Reply(
        letter=choice.letter,
        probabilities=choice.probabilities,
        seconds=time.monotonic() - began,
    )
