"""The first frame of a connection, HELLO or SUBSCRIBE: right, or the connection closes and says why.

Only fields that are used are read. Numbers that are too large or too small are brought into their range,
because clients ask for whatever they would like best; a field of the wrong type is refused by name.
"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from thorp.kernel.errors import InvalidError
from thorp.protocol.actions import Flag, Name, Text
from thorp.protocol.frame import PROTOCOL_VERSION, FieldError, Outline, clip, members, outline, read
from thorp.protocol.messages import Auth, Capabilities, Hello
from thorp.protocol.observer import OBSERVER_VERSION, Subscribe

POLICY_VIOLATION: Final = 1008
# What a close frame has room for (RFC 6455, section 5.5).
MAX_REASON_BYTES: Final = 123

DEFAULT_NAME: Final = "agent"
# Names stand in logs, on pages and in tables; a longer one is cut.
MAX_NAME_BYTES: Final = 64

Integer = Annotated[int, Meta(description="an integer")]

# By field: what 0 and less stand for, and the most there is. An OBS that waits has some 6 kB, the surface of
# a chunk 1 kB, its voxels 43 kB.
RANGES: Final = {
    "max_queue": (8, 64),
    "chunk_radius": (6, 32),
    "max_chunks": (1024, 16384),
    "voxel_radius": (0, 8),
    "voxel_max_chunks": (256, 2048),
}


class HandshakeError(InvalidError):
    """Close the connection with `close_code` and `reason`."""

    code = "bad_handshake"
    close_code = POLICY_VIOLATION

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = clip(reason, MAX_REASON_BYTES)


class HelloError(HandshakeError):
    """The first frame of an agent is not a valid HELLO."""

    code = "bad_hello"


class SubscribeError(HandshakeError):
    """A frame of an observer is not a valid SUBSCRIBE."""

    code = "bad_subscribe"


def read_hello(frame: bytes) -> Hello:
    """The HELLO in a frame, its defaults filled in; raises HelloError, and nothing else."""
    try:
        fields = outline(frame)
        kind, version = _head(fields)
    except FieldError:
        raise HelloError("expected HELLO") from None
    if kind != "HELLO":
        raise HelloError("expected HELLO")
    if version != PROTOCOL_VERSION:
        raise HelloError("bad protocol_version")
    try:
        return _hello(fields)
    except FieldError as problem:
        raise HelloError(problem.message) from None


def read_subscribe(frame: bytes) -> Subscribe:
    """The SUBSCRIBE in a frame, its defaults filled in; raises SubscribeError, and nothing else."""
    try:
        fields = outline(frame)
        head = _head(fields)
    except FieldError:
        raise SubscribeError("bad subscribe") from None
    if head != ("SUBSCRIBE", OBSERVER_VERSION):
        raise SubscribeError("expected SUBSCRIBE")
    try:
        return Subscribe(
            chunk_radius=_ranged(fields, "chunk_radius"),
            max_chunks=_ranged(fields, "max_chunks"),
            focus_agent_id=read(fields.get("focus_agent_id"), Name, "focus_agent_id") or "",
            voxel_radius=_ranged(fields, "voxel_radius"),
            voxel_max_chunks=_ranged(fields, "voxel_max_chunks"),
        )
    except FieldError as problem:
        raise SubscribeError(problem.message) from None


def _hello(fields: Outline) -> Hello:
    wanted = members(fields.get("capabilities"), "capabilities")
    auth = members(fields.get("auth"), "auth")
    name = read(fields.get("agent_name"), Text, "agent_name") or ""
    token = read(auth.get("token"), Text, "auth.token") or ""
    return Hello(
        agent_name=clip(name, MAX_NAME_BYTES) or DEFAULT_NAME,
        capabilities=Capabilities(
            delta_voxels=read(wanted.get("delta_voxels"), Flag, "capabilities.delta_voxels") or False,
            max_queue=_ranged(wanted, "max_queue", "capabilities."),
        ),
        auth=Auth(token=token.strip()),
    )


def _head(fields: Outline) -> tuple[str | None, str | None]:
    kind, version = (read(fields.get(name), Text, name) for name in ("type", "protocol_version"))
    return kind, version


def _ranged(fields: Outline, name: str, prefix: str = "") -> int:
    wanted: int = read(fields.get(name), Integer, prefix + name) or 0
    default, most = RANGES[name]
    return min(wanted, most) if wanted > 0 else default
