"""Extensions: rules from outside the package that run inside a world's tick. Files, requests and
the error code call them `annex`.

The code that makes a world adds its extensions. An extension gets *requests*, which are inputs like
an ACT, and answers each in the tick it came in. It remembers rows of text in a table of the world,
and keeps nothing else between ticks. So its requests are journaled and its memory is state:
whatever replays, proves, copies or forks a world does the same with its extensions.

The headers of a world's journal name its extensions. Without them the world cannot be executed, and
is refused as `annex`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec

from thorp.kernel.errors import IllegalError
from thorp.voxel.inputs import AnyInput, ExtensionRequest

if TYPE_CHECKING:
    from thorp.voxel.state.world import World, WorldState


class Extension(Protocol):
    """Rules that run inside the tick: they must be deterministic, and do no I/O."""

    @property
    def name(self) -> str:
        """The name that requests, rows and headers have for it."""

    def step(self, world: World) -> None:
        """Do what is due in this tick, whether or not there are requests."""

    def answer(self, world: World, text: str) -> str:
        """Execute a request and return the answer, which its author gets when the tick is
        durable."""


class RowKey(NamedTuple):
    """The key of a row in the table: its extension, and its key there."""

    extension: str
    key: str


class ExtensionRow(msgspec.Struct):
    """One text that an extension remembers."""

    extension: str = msgspec.field(name="annex")
    key: str
    text: str

    @property
    def place(self) -> RowKey:
        """Its key in the table."""
        return RowKey(self.extension, self.key)


def step(world: World) -> None:
    """Let every extension do its part of the tick, then answer requests in the order they came."""
    for extension in world.extensions:
        extension.step(world)
    named = {extension.name: extension for extension in world.extensions}
    for request in world.scratch.requests:
        world.scratch.answers.append(named[request.extension].answer(world, request.text))


def names(extensions: Iterable[Extension]) -> tuple[str, ...]:
    """The names of extensions as headers list them, sorted."""
    return tuple(sorted(extension.name for extension in extensions))


def require(world: WorldState, inputs: Sequence[AnyInput]) -> None:
    """Refuse inputs with a request to an extension that this world does not have."""
    check(
        names(world.extensions),
        (entry.extension for entry in inputs if isinstance(entry, ExtensionRequest)),
    )


def check(there: Iterable[str], wanted: Iterable[str]) -> None:
    """Refuse as `annex` if an extension is wanted that is not there."""
    missing = sorted(set(wanted) - set(there))
    if missing:
        problem = f"this world was made with {', '.join(missing)}, which is not here"
        raise IllegalError(f"{problem}; open it with whatever founded it", code="annex")
