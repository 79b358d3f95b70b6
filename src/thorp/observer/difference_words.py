"""The words in which two runs are told apart: what somebody did in one of them, and what that is in
the other. They are in `difference_words.json`.

`did` follows the name of whoever did it; `instead` is said of the other run. In braces stand words
of the event. If it happened in both, and more often in one, `did` is followed by how often. A test
holds the table to the rules: every kind of public event is in it, or is left out for a reason.
"""

from importlib.resources import files
from typing import Final

import msgspec


class Telling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a kind of event is told where only one of two runs has it."""

    weight: int
    """The heaviest differences are told first."""
    did: str
    instead: str
    who: str = "agent"
    """The member of the event that names whoever did it; empty if nobody did."""
    what: tuple[str, ...] = ()
    """What makes two events of a person the same: words of the event that are told."""


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tellings: dict[str, Telling]
    left_out: dict[str, str]


_WORDS: Final = msgspec.json.decode(
    (files(__package__) / "difference_words.json").read_bytes(), type=_Words
)
TELLINGS: Final = _WORDS.tellings
LEFT_OUT: Final = _WORDS.left_out
"""Why a kind of event is not told."""
