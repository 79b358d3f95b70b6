"""Requests have names that follow from their content, and an estimated price."""

from __future__ import annotations

import pytest

from thorp.models import ChatMessage, ChatRequest
from thorp.models.chat import estimate_tokens

REQUEST = ChatRequest("small", (ChatMessage("system", "Play."), ChatMessage("user", "é")))


def test_the_digest_is_fixed() -> None:
    # A recording made today must still be found by this name tomorrow.
    assert REQUEST.digest == "req_be93f0a89c31feeba7ebb591a612712a56b9df82d2fc00784142f7c9006f339c"


@pytest.mark.parametrize(
    "other",
    [
        ChatRequest("large", REQUEST.messages),
        ChatRequest("small", REQUEST.messages[:1]),
        ChatRequest("small", (REQUEST.messages[1], REQUEST.messages[0])),
        ChatRequest("small", REQUEST.messages, max_tokens=1),
        ChatRequest("small", REQUEST.messages, temperature=1),
    ],
)
def test_everything_the_reply_depends_on_is_in_the_digest(other: ChatRequest) -> None:
    assert other.digest != REQUEST.digest


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abc", 1), ("abcd", 2), ("éé", 2), ("\ud800", 2)]
)
def test_estimate(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_a_prompt_costs_its_messages_and_their_frame() -> None:
    assert REQUEST.prompt_tokens() == (8 + 2) + (8 + 1)
