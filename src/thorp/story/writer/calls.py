"""Calls a writer and records every call of a beat word for word, failures included.

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


class CallFailure(msgspec.Struct, frozen=True):
    """Why a call of a writer gave no words."""

    code: str
    message: str


class WriterCall(msgspec.Struct, frozen=True):
    """One call of a writer, as the audit records it."""

    kind: Literal["write", "summary"]
    verdict: str
    said: Words | CallFailure

    @property
    def text(self) -> str:
        """The words or the failure, as JSON that every database can store."""
        try:
            return _encode(self.said).decode()
        except UnicodeEncodeError:  # half of a surrogate pair, which can only be written escaped
            return json.dumps(msgspec.to_builtins(self.said))


class WriterGaveUp(UnavailableError):
    """The writer failed, and the configuration says to abort. Nothing was written."""

    code = "writer_failed"

    def __init__(self, trouble: CallFailure) -> None:
        super().__init__(
            f"the writer failed, and this story does not go on without it: {trouble.message}"
        )
        self.trouble = trouble


class WriterCalls:
    """Calls a writer in one beat, and keeps the record of its calls."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self.record: list[WriterCall] = []

    def write(self, moment: Moment) -> Words | CallFailure:
        """Ask for the writer's next words. The session records the call, once it has a verdict."""
        return _ask(self._writer.write, moment)

    def summarise(self, pieces: list[str]) -> str | None:
        """Ask the writer to retell some evidence, without tools. The call is recorded; None if it
        failed."""
        said = _ask(self._writer.summarise, pieces)
        is_failure = isinstance(said, CallFailure)
        self.record.append(WriterCall("summary", "FAILED" if is_failure else "SAID", said))
        return None if isinstance(said, CallFailure) else said.text


def _ask(method: Callable[[T], Words], about: T) -> Words | CallFailure:
    """Call a writer, which may be anybody's code: whatever it raises, except the deadline, is a
    failure of the call."""
    try:
        return method(about)
    except BeatDeadline:
        raise
    except WriterFailure as failure:
        return CallFailure(failure.code, failure.message)
    except Exception as error:
        return CallFailure("error", type(error).__name__)
