"""Phrases that text may not carry, as shipped data. Short lists: a wide one would silence lawful text.

A phrase is found whatever its case and however its words are spaced.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

META: Final = (
    "rehydrat",
    "context window",
    "context limit",
    "token budget",
    "scene anchor",
    "language model",
    "system prompt",
)
"""Talk of the machinery, which is no part of the world. `rehydrat` stands for all its forms."""

DIRECTIVE: Final = (
    "make it dramatic",
    "keep it interesting",
    "make it exciting",
    "raise the stakes",
    "add some drama",
)
"""Orders to whoever writes, in a text that should only say how things are."""

TIME_SHORTCUT: Final = (
    "later that day",
    "later that night",
    "hours passed",
    "hours later",
    "days passed",
    "days later",
    "the next morning",
    "some time later",
    "meanwhile",
)
"""Skips of time that no clock made."""

TOOL_DIRECTIVE: Final = (
    "decide what is relevant",
    "decide what matters",
    "whatever you think",
    "most important",
    "summarise",
    "summarize",
)
"""Requests that a tool should judge, or tell a summary as a fact."""


def find_phrase(text: str, phrases: Sequence[str]) -> str | None:
    """The first phrase of the list that the text holds."""
    plain = " ".join(text.casefold().split())
    return next((phrase for phrase in phrases if phrase in plain), None)
