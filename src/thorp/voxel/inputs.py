"""Inputs: everything that can enter a world from outside. A tick is a function of the state and its
inputs.

Inputs are values that were checked at the border; in the journal they are the JSON text of these
types. They are applied in the order they came in, leaves and joins first.
"""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from thorp.protocol.act import Act
from thorp.protocol.codes import BAD_REQUEST
from thorp.voxel.state.ground import Position

# As a body over HTTP. Written into a record it may double, and a record has room for four times
# that.
MAX_REQUEST_BYTES: Final = 1024 * 1024


class Input(msgspec.Struct, frozen=True, tag_field="in", omit_defaults=True):
    """Anything that a tick takes in, and that the journal keeps."""


class Join(Input, frozen=True, tag="join"):
    """A new body. Its number is the next one; `token` is the SHA-256 of its resume token, in
    hex."""

    name: str
    token: str
    title: str = ""  # What it is, in its own words; no rule looks at it.


class Attach(Input, frozen=True, tag="attach"):
    """Its owner came back and is given another token. `proven`: it came with the one it was given
    last."""

    agent: int
    token: str
    proven: bool = False
    title: str = ""


class Rescue(Input, frozen=True, tag="rescue"):
    """An operator gives a body another token; those before it are void."""

    agent: int
    token: str


class Retire(Input, frozen=True, tag="retire"):
    """Its owner, or an operator, takes a body out of the world, unless it has ties. `for_room`: the
    world was full and a newcomer needs its place, which only strangers give up while they are away.
    """

    agent: int
    for_room: bool = False


class Detach(Input, frozen=True, tag="detach"):
    """Its connection is gone. The body stays."""

    agent: int


class Acted(Input, frozen=True, tag="act"):
    """An ACT. Events below `seen` had been sent to its author with the OBS that it answers, or
    before."""

    agent: int
    act: Act
    seen: int = 0


class Malformed(Input, frozen=True, tag="malformed"):
    """A frame that was meant as an ACT and could not be read; or one too many in a tick
    (`code`)."""

    agent: int
    problem: str
    code: str = BAD_REQUEST


class FormerCell(msgspec.Struct, frozen=True, array_like=True):
    """What was in a cell, and the number of the agent who changed it last since then; 0 for
    nobody."""

    position: Position
    block: str
    changed_by: int = 0


class FormerStock(msgspec.Struct, frozen=True, array_like=True):
    """What was free in a container, and the number of the agent who changed it last; 0 for
    nobody."""

    position: Position
    goods: dict[str, int]
    changed_by: int = 0


class FormerSign(msgspec.Struct, frozen=True, array_like=True):
    """What a sign said, for a region that is put back."""

    position: Position
    text: str


class Restore(Input, frozen=True, tag="restore"):
    """An operator puts a region back to what it was. What is missing is taken from the `takers`."""

    cells: list[FormerCell]
    stocks: list[FormerStock]
    signs: list[FormerSign]
    takers: list[int]


class Request(Input, frozen=True, tag="request"):
    """A request to an extension, which alone interprets the text."""

    extension: str = msgspec.field(name="annex")
    text: Annotated[str, Meta(max_length=MAX_REQUEST_BYTES)]


AnyInput = Join | Attach | Rescue | Retire | Detach | Acted | Malformed | Restore | Request
