"""Asks a model to choose: its answer is one letter, and how probable each of them is.

One request does it: a grammar lets the endpoint answer with nothing but a letter, and the
probabilities of the first token say what it thinks of the others. An endpoint that refuses either
is asked without it; what it says then has to be a letter by itself. Grammar and probabilities
follow from the letters, which the prompt tells, so they are not part of the request's digest.

Endpoints list the most probable of all tokens, and most letters are not among them. llama.cpp can
tell the probabilities among the letters alone: it raises them above all other tokens, all by the
same amount, draws without any filter, and tells what it drew from. What it drew does not count.
"""

import math
from collections.abc import Callable
from typing import ClassVar, Final

import msgspec

from thorp.kernel.canonical import Json
from thorp.models.chat import ChatRequest, ModelError
from thorp.models.client import (
    INSTEAD,
    Budget,
    ChatClient,
    Instead,
    content_text,
    first_of,
    member_of,
    token_count,
)
from thorp.models.decode import DecodeError, decode_json
from thorp.models.http_post import run

REPLY_TOKENS: Final = 1
LISTED: Final = 20
"""How many probabilities are asked for: hosted endpoints refuse more."""
LISTED_BY_LLAMA: Final = 64
"""How many the embedded model is asked for: a letter for each of 52 options, and some others."""
_RAISED: Final = 100  # As good as certain: a model's own preferences differ by 30 at most.
_AROUND: Final = " \t\r\n.:()[]*\"'`"  # What models put around a letter.
_UNBILLED: Final = ("status", "connection", "gone")


class Choice(msgspec.Struct, frozen=True):
    """A letter, and how probable each letter is that the endpoint said something about, the most
    probable first; all together they are 1."""

    letter: str
    probabilities: dict[str, float]
    tokens_in: int
    tokens_out: int
    estimated: bool = False
    """Whether the endpoint gave no sensible count of tokens."""


def _is_there() -> str | None:
    return None


class ChoiceClient(ChatClient):
    """A client for questions whose answer is one letter. `trouble` says why the endpoint is gone,
    if somebody knows: then it is not asked again and again."""

    instead: ClassVar[Instead] = {
        **INSTEAD,
        "grammar": None,
        "top_logprobs": None,
        "logprobs": None,
    }
    listed = LISTED
    trouble: Callable[[], str | None] = staticmethod(_is_there)

    def choose(
        self, request: ChatRequest, letters: str, *, seconds: float, budget: Budget | None = None
    ) -> Choice:
        """The most probable of these letters. Raises ModelError or ModelTimeout, or BudgetError
        before any call is made."""
        reserved = request.prompt_tokens() + self.reply_tokens(request.max_tokens)
        budget = budget or Budget(calls=1, tokens=reserved)
        budget.reserve(reserved)
        try:
            choice = run(self.choose_async(request, letters, seconds=seconds))
        except ModelError as failure:
            if failure.code in _UNBILLED:
                budget.settle(reserved, 0)
            raise
        budget.settle(reserved, choice.tokens_in + choice.tokens_out)
        return choice

    async def choose_async(self, request: ChatRequest, letters: str, *, seconds: float) -> Choice:
        """`choose` in a running event loop, without a budget. Cancelling it drops the request."""
        trouble = self.trouble()
        if trouble is not None:
            raise ModelError("the model is gone", code="gone", detail=trouble)
        weighs_all = self.listed == LISTED_BY_LLAMA
        asked: dict[str, Json] = {
            **request.to_json(),
            "grammar": f"root ::= [{letters}]",
            "logprobs": True,
            "top_logprobs": self.listed,
            **(_among(letters) if weighs_all else {}),
        }
        body, _ = await self._ask(asked, seconds)
        choice = read_choice(body, request, letters)
        if weighs_all and not choice.probabilities:  # its letter was drawn, and not chosen
            raise ModelError("the reply holds no probabilities", code="letter")
        return choice


def _among(letters: str) -> dict[str, Json]:
    """The parameters with which llama.cpp tells the probabilities among the letters alone."""
    return {
        "logit_bias": [[letter, _RAISED] for letter in letters],
        "samplers": [],
        "seed": 0,
        "post_sampling_probs": True,
    }


def read_choice(body: bytes, request: ChatRequest, letters: str) -> Choice:
    """Read an endpoint's answer. Raises ModelError if it names none of the letters."""
    try:
        value = decode_json(body)
    except DecodeError:
        raise ModelError("the reply is not JSON", code="malformed") from None
    choice = first_of(member_of(value, "choices"))
    probabilities = _probabilities(choice, letters)
    letter = next(iter(probabilities), "")
    if not letter:
        text = content_text(member_of(choice, "message", "content"))
        letter = text.strip(_AROUND) if isinstance(text, str) else ""
    if len(letter) != 1 or letter not in letters:
        raise ModelError("the reply names none of the options", code="letter")
    tokens_in = token_count(member_of(value, "usage", "prompt_tokens"))
    tokens_out = token_count(member_of(value, "usage", "completion_tokens"))
    return Choice(
        letter=letter,
        probabilities=probabilities,
        tokens_in=request.prompt_tokens() if tokens_in is None else tokens_in,
        tokens_out=REPLY_TOKENS if tokens_out is None else tokens_out,
        estimated=tokens_in is None or tokens_out is None,
    )


def _probabilities(choice: Json, letters: str) -> dict[str, float]:
    """The probability of each letter among those that the endpoint lists for the first token."""
    first = first_of(member_of(choice, "logprobs", "content"))
    listed = member_of(first, "top_probs") or member_of(first, "top_logprobs")
    weights: dict[str, float] = {}
    for each in listed if isinstance(listed, list) else []:
        token = member_of(each, "token")
        probability = _probability(each)
        if not isinstance(token, str) or probability is None:
            continue
        letter = token.strip()
        if len(letter) == 1 and letter in letters:
            weights[letter] = weights.get(letter, 0.0) + probability
    whole = sum(weights.values())
    if not whole:
        return {}
    ranked = sorted(weights.items(), key=lambda item: (-item[1], letters.index(item[0])))
    return {letter: probability / whole for letter, probability in ranked}


def _probability(listed: Json) -> float | None:
    """The probability of a listed token, told as it is or by its logarithm; None if neither is
    one."""
    probability = member_of(listed, "prob")
    if type(probability) in (int, float):
        return float(probability) if 0 <= probability <= 1 else None
    logarithm = member_of(listed, "logprob")
    if type(logarithm) in (int, float) and -math.inf < logarithm <= 0:
        return math.exp(logarithm)
    return None
