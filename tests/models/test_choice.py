"""Choices: what is asked, which letter counts, and what endpoints may answer instead."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.models.loopback import serving
from thorp.mind import LETTERS as MENU_LETTERS
from thorp.models import Budget, BudgetError, ChatMessage, ChatRequest, ModelError
from thorp.models.choice import LISTED, LISTED_BY_LLAMA, ChoiceClient, read_choice

REQUEST = ChatRequest("small", (ChatMessage("user", "a sleep, b eat, C dig"),), max_tokens=1)
LETTERS = "abC"
LETTERS_OF_ALL = "".join(reversed(MENU_LETTERS))


def listing(**logarithms: float) -> list[dict[str, Any]]:
    return [{"token": token, "logprob": number} for token, number in logarithms.items()]


def reply(content: Any = "b", listed: Any = None, usage: Any = None) -> bytes:
    logprobs = None if listed is None else {"content": [{"token": "x", "top_logprobs": listed}]}
    choice = {"message": {"content": content}, "logprobs": logprobs}
    return json.dumps({"choices": [choice], "usage": usage}).encode()


def chosen(*what: Any, **more: Any) -> str:
    return read_choice(reply(*what, **more), REQUEST, LETTERS).letter


def test_the_most_probable_legal_letter_is_taken_whatever_was_said() -> None:
    assert chosen("b", listing(z=-0.1, a=-2.0, b=-1.5, c=-0.2)) == "b"
    assert chosen("b", listing(a=-1.0, C=-0.5)) == "C"
    assert chosen("nonsense", listing(a=-1.0)) == "a"
    # As probable as one another: the first one of the menu.
    assert chosen("b", listing(C=-1.0, a=-1.0)) == "a"


def test_probabilities_of_the_options_are_one_together() -> None:
    choice = read_choice(
        reply("a", listing(a=math.log(0.3), b=math.log(0.1), z=math.log(0.6))), REQUEST, LETTERS
    )
    assert list(choice.probabilities) == ["a", "b"]
    assert choice.probabilities["a"] == pytest.approx(0.75)
    assert sum(choice.probabilities.values()) == pytest.approx(1)


def test_a_letter_with_a_blank_before_it_is_the_same_letter() -> None:
    listed = [{"token": " a", "logprob": -1.0}, {"token": "a", "logprob": -1.0}]
    listed += listing(b=-0.8)
    assert chosen("b", listed) == "a"


@pytest.mark.parametrize("text", ["b", " b\n", "b.", "(b)", "**b**", [{"text": "b"}]])
def test_without_probabilities_the_text_has_to_be_a_letter(text: Any) -> None:
    choice = read_choice(reply(text), REQUEST, LETTERS)
    assert choice.letter == "b"
    assert choice.probabilities == {}


@pytest.mark.parametrize(
    "body",
    [
        reply("c"),
        reply("B"),
        reply("ab"),
        reply(""),
        reply(None),
        reply("eat, of course"),
        reply("z", listing(z=-0.1)),
        reply("z", [{"token": 7, "logprob": -1}, {"token": "a", "logprob": "much"}, None, 3]),
        reply("z", [{"token": "a", "logprob": -math.inf}, {"token": "b", "logprob": 3.5}]),
        b"{}",
        b'{"choices": []}',
    ],
)
def test_what_names_no_option_is_no_choice(body: bytes) -> None:
    if b"Infinity" in body:
        body = body.replace(b"-Infinity", b"-1e400")
    with pytest.raises(ModelError) as failure:
        read_choice(body, REQUEST, LETTERS)
    assert failure.value.code in ("letter", "malformed")


def test_tokens_are_counted_by_the_endpoint_or_estimated() -> None:
    counted = read_choice(
        reply(usage={"prompt_tokens": 9, "completion_tokens": 1}), REQUEST, LETTERS
    )
    assert (counted.tokens_in, counted.tokens_out, counted.estimated) == (9, 1, False)
    guessed = read_choice(reply(usage={"prompt_tokens": -4}), REQUEST, LETTERS)
    assert (guessed.tokens_in, guessed.tokens_out) == (REQUEST.prompt_tokens(), 1)
    assert guessed.estimated


def test_probabilities_among_the_letters_alone_count_as_they_are() -> None:
    """As llama.cpp tells them; what it drew does not count."""
    listed = [{"token": "b", "prob": 0.75}, {"token": "a", "prob": 0.25}, {"token": "C", "prob": 0}]
    logprobs = {"content": [{"token": "a", "top_probs": listed}]}
    body = json.dumps({"choices": [{"message": {"content": "a"}, "logprobs": logprobs}]}).encode()
    choice = read_choice(body, REQUEST, LETTERS)
    assert choice.letter == "b"
    assert choice.probabilities == {"b": 0.75, "a": 0.25, "C": 0.0}
    wrong = body.replace(b"0.75", b"7.5").replace(b"0.25", b'"much"').replace(b": 0}", b": -1}")
    assert read_choice(wrong, REQUEST, LETTERS).probabilities == {}


def test_a_letter_that_was_drawn_is_no_choice() -> None:
    """The embedded model is asked for all probabilities, and draws a letter besides."""
    with strict(()) as (url, asked):
        client = ChoiceClient(url)
        client.listed = LISTED_BY_LLAMA
        with pytest.raises(ModelError, match="no probabilities"):
            client.choose(REQUEST, LETTERS, seconds=10)
    assert asked[0]["logit_bias"] == [["a", 100], ["b", 100], ["C", 100]]
    assert asked[0]["post_sampling_probs"] is True


@contextmanager
def strict(refuses: tuple[str, ...]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """An endpoint that refuses parameters, one at a time."""
    asked: list[dict[str, Any]] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        body = await request.json()
        asked.append(body)
        for name in refuses:
            if name in body:
                error = {"message": f"unknown field {name}", "param": name}
                return web.json_response({"error": error}, status=400)
        return web.Response(body=reply("a"), content_type="application/json")

    with serving(handler) as url:
        yield url, asked


def test_one_request_has_the_grammar_and_asks_for_probabilities() -> None:
    with strict(()) as (url, asked):
        choice = ChoiceClient(url).choose(REQUEST, LETTERS, seconds=10)
    assert choice.letter == "a"
    (body,) = asked
    assert body["grammar"] == "root ::= [abC]"
    assert (body["logprobs"], body["top_logprobs"]) == (True, LISTED)
    assert (body["temperature"], body["max_tokens"]) == (0, 1)
    assert "grammar" not in REQUEST.to_json()


def test_what_an_endpoint_refuses_is_left_out_and_not_sent_again() -> None:
    with strict(("grammar", "top_logprobs", "logprobs")) as (url, asked):
        client = ChoiceClient(url)
        for _ in range(2):
            assert client.choose(REQUEST, LETTERS, seconds=10).letter == "a"
    assert len(asked) == 5
    assert asked[-1].keys() == {"model", "messages", "max_tokens", "temperature", "stream"}


def test_a_budget_is_kept_and_a_model_that_is_gone_is_not_asked() -> None:
    with strict(()) as (url, asked):
        client = ChoiceClient(url)
        budget = Budget(calls=1, tokens=1000)
        client.choose(REQUEST, LETTERS, seconds=10, budget=budget)
        with pytest.raises(BudgetError):
            client.choose(REQUEST, LETTERS, seconds=10, budget=budget)
        client.trouble = lambda: "it was killed"
        with pytest.raises(ModelError, match="the model is gone") as failure:
            client.choose(REQUEST, LETTERS, seconds=10)
        assert failure.value.detail == "it was killed"
        assert len(asked) == 1


@pytest.mark.real("mind")
def test_the_real_llama_gives_a_legal_letter_and_the_probabilities_of_all(tiny: Path) -> None:
    from thorp.models.embedded import EmbeddedModel, Weights
    from thorp.models.embedded.local import ADAPTER

    assert ADAPTER.stat().st_size <= 10_000_000
    with EmbeddedModel.open(Weights("tiny", tiny)) as endpoint:
        client = ChoiceClient(endpoint.url, endpoint.key)
        client.listed = LISTED_BY_LLAMA
        for letters in ("ab", "xyzAB", "Q", LETTERS_OF_ALL):
            choice = client.choose(REQUEST, letters, seconds=60)
            assert choice.letter in letters
            assert set(choice.probabilities) == set(letters)
            assert sum(choice.probabilities.values()) == pytest.approx(1)
            assert choice.letter == next(iter(choice.probabilities))
            assert choice == client.choose(REQUEST, letters, seconds=60)
            assert choice.tokens_out == 1
