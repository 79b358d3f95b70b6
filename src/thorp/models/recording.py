"""Replies written down, so that whatever asked a model can run again without one.

A recording is JSON lines: a header, then one line per call with who asked (`caller`), the request's
digest, and the reply or the error. Calls of one caller are in the order they were made. It holds no
clock and no key. The recording of no calls is empty.

A new recording lets calls through and notes their outcome. One read from a file answers from its lines
and never makes a call; a request that is not the caller's next one is refused by name. Errors are
outcomes too: a call that timed out or broke the budget then does so in every re-run.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable

import msgspec

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import InvalidError, ThorpError
from thorp.models.chat import ModelError, Reply
from thorp.models.decode import DecodeError, decode_json

FORMAT = "thorp.replies"
VERSION = 1

_HEADER = {"format": FORMAT, "version": VERSION}


class _Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: str
    tokensIn: int
    tokensOut: int


class _Failure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: str
    message: str


class _Call(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line: exactly one of `reply` and `error` is there."""

    caller: str
    request: str
    reply: _Words | None = None
    error: _Failure | None = None

    def outcome(self) -> Reply:
        if self.reply is not None:
            return Reply(self.reply.text, self.reply.tokensIn, self.reply.tokensOut)
        assert self.error is not None, "checked when it was read"
        raise ModelError(self.error.message, code=self.error.code)


class Recording:
    """The outcome of every call, by caller and in order. `replaying` says whether it answers or listens."""

    def __init__(self) -> None:
        self.replaying = False
        self._calls: list[_Call] = []
        self._next: defaultdict[str, deque[_Call]] = defaultdict(deque)

    @classmethod
    def from_jsonl(cls, data: bytes) -> Recording:
        """A recording that answers from what was written. Refuses a torn or foreign file by line number."""
        recording = cls()
        recording.replaying = True
        for call in _read_calls(data):
            recording._calls.append(call)
            recording._next[call.caller].append(call)
        return recording

    def to_jsonl(self) -> bytes:
        """The whole recording, to be kept beside the log; empty if nothing was asked."""
        if not self._calls:
            return b""
        lines: list[Json] = [_HEADER, *(msgspec.to_builtins(call) for call in self._calls)]
        return b"".join(canonical_bytes(line) + b"\n" for line in lines)

    def ask(self, caller: str, request: str, call: Callable[[], Reply]) -> Reply:
        """The reply to a request: from `call`, whose outcome is noted, or from before, without calling."""
        if self.replaying:
            return self._replay(caller, request)
        try:
            reply = call()
        except ThorpError as failure:
            self._calls.append(_Call(caller, request, error=_Failure(failure.code, str(failure))))
            raise
        words = _Words(reply.text, reply.tokens_in, reply.tokens_out)
        self._calls.append(_Call(caller, request, reply=words))
        return reply

    def _replay(self, caller: str, request: str) -> Reply:
        waiting = self._next[caller]
        if not waiting or waiting[0].request != request:
            raise InvalidError(f"no reply is recorded for request {request}", code="unrecorded")
        return waiting.popleft().outcome()


def _read_calls(data: bytes) -> Iterable[_Call]:
    if not data:
        return
    *lines, rest = data.split(b"\n")
    if rest:
        raise _refusal(len(lines) + 1, "it is torn: the line has no end")
    if not lines or _read_line(lines[0], 1) != _HEADER:
        raise _refusal(1, f"this is no recording of format {FORMAT}, version {VERSION}")
    for number, line in enumerate(lines[1:], start=2):
        yield _read_call(_read_line(line, number), number)


def _read_call(value: Json, number: int) -> _Call:
    try:
        call = msgspec.convert(value, _Call)
    except msgspec.ValidationError as failure:
        raise _refusal(number, str(failure)) from None
    if (call.reply is None) == (call.error is None):
        raise _refusal(number, "expected either a reply or an error")
    return call


def _read_line(line: bytes, number: int) -> Json:
    try:
        return decode_json(line)
    except DecodeError as failure:
        raise _refusal(number, str(failure)) from None


def _refusal(number: int, why: str) -> InvalidError:
    return InvalidError(f"recorded replies, line {number}: {why}", code="recording")
