"""The interface of writers. A writer gets a moment of the story; no ledger, no clock, no envelope.

    Writer.write(moment) -> Words     one JSON object with exactly one of three keys (see `session`)

A writer that needs no window (`needs_setting`) gets none, because reading it takes longer than a
beat.
"""

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ThorpError, UnavailableError
from thorp.story.config import Person, StoryConfig


class Told(NamedTuple):
    """One piece of the window: an entry, or what a tool returned."""

    author_id: str
    channel: str
    created_at_world: str
    text: str


class Setting(msgspec.Struct, frozen=True):
    """The window of a moment: the text that grounds it, and the pieces since then."""

    anchor: str
    replay: str | None
    told: tuple[Told, ...]


NO_SETTING = Setting("", None, ())


class Words(msgspec.Struct, frozen=True):
    """What a writer said, word for word, and what a provider counted for it, if there is one."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None
    estimated_in: int | None = None
    """What we took the same prompt to cost, before the provider counted."""


class WriterFailure(ThorpError):
    """A writer that could not be reached, or had no budget left."""

    code = "writer"


class BeatDeadline(UnavailableError):
    """A writer that took longer than a beat may take. The beat is given up; nothing was written."""

    code = "deadline"


class Moment(msgspec.Struct):
    """One call of a writer."""

    config: StoryConfig
    request_id: str
    created_at_world: str
    actor: str | None  # The person who acts, if it is one person's beat; None if anybody may.
    people: tuple[Person, ...]  # Whom the writer may write as.
    fresh: str | None  # What the operator has just said.
    setting: Setting
    results: list[dict[str, Json]] = msgspec.field(
        default_factory=list
    )  # What tools answered in this beat.
    tools_open: bool = True
    local: Callable[[str], str] = str
    """A time of the world (RFC 3339) as the clock that the operator sees would show it."""


@runtime_checkable
class Writer(Protocol):
    """Whoever proposes: an object with these members, found by its name in the configuration or as
    an entry point."""

    @property
    def name(self) -> str: ...

    @property
    def calls_out(self) -> bool:
        """Whether it waits for something outside. Then no transaction is open while it works."""

    @property
    def needs_setting(self) -> bool:
        """Whether it looks at the window."""

    def begin(self) -> None:
        """A beat begins: whatever is limited for a beat starts anew."""

    def write(self, moment: Moment) -> Words:
        """The next thing this writer says in this beat. Raises `WriterFailure` if it cannot."""

    def summarise(self, pieces: list[str]) -> Words:
        """Some evidence in this writer's words, as plain text. Raises `WriterFailure` if it has
        none."""


@runtime_checkable
class Spender(Protocol):
    """A writer that has a budget for each day of the wall's clock."""

    def recall(self, calls: int, tokens: int) -> None:
        """Count what was spent today before this writer was made."""
