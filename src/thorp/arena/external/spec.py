"""Parses specs of agents (`random`, `file.py:Class`, `cmd:…`, `ws:…`, `http://…`, `model:…`,
`local`) and seats (`[ID=]SPEC`), as `docs/agents.md` describes them. A seat without an id is called
KIND-N, where N counts from 1."""

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, TypeAlias
from urllib.parse import urlsplit

import msgspec

from thorp.arena.contract import Seat
from thorp.kernel.errors import InvalidError

SHOWN_LIMIT = 80  # How much of a bad spec an error message repeats, to stay one readable line.

_BOT_KIND = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")


class BotSpec(msgspec.Struct, frozen=True):
    """A bot that comes with the scenario, by its kind: `greedy`."""

    kind: str


class FileSpec(msgspec.Struct, frozen=True):
    """A class in a Python file: `agent.py:Class`."""

    path: str
    class_name: str

    @property
    def kind(self) -> str:
        """The name of its class, after which a seat without an id is called."""
        return self.class_name


class CommandSpec(msgspec.Struct, frozen=True):
    """A command that speaks the agent protocol over its standard input and output: `cmd:…`."""

    kind: ClassVar[str] = "cmd"
    command: tuple[str, ...]


class SocketSpec(CommandSpec, frozen=True):
    """A command that plays over a WebSocket, in a world: `ws:…`."""

    kind: ClassVar[str] = "ws"


class RemoteSpec(msgspec.Struct, frozen=True):
    """An agent that answers at an address: `http://…`."""

    kind: ClassVar[str] = "http"
    url: str


class ModelSpec(msgspec.Struct, frozen=True):
    """A language model behind the endpoint that the environment names: `model:NAME`."""

    kind: ClassVar[str] = "model"
    model: str


class LocalSpec(ModelSpec, frozen=True):
    """The embedded model of this machine, `local`, or `local:NAME` for another one. A recording
    calls all of them `local`: where a file lies is nobody's business."""

    kind: ClassVar[str] = "local"
    name: str = ""


LOCAL = "local"

Spec: TypeAlias = BotSpec | FileSpec | CommandSpec | RemoteSpec | ModelSpec


def parse_spec(text: str) -> Spec:
    """Parse a spec. Refuses malformed text; whether the agent exists is checked when it is
    opened."""
    scheme, _, rest = text.partition(":")
    if scheme in ("cmd", "ws"):
        command = _parse_command(text, rest)
        return CommandSpec(command) if scheme == "cmd" else SocketSpec(command)
    if scheme in ("http", "https"):
        return _parse_url(text)
    if scheme == "model":
        if not rest.strip():
            raise _refusal(text, "write model:NAME with the model's name")
        return ModelSpec(rest)
    if scheme == LOCAL:
        if text != LOCAL and not rest.strip():
            raise _refusal(text, "write local, or local:PATH.gguf with the model's file")
        return LocalSpec(LOCAL, rest)
    if ".py" in text:
        path, _, class_name = text.rpartition(":")
        if not path.endswith(".py") or not class_name.isidentifier() or "\0" in path:
            raise _refusal(text, "write file.py:Class with the file and the class in it")
        return FileSpec(path, class_name)
    if not _BOT_KIND.match(text):
        kinds = (
            "a bot's kind, file.py:Class, cmd:COMMAND, ws:COMMAND, http://…, model:NAME or local"
        )
        raise _refusal(text, f"write {kinds}")
    return BotSpec(text)


def _parse_command(text: str, rest: str) -> tuple[str, ...]:
    try:
        command = tuple(shlex.split(rest))
    except ValueError:
        raise _refusal(text, "a quotation in the command has no end") from None
    if not command or not command[0]:
        raise _refusal(text, f"write {text.partition(':')[0]}:COMMAND with the command to run")
    if "\0" in rest:
        raise _refusal(text, "a command cannot hold a NUL character")
    return command


def _parse_url(text: str) -> RemoteSpec:
    try:
        parts = urlsplit(text)
        # Reading the port checks that it is a number.
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not text.isprintable() or " " in text:
        raise _refusal(text, "write http://HOST:PORT/PATH")
    if "@" in parts.netloc:
        # Specs are kept in manifests, and manifests are published.
        raise _refusal(
            "http://…@…", "an address with a password in it would be kept in the manifest"
        )
    return RemoteSpec(text)


def _refusal(text: str, remedy: str) -> InvalidError:
    excerpt = text if len(text) <= SHOWN_LIMIT else text[:SHOWN_LIMIT] + "…"
    return InvalidError(f"cannot read agent {excerpt!r}; {remedy}", code="agent_spec")


def parse_seats(texts: Sequence[str]) -> tuple[Seat, ...]:
    """Parse seats. Refuses an empty list, empty or repeated ids, and malformed specs."""
    if not texts:
        raise InvalidError(
            "a match needs an agent; give --agent [ID=]SPEC at least once", code="no_agents"
        )
    unnamed: Counter[str] = Counter()
    seats: dict[str, Seat] = {}
    for text in texts:
        id, spec = _split(text)
        kind = parse_spec(spec).kind
        if id is None:
            unnamed[kind] += 1
            id = f"{kind}-{unnamed[kind]}"
        if id in seats:
            raise InvalidError(
                f"two agents are called {id!r}; name one with ID=SPEC", code="duplicate_agent"
            )
        seats[id] = Seat(id, spec)
    return tuple(seats.values())


def _split(text: str) -> tuple[str | None, str]:
    """The id of a seat, if it is given, and its spec. A colon or slash before `=` belongs to an
    address or a path."""
    id, equals, spec = text.partition("=")
    if not equals or ":" in id or "/" in id:
        return None, text
    if not id.strip() or not id.isprintable():
        raise InvalidError(
            f"the agent id {id!r} is empty or unprintable; write ID=SPEC, or SPEC alone",
            code="agent_id",
        )
    return id, spec
