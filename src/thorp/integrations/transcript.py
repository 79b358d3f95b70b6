"""One agent's conversation with its model, written down as it happens, and played back without the
model.

`docs/models.md` shows the lines. A player gives the recorded replies and errors again in their
order, and compares requests and actions with the recorded ones. A difference is noted for the
report; the replies go on all the same.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec
from msgspec.structs import replace

from thorp.kernel.canonical import Json, insertion_bytes
from thorp.kernel.errors import InvalidError, ThorpError
from thorp.kernel.identity import content_id
from thorp.models import BudgetError, ModelError
from thorp.models.chat import REQUEST_PREFIX
from thorp.models.recording import read_recording
from thorp.models.tool_chat import EndpointRefused, ToolReply

VERSION: Final = 2
VERSION_WITH_ALTERNATIVES: Final = 2
"""From this version of recordings on, a refusal tells a model what is possible instead."""
# Differences reported of one agent: those after the first are mostly its consequences.
MAX_DIFFERENCES: Final = 5
SHOWN_CHARACTERS: Final = 60  # How much of a difference is shown, from its first character on.

_ERRORS: Final[dict[str, Callable[..., ThorpError]]] = {
    "budget": BudgetError,
    "endpoint": EndpointRefused,
}


def _header(version: int) -> dict[str, Json]:
    return {"format": "thorp.conversation", "version": version}


class _RequestFailure(msgspec.Struct, frozen=True):
    """The error that a request ended with instead of a reply."""

    code: str
    message: str


class Asked(msgspec.Struct, frozen=True, tag="ask", tag_field="at", omit_defaults=True):
    """A request, and how it ended: exactly one of `reply` and `error`. `request` is a digest of all
    of it, `new` are the messages that the request before did not have."""

    n: int
    tick: int
    request: str
    new: list[Json]
    seconds: float = 0.0
    reply: ToolReply | None = None
    error: _RequestFailure | None = None


class Acted(msgspec.Struct, frozen=True, tag="act", tag_field="at"):
    """A call of a tool; `action` is None if nothing was sent to the world."""

    n: int
    call: str
    action: Json
    said: str


class EndOfTape(Exception):
    """Raised when a request comes after the last recorded reply."""


Ask = Callable[[], Awaitable[ToolReply]]


class Tape:
    """Stands between an agent and its model. This base lets every request through; `Recorder`
    writes them down, and `Player` answers them from a recording. `version` is that of the words
    that a model is told, so that old recordings can still be played."""

    def __init__(self) -> None:
        self.version = VERSION
        self._number = 0
        self._last_messages: list[Json] = []

    def begin(self, **head: Json) -> None:
        """Called before the first request, with agent, model, system and tools."""

    async def ask(self, tick: int, request: dict[str, Json], ask: Ask) -> ToolReply:
        """The reply to a request; `ask` gets it from the model. An error that `ask` raises is
        recorded, and raised again by a player."""
        return await ask()

    def acted(self, call: str, action: Json, said: str) -> None:
        """Called after each call of a tool."""

    def differences(self) -> list[str]:
        """Sentences on where this run differs from the recorded one."""
        return []

    def _asked(self, tick: int, request: dict[str, Json]) -> Asked:
        """Number a request. Conversations keep their messages as the same objects, so identity
        finds the new ones without comparing texts."""
        sent = {id(message) for message in self._last_messages}
        new = [message for message in request["messages"] if id(message) not in sent]
        self._last_messages = request["messages"]
        self._number = self._number + 1
        return Asked(
            n=self._number, tick=tick, request=content_id(REQUEST_PREFIX, request), new=new
        )


class Recorder(Tape):
    """Asks the model, and writes every request with its reply, and every action, to a file."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        try:
            self._out = path.open("xb", buffering=0)
        except FileExistsError:
            raise InvalidError(
                f"{path} is there already; record elsewhere", code="recording"
            ) from None

    def begin(self, **head: Json) -> None:
        self._write({**_header(self.version), **head})

    async def ask(self, tick: int, request: dict[str, Json], ask: Ask) -> ToolReply:
        asked = self._asked(tick, request)
        began = monotonic()
        try:
            reply = await ask()
        except ThorpError as failure:
            error = _RequestFailure(failure.code, str(failure))
            self._write(replace(asked, error=error, seconds=round(monotonic() - began, 3)))
            raise
        self._write(replace(asked, reply=reply, seconds=round(monotonic() - began, 3)))
        return reply

    def acted(self, call: str, action: Json, said: str) -> None:
        self._write(Acted(self._number, call, action, said))

    def _write(self, line: object) -> None:
        """Write a line whole, or leave the recording as it was: a full disk takes part of one."""
        end = self._out.tell()
        rest = insertion_bytes(msgspec.to_builtins(line)) + b"\n"
        try:
            while rest:
                rest = rest[self._out.write(rest) :]
        except OSError as problem:
            problem.filename = str(self._out.name)
            with suppress(OSError):
                self._out.truncate(end)
            raise


