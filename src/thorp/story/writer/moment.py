"""The interface of writers. A writer gets a moment of the story; no ledger, no clock, no envelope.

    Writer.write(moment) -> Words     one JSON object with exactly one of three keys (see `session`)

A writer that needs no window (`needs_setting`) gets none, because reading one from the ledger takes
longer than the rest of a beat.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ThorpError, UnavailableError
from thorp.story.config import Person, StoryConfig


class WindowPiece(NamedTuple):
    """One piece of a window: an entry, or what a tool returned."""

    author_id: str
    channel: str
    created_at_world: str
    text: str


class Setting(msgspec.Struct, frozen=True):
    """The window of a moment: the text that it begins with, and the pieces since then."""

    anchor: str
    replay: str | None
    pieces: tuple[WindowPiece, ...]


NO_SETTING = Setting("", None, ())


class Words(msgspec.Struct, frozen=True):
    """What a writer said, word for word, and the tokens that its provider counted, if it has
    one."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    estimated_in: int | None = None
    """Our own estimate of `tokens_in`, made before the call."""


class WriterFailure(ThorpError):
    """A writer could not be reached, or has no budget left."""

    code = "writer"


class BeatDeadline(UnavailableError):
    """A writer took longer than a beat may take. The beat is given up, and nothing was written."""

    code = "deadline"


class Moment(msgspec.Struct):
    """What a writer is given in a call."""

    config: StoryConfig
    request_id: str
    created_at_world: str
    actor: str | None  # The only person who may act in this beat; None if anybody may.
    people: tuple[Person, ...]  # The people whom the writer may write as.
    fresh: str | None  # The operator's words in this beat.
    setting: Setting
    # Answers of tools in this beat.
    results: list[dict[str, Json]] = msgspec.field(default_factory=list)
    tools_open: bool = True  # Whether another question is answered.
    local: Callable[[str], str] = str
    """Converts a time of the world (RFC 3339) to the zone of the clock that the operator sees."""


@runtime_checkable
class Writer(Protocol):
    """Proposes what is written: any object with these members. Built-in writers and entry points of
    group `thorp.writers` are found by name."""

    @property
    def name(self) -> str:
        """The name that the audit records."""

    @property
    def calls_out(self) -> bool:
        """Whether it waits for something outside of this process. Then no transaction is open while
        it works."""

    @property
    def needs_setting(self) -> bool:
        """Whether it reads the window."""

    def begin(self) -> None:
        """Begin a beat: reset whatever is limited for each beat."""

    def write(self, moment: Moment) -> Words:
        """The next thing this writer says in this beat. Raises `WriterFailure` if it cannot."""

    def summarise(self, pieces: list[str]) -> Words:
        """Retell some evidence in this writer's words, as plain text. Raises `WriterFailure` if it
        cannot."""


@runtime_checkable
class Spender(Protocol):
    """A writer that has a budget for each day of the wall clock."""

    def recall(self, calls: int, tokens: int) -> None:
        """Take into account what was spent today before this writer was made."""
