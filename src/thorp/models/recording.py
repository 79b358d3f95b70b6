"""Records replies, so that a program that asked a model can run again without one.

A recording is JSON lines: a header, then one line per call with who asked (`caller`), the request's
digest, and the reply or the error. Calls of one caller are in the order in which they were made. It
holds no times and no keys. A recording that was read from a file answers from its lines and never
makes a call; a request that is not the caller's next one is refused by name.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final, Self

import msgspec

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import InvalidError, ThorpError
from thorp.models.chat import ChatRequest, ModelError, Reply
from thorp.models.decode import DecodeError, decode_json

VERSION: Final = 3
VERSION_WITH_VERDICTS: Final = 2
"""From this version of recordings on, prompts of matches tell a model the verdict on its last
action."""
VERSION_WITH_ALTERNATIVES: Final = 3
"""From this version on, they also tell what is possible instead of an action that was refused."""


def _header(version: int) -> dict[str, Json]:
    return {"format": "thorp.replies", "version": version}


class _RecordedReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reply of a call; the fields are named as in the file."""

    text: str
    tokensIn: int
    tokensOut: int


class _RecordedFailure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The error of a call that gave no reply."""

    code: str
    message: str


class _RecordedCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line: exactly one of `reply` and `error` is there."""

    caller: str
    request: str
    reply: _RecordedReply | None = None
    error: _RecordedFailure | None = None

    def __post_init__(self) -> None:
        if (self.reply is None) == (self.error is None):
            raise ValueError("expected either a reply or an error")

    def outcome(self) -> Reply:
        """The reply, or the error raised again."""
        if self.reply is not None:
            return Reply(self.reply.text, self.reply.tokensIn, self.reply.tokensOut)
        assert self.error is not None, "there is one or the other"
        raise ModelError(self.error.message, code=self.error.code)


class Spent(msgspec.Struct, frozen=True):
    """How many calls of models were made, and the tokens they took."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class Recording:
    """The outcome of every call, by caller and in order. `replaying` says whether it answers calls
    or records them; `version` is that of the prompts it belongs to, so that old recordings can
    still answer."""

    def __init__(self) -> None:
        self.replaying = False
        self.version = VERSION
        self._calls: list[_RecordedCall] = []
        self._next: defaultdict[str, deque[_RecordedCall]] = defaultdict(deque)

    @classmethod
    def from_jsonl(cls, data: bytes) -> Self:
        """A recording that answers from a file's content. Refuses a torn or foreign file, by line
        number."""
        recording = cls()
        recording.replaying = True
        for version in range(1, VERSION):
            if data.startswith(canonical_bytes(_header(version)) + b"\n"):
                recording.version = version
        lines = read_recording(data, "recorded replies", _header(recording.version), _RecordedCall)
        for call in islice(lines, 1, None):
            recording._calls.append(call)
            recording._next[call.caller].append(call)
        return recording

    def to_jsonl(self) -> bytes:
        """The whole recording, to be kept beside the log; empty if no call was made."""
        if not self._calls:
            return b""
        lines: list[Json] = [
            _header(self.version),
            *(msgspec.to_builtins(call) for call in self._calls),
        ]
        return b"".join(canonical_bytes(line) + b"\n" for line in lines)

    @property
    def spent(self) -> Spent:
        """What all calls took together. One that failed counts as a call without tokens."""
        replies = [call.reply for call in self._calls if call.reply is not None]
        return Spent(
            calls=len(self._calls),
            tokens_in=sum(reply.tokensIn for reply in replies),
            tokens_out=sum(reply.tokensOut for reply in replies),
        )

    def answer(self, caller: str, request: ChatRequest, call: Callable[[], Reply]) -> Reply:
        """`ask` for a request that is at hand as a whole."""
        return self.ask(caller, request.digest, call)

    def ask(self, caller: str, request: str, call: Callable[[], Reply]) -> Reply:
        """The reply to a request: from `call`, whose outcome is recorded, or when replaying, from
        the recording."""
        if self.replaying:
            waiting = self._next[caller]
            if not waiting or waiting[0].request != request:
                raise InvalidError(f"no reply is recorded for request {request}", code="unrecorded")
            return waiting.popleft().outcome()
        try:
            reply = call()
        except ThorpError as failure:
            self._calls.append(
                _RecordedCall(caller, request, error=_RecordedFailure(failure.code, str(failure)))
            )
            raise
        words = _RecordedReply(reply.text, reply.tokens_in, reply.tokens_out)
        self._calls.append(_RecordedCall(caller, request, reply=words))
        return reply


def read_recording(data: bytes, name: str, header: dict[str, Json], kind: Any) -> Iterator[Any]:
    """The first line of a recording, which must have this header, and then each other line as a
    value of `kind`.

    Refuses a torn or foreign recording, by line number.
    """
    *lines, rest = data.split(b"\n")
    for number, line in enumerate([*lines, rest] if rest else lines, start=1):
        try:
            if number > len(lines):
                raise DecodeError("it is torn: the line has no end")
            value = decode_json(line)
            if number > 1:
                value = msgspec.convert(value, kind)
            elif not isinstance(value, dict) or not header.items() <= value.items():
                raise DecodeError(
                    "this is no recording of format {format}, version {version}".format(**header)
                )
        except (DecodeError, msgspec.ValidationError) as problem:
            raise InvalidError(f"{name}, line {number}: {problem}", code="recording") from None
        yield value
