"""What a text takes of a window, counted without any model: characters, or tokens of four characters each."""

from __future__ import annotations

from typing import Final

from thorp.story.config import StoryConfig

CHARS_PER_TOKEN: Final = 4


def units(text: str, config: StoryConfig) -> int:
    """What a text takes."""
    return len(text) if config.context.unit == "chars" else -(-len(text) // CHARS_PER_TOKEN)


def units_to_chars(count: int, config: StoryConfig) -> int:
    """How many characters surely fit into so many units."""
    return count if config.context.unit == "chars" else count * CHARS_PER_TOKEN