class Player(Tape):
    """Answers from a recording, and notes where a run asks for something else."""

    def __init__(self, path: Path) -> None:
        """Read a recording. Refuses one that is malformed, and names the line."""
        super().__init__()
        self._asks = deque[Asked]()
        self._acts = deque[Acted]()
        self._different = list[str]()
        data = path.read_bytes()
        if data.startswith(insertion_bytes(_header(1))[:-1]):
            self.version = 1
        lines = read_recording(data, str(path), _header(self.version), Asked | Acted)
        self._header: dict[str, Json] = next(lines, {})
        if not self._header:
            raise InvalidError(f"{path} is empty", code="recording")
        for number, line in enumerate(lines, start=2):
            if isinstance(line, Acted):
                self._acts.append(line)
            elif (line.reply is None) == (line.error is None):
                fault = "expected either a reply or an error"
                raise InvalidError(f"{path}, line {number}: {fault}", code="recording")
            else:
                self._asks.append(line)

    def begin(self, **head: Json) -> None:
        for name, value in head.items():
            if self._header.get(name) != value:
                self._differ(f"the {name}", self._header.get(name), value)

    async def ask(self, tick: int, request: dict[str, Json], ask: Ask) -> ToolReply:
        asked = self._asked(tick, request)
        if not self._asks:
            raise EndOfTape
        then = self._asks.popleft()
        # The digest covers all earlier messages, so after a first difference it always differs;
        # then only new messages that differ are worth a line.
        if then.request != asked.request and (then.new != asked.new or not self._different):
            self._differ(f"request {asked.n}", then.new, asked.new)
        if then.reply is not None:
            return then.reply
        assert then.error is not None, "checked when it was read"
        raise _ERRORS.get(then.error.code, ModelError)(then.error.message, code=then.error.code)

    def acted(self, call: str, action: Json, said: str) -> None:
        then = self._acts.popleft() if self._acts else None
        if then is None or (then.call, then.action) != (call, action):
            recorded = [then.call, then.action] if then else None
            self._differ(f"an action after request {self._number}", recorded, [call, action])

    def differences(self) -> list[str]:
        left = (
            f"it ended with {len(self._asks)} recorded requests and {len(self._acts)} actions "
            "to come"
        )
        return [*self._different[:MAX_DIFFERENCES], *([left] if self._asks or self._acts else [])]

    def _differ(self, subject: str, then: Json, now: Json) -> None:
        before, after = (insertion_bytes(each).decode() for each in (then, now))
        pairs = zip(before, after, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        excerpts = [each[same : same + SHOWN_CHARACTERS] for each in (before, after)]
        self._different.append(
            f"{subject} is not the recorded one: it was …{excerpts[0]}…, now …{excerpts[1]}…"
        )


def read_replies(path: Path, until: int) -> list[dict[str, Json]]:
    """The replies in an agent's recording up to a tick, the newest last: what the model said, which
    tools it called, and what came of it."""
    said: dict[int, dict[str, Json]] = {}
    data = path.read_bytes()
    for number, line in enumerate(data.splitlines()[1:], 2):
        try:
            entry = msgspec.json.decode(line, type=Asked | Acted)
        except msgspec.MsgspecError as problem:
            if number == data.count(b"\n") + 1:
                break  # the last line was being written
            raise InvalidError(f"{path}: line {number}: {problem}", code="recording") from None
        if isinstance(entry, Acted):
            if entry.n in said:
                said[entry.n]["did"].append({"action": entry.action, "said": entry.said})
        elif entry.tick <= until:
            reply: Json = None if entry.reply is None else msgspec.to_builtins(entry.reply)
            text = entry.error.message if entry.error is not None else _words_of(reply)
            said[entry.n] = {"tick": entry.tick, "said": text, "reply": reply, "did": []}
    return list(said.values())


def _words_of(reply: Json) -> str:
    """A reply in one line: its text, then its calls."""
    fields = reply if isinstance(reply, dict) else {}
    calls = [each.get("name", "") for each in fields.get("calls", []) if isinstance(each, dict)]
    return " ".join(filter(None, (str(fields.get("text") or ""), *calls)))
