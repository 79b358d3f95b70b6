"""Closes things: at the end of their `with` block, or when opening them fails halfway."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, Self


class Closable(Protocol):
    """Anything with a `close`."""

    def close(self) -> None:
        """Let go of what it holds."""


class Closing:
    """Gives a class with `close` its `with` block."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self: Closable, *_: object) -> None:
        self.close()


@contextmanager
def closed_on_error(opened: Closable) -> Iterator[None]:
    """Close something that was just opened if the block fails."""
    try:
        yield
    except BaseException:
        opened.close()
        raise
