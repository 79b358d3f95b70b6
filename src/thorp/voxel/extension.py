"""Extensions: rules from outside the package that run inside a world's tick. Files, requests and
the error code call them `annex`.

An extension is added by the code that makes the world. It is asked by *requests*, which are inputs
like an ACT, and answers each in the tick it came in. What it remembers are rows of text in a table
of the world. So its questions are journaled, its memory is state, and whatever replays, proves,
copies or forks a world does the same with its extensions. An extension itself keeps nothing between
ticks.

A world names its extensions in its terms. Without them it cannot be executed, and is refused as
`annex`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from thorp.kernel.errors import IllegalError
from thorp.voxel.inputs import AnyInput, Request

if TYPE_CHECKING:
    from thorp.voxel.state.world import World, WorldState


class Extension(Protocol):
    """Deterministic, and free of I/O: it runs inside the tick."""

    @property
    def name(self) -> str:
        """By which requests, rows and terms name it."""

    def step(self, world: World) -> None:
        """Do what is due in this tick, whether or not anybody asks."""

    def answer(self, world: World, text: str) -> str:
        """What becomes of a request; its author gets it when the tick is durable."""


class RowKey(NamedTuple):
    """What a row is found by: whose it is, and its key there."""

    extension: str
    key: str


class Row(msgspec.Struct):
    """Something an extension remembers."""

    extension: str = msgspec.field(name="annex")
    key: str
    text: str

    @property
    def place(self) -> RowKey:
        return RowKey(self.extension, self.key)


def step(world: World) -> None:
    """Let every extension do its part of the tick, then answer requests in the order they came."""
    for extension in world.extensions:
        extension.step(world)
    named = {extension.name: extension for extension in world.extensions}
    for request in world.scratch.requests:
        world.scratch.answers.append(named[request.extension].answer(world, request.text))


def names(extensions: Iterable[Extension]) -> tuple[str, ...]:
    """The names by which journal headers list extensions, sorted."""
    return tuple(sorted(extension.name for extension in extensions))


def require(world: WorldState, inputs: Sequence[AnyInput]) -> None:
    """Refuse inputs that ask an extension which this world does not have."""
    check(
        names(world.extensions), (entry.extension for entry in inputs if isinstance(entry, Request))
    )


def check(there: Iterable[str], wanted: Iterable[str]) -> None:
    """Refuse as `annex` if a wanted one is missing."""
    missing = sorted(set(wanted) - set(there))
    if missing:
        told = f"this world was made with {', '.join(missing)}, which is not here"
        raise IllegalError(f"{told}; open it with whatever founded it", code="annex")
