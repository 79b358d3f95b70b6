"""One agent's conversation with its model, written down as it happens, and played back without the
model.

`docs/models.md` shows the lines. A player gives the replies and errors again in their order, and
compares: a request or an action that is not the recorded one is a difference, which is told. The
replies go on all the same.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from os.path import commonprefix
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

_HEADER: Final[dict[str, Json]] = {"format": "thorp.conversation", "version": 1}
MAX_DIFFERENCES: Final = (
    5  # Differences told of one agent: what follows the first is mostly its consequence.
)
SHOWN_CHARACTERS: Final = 60  # How much of a difference is shown, from where it begins.

_ERRORS: Final[dict[str, Callable[..., ThorpError]]] = {
    "budget": BudgetError,
    "endpoint": EndpointRefused,
}


class _Failure(msgspec.Struct, frozen=True):
    code: str
    message: str


class Asked(msgspec.Struct, frozen=True, tag="ask", tag_field="at", omit_defaults=True):
    """A request, and what came of it: exactly one of `reply` and `error`."""

    n: int
    tick: int
    request: str
    new: list[Json]
    seconds: float = 0.0
    reply: ToolReply | None = None
    error: _Failure | None = None


class Acted(msgspec.Struct, frozen=True, tag="act", tag_field="at"):
    """A call of a tool. `action` is what was sent to the world; None if nothing was."""

    n: int
    call: str
    action: Json
    said: str


class EndOfTape(Exception):
    """Everything that was recorded has been played."""


Ask = Callable[[], Awaitable[ToolReply]]


class Tape:
    """Lets calls through; the base of those that keep or know them."""

    def __init__(self) -> None:
        self._number = 0
        self._known: list[Json] = []

    def begin(self, **head: Json) -> None:
        """Before the first request: agent, model, system and tools."""

    async def ask(self, tick: int, request: dict[str, Json], ask: Ask) -> ToolReply:
        """The reply to a request. What is raised instead is an outcome too."""
        return await ask()

    def acted(self, call: str, action: Json, said: str) -> None:
        """After a call of a tool."""

    def differences(self) -> list[str]:
        """What was not as it was recorded."""
        return []

    def _asked(self, tick: int, request: dict[str, Json]) -> Asked:
        sent = {id(message) for message in self._known}
        new = [message for message in request["messages"] if id(message) not in sent]
        self._known = request["messages"]
        self._number = self._number + 1
        return Asked(
            n=self._number, tick=tick, request=content_id(REQUEST_PREFIX, request), new=new
        )


class Recorder(Tape):
    """Plays through to the real thing, and writes every question and answer to a file."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        try:
            self._out = path.open("xb", buffering=0)
        except FileExistsError:
            raise InvalidError(
                f"{path} is there already; record elsewhere", code="recording"
            ) from None

    def begin(self, **head: Json) -> None:
        self._write({**_HEADER, **head})

    async def ask(self, tick: int, request: dict[str, Json], ask: Ask) -> ToolReply:
        asked = self._asked(tick, request)
        began = monotonic()
        try:
            reply = await ask()
        except ThorpError as failure:
            error = _Failure(failure.code, str(failure))
            self._write(replace(asked, error=error, seconds=round(monotonic() - began, 3)))
            raise
        self._write(replace(asked, reply=reply, seconds=round(monotonic() - began, 3)))
        return reply

    def acted(self, call: str, action: Json, said: str) -> None:
        self._write(Acted(self._number, call, action, said))

    def _write(self, line: object) -> None:
        self._out.write(insertion_bytes(msgspec.to_builtins(line)) + b"\n")


class Player(Tape):
    """Answers from a recording, and notes where a run asks for something else."""

    def __init__(self, path: Path) -> None:
        """Refuses what is no recording, by its line."""
        super().__init__()
        self._asks = deque[Asked]()
        self._acts = deque[Acted]()
        self._different = list[str]()
        lines = read_recording(path.read_bytes(), str(path), _HEADER, Asked | Acted)
        self._header: dict[str, Json] = next(lines, {})
        if not self._header:
            raise InvalidError(f"{path} is empty", code="recording")
        for number, line in enumerate(lines, start=2):
            if isinstance(line, Acted):
                self._acts.append(line)
            elif (line.reply is None) == (line.error is None):
                told = "expected either a reply or an error"
                raise InvalidError(f"{path}, line {number}: {told}", code="recording")
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

    def _differ(self, what: str, then: Json, now: Json) -> None:
        before, after = (insertion_bytes(each).decode() for each in (then, now))
        same = len(commonprefix([before, after]))  # noqa: RUF071
        excerpts = [each[same : same + SHOWN_CHARACTERS] for each in (before, after)]
        self._different.append(
            f"{what} is not the recorded one: it was …{excerpts[0]}…, now …{excerpts[1]}…"
        )
