"""A language model that chooses: it is asked for one letter a turn, where a scenario has a
`chooser`.

A question holds the whole moment, so nothing is remembered between turns, and a re-run makes the
same requests. A turn with one option needs no question.
"""

import time
from typing import Final

from thorp.arena.contract import AgentConfig, AgentContext, Chooser
from thorp.arena.external.protocol import AgentFailure, TimeBudget
from thorp.kernel.canonical import Json, insertion_copy
from thorp.kernel.errors import ThorpError
from thorp.models.chat import ChatMessage, ChatRequest, ModelError, ModelTimeout, Reply
from thorp.models.choice import REPLY_TOKENS, ChoiceClient
from thorp.models.client import Budget
from thorp.models.recording import Recording

MAX_FAILURES: Final = 5
"""After so many turns in a row without a choice the model is not asked any more: a match of
hundreds of turns would else wait for each of them."""


class ChoosingAgent:
    """A model that answers with the letter of an option. Without a client every answer comes from
    the recording."""

    def __init__(
        self,
        id: str,
        model: str,
        chooser: Chooser,
        client: ChoiceClient | None,
        replies: Recording,
        *,
        time: TimeBudget,
        budget: Budget,
    ) -> None:
        self.id = id
        self.diagnostics = ""
        self._model = model
        self._chooser = chooser
        self._client = client
        self._replies = replies
        self._time = time
        self._budget = budget
        self._rules = ChatMessage("system", chooser.rules)
        self._failures = 0

    def init(self, config: AgentConfig) -> None:
        """Does nothing: each question tells all there is."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        self._chooser.take(observation)
        letters = self._chooser.letters
        letter = letters if len(letters) == 1 else self._ask(letters)
        return insertion_copy(self._chooser.choose(letter))[1]

    def _ask(self, letters: str) -> str:
        """The model's letter. Raises a ThorpError if there is none."""
        if self._failures >= MAX_FAILURES:
            raise AgentFailure(
                f"the model made no choice {MAX_FAILURES} times in a row, and is not asked any more"
            )
        question = ChatMessage("user", self._chooser.prompt())
        request = ChatRequest(
            model=self._model, messages=(self._rules, question), max_tokens=REPLY_TOKENS
        )
        try:
            reply = self._replies.answer(self.id, request, lambda: self._call(request, letters))
            if len(reply.text) != 1 or reply.text not in letters:
                raise AgentFailure("the recorded reply names none of the options")
        except ThorpError:
            self._failures += 1
            raise
        self._failures = 0
        return reply.text

    def _call(self, request: ChatRequest, letters: str) -> Reply:
        assert self._client is not None, "a recording that answers never calls"
        with self._time.turn() as deadline:
            try:
                left = deadline - time.monotonic()
                choice = self._client.choose(request, letters, seconds=left, budget=self._budget)
            except ModelTimeout as failure:
                self.diagnostics = failure.detail
                raise TimeoutError from None
            except ModelError as failure:
                self.diagnostics = failure.detail
                raise
        return Reply(choice.letter, choice.tokens_in, choice.tokens_out)
