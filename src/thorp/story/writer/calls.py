"""The calls of a writer in one beat, recorded word for word, and the failures among them.

A beat can be replayed from this record without its writer.
"""

import json
from collections.abc import Callable
from typing import Literal, TypeVar

import msgspec

from thorp.kernel.errors import UnavailableError
from thorp.story.writer.moment import BeatDeadline, Moment, Words, Writer, WriterFailure

T = TypeVar("T")

_encode = msgspec.json.Encoder().encode


class Failure(msgspec.Struct, frozen=True):
    """Why a writer said nothing."""

    code: str
    message: str


class Call(msgspec.Struct, frozen=True):
    """One call of a writer, as it is recorded."""

    kind: Literal["write", "summary"]
    verdict: str
    said: Words | Failure

    @property
    def text(self) -> str:
        """The words or the failure, as JSON that every database can store."""
        try:
            return _encode(self.said).decode()
        except UnicodeEncodeError:  # half of a surrogate pair, which only escapes can spell
            return json.dumps(msgspec.to_builtins(self.said))


class WriterGaveUp(UnavailableError):
    """The writer failed, and the configuration says to abort. Nothing was written."""

    code = "writer_failed"

    def __init__(self, trouble: Failure) -> None:
        super().__init__(
            f"the writer failed, and this story does not go on without it: {trouble.message}"
        )
        self.trouble = trouble


class WriterCalls:
    """A writer, and the record of what it said in this beat."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.record: list[Call] = []

    def write(self, moment: Moment) -> Words | Failure:
        """Ask for the writer's next words. The session records them, once it knows its verdict."""
        return _ask(self._writer.write, moment)

    def summarise(self, pieces: list[str]) -> str | None:
        """Ask the writer to retell some evidence, without tools. The call is recorded; None if it
        failed."""
        said = _ask(self._writer.summarise, pieces)
        is_failure = isinstance(said, Failure)
        self.record.append(Call("summary", "FAILED" if is_failure else "SAID", said))
        return None if isinstance(said, Failure) else said.text


def _ask(method: Callable[[T], Words], about: T) -> Words | Failure:
    """Call a writer, which is somebody else's code: whatever it raises, except the deadline, is its
    failure."""
    try:
        return method(about)
    except BeatDeadline:
        raise
    except WriterFailure as failure:
        return Failure(failure.code, failure.message)
    except Exception as error:
        return Failure("error", type(error).__name__)
