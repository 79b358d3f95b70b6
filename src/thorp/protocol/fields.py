"""What every action is made of: its base, and the forms that fields have.

Bounds here are those of form: whether a target exists is the world's to say.

Text within bounds. Limits count bytes of UTF-8, and a cut never splits a character.
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

FAR: Final = 2**31 - 1
# Names of things: the world makes up none that is longer than some 60 characters.
MAX_ID_LENGTH: Final = 128
# A client's own reference to an action comes back in the result, which is kept. What is longer is cut.
MAX_REF_LENGTH: Final = 1_024

# What memory can hold; every other text is shorter by its rule.
MAX_TEXT_LENGTH: Final = 65_536

Text = Annotated[str, Meta(description="a string")]
Prose = Annotated[
    str, Meta(max_length=MAX_TEXT_LENGTH, description=f"a string of at most {MAX_TEXT_LENGTH} characters")
]
Name = Annotated[
    str, Meta(max_length=MAX_ID_LENGTH, description=f"a string of at most {MAX_ID_LENGTH} characters")
]
Ref = Annotated[
    str, Meta(max_length=MAX_REF_LENGTH, description=f"a string of at most {MAX_REF_LENGTH} characters")
]
Note = Annotated[str, Meta(max_length=MAX_TEXT_LENGTH + 1, description="a string")]
"""A text to remember: one character more than fits, so that the rule can refuse it. The rest is cut off."""
Long = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1, description="an integer of 64 bits")]
Whole = Annotated[int, Meta(ge=-FAR, le=FAR, description=f"an integer from {-FAR} to {FAR}")]
Vector = Annotated[tuple[Whole, Whole, Whole], Meta(description="an array of 3 integers")]
Distance = Annotated[float, Meta(ge=-1e6, le=1e6, description="a number from -1000000 to 1000000")]


class Stack(Struct, frozen=True):
    """So many of one item, as messages write it."""

    item: Name
    count: Whole


class Action(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What every action has: the client's own reference, echoed in the result."""

    id: Ref = ""


class Instant(Action, frozen=True, tag_field="type"):
    """Happens in the tick it arrives in."""


class Task(Action, frozen=True, tag_field="type"):
    """Begins in the tick it arrives in, and may go on."""


def clip(text: str, max_bytes: int) -> str:
    """The longest beginning of a text that fits."""
    if len(text) * 4 <= max_bytes:
        return text
    return text.encode()[:max_bytes].decode(errors="ignore")
