"""Inputs: everything that can enter a world from outside. A tick is a function of the state and its
inputs.

Inputs are values that were checked at the border; the journal holds the JSON text of these types.
They are applied in the order they came in, but ACTs after all others.
"""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from thorp.protocol.act import Act
from thorp.protocol.codes import BAD_REQUEST
from thorp.voxel.state.ground import Position

# As long as a body over HTTP may be. In a record it may become twice as long, and a record has room
# for four times that.
MAX_REQUEST_BYTES: Final = 1024 * 1024


class Input(msgspec.Struct, frozen=True, tag_field="in", omit_defaults=True):
    """The base of all inputs of a tick, which the journal keeps."""


class Join(Input, frozen=True, tag="join"):
    """A new body joins. It gets the next number; `token` is the SHA-256 of its resume token, in
    hex."""

    name: str
    token: str
    title: str = ""  # What it is, in its own words; no rule depends on it.


class Attach(Input, frozen=True, tag="attach"):
    """The owner of a body has come back, and is given another token. `proven` means that it came
    with the token it was given last."""

    agent: int
    token: str
    proven: bool = False
    title: str = ""


class Rescue(Input, frozen=True, tag="rescue"):
    """An operator gives a body another token; all earlier ones are void."""

    agent: int
    token: str


class Retire(Input, frozen=True, tag="retire"):
    """The owner of a body, or an operator, takes it out of the world, unless it has ties.
    `for_room` means that the world was full and a newcomer needs the place; only strangers who are
    away give theirs up. `with_kit` means that its starter goods, where they are limited, go with it
    instead of staying on the ground; older journals have no such input."""

    agent: int
    for_room: bool = False
    with_kit: bool = False


class Detach(Input, frozen=True, tag="detach"):
    """The connection of a body's owner is gone. The body stays."""

    agent: int


class Acted(Input, frozen=True, tag="act"):
    """An ACT. Events with numbers below `seen` had been sent to its author with the OBS that it
    answers, or before."""

    agent: int
    act: Act
    seen: int = 0


class Malformed(Input, frozen=True, tag="malformed"):
    """A frame that was meant as an ACT and could not be read, or that was over the limit of a tick;
    `code` says which."""

    agent: int
    problem: str
    code: str = BAD_REQUEST


class FormerCell(msgspec.Struct, frozen=True, array_like=True):
    """The block that was in a cell, and the number of the agent who was the last to change it since
    then; 0 for nobody."""

    position: Position
    block: str
    changed_by: int = 0


class FormerStock(msgspec.Struct, frozen=True, array_like=True):
    """The free goods that were in a container, and the number of the agent who was the last to
    change them; 0 for nobody."""

    position: Position
    goods: dict[str, int]
    changed_by: int = 0


class FormerSign(msgspec.Struct, frozen=True, array_like=True):
    """The text that was on a sign."""

    position: Position
    text: str


class Restore(Input, frozen=True, tag="restore"):
    """An operator puts a region back to what it was. Goods that are missing for that are taken from
    the `takers`."""

    cells: list[FormerCell]
    stocks: list[FormerStock]
    signs: list[FormerSign]
    takers: list[int]


class ExtensionRequest(Input, frozen=True, tag="request"):
    """A request to an extension, which alone interprets the text."""

    extension: str = msgspec.field(name="annex")
    text: Annotated[str, Meta(max_length=MAX_REQUEST_BYTES)]


AnyInput = Join | Attach | Rescue | Retire | Detach | Acted | Malformed | Restore | ExtensionRequest
