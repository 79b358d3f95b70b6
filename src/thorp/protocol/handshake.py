"""The handshake of a session: HELLO or SUBSCRIBE, then WELCOME and the catalogs of the world.

If the first frame of a connection is wrong, the connection is closed with the reason. Only fields
that are used are read. Numbers that are too large or too small are brought into their range,
because clients ask for whatever they would like best; a field of the wrong type is refused by name.
"""

from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from thorp.kernel.errors import InvalidError
from thorp.protocol.actions import Flag, Name, Text, Vector
from thorp.protocol.frame import PROTOCOL_VERSION, FieldError, Outline, clip, members, outline, read
from thorp.protocol.observer import OBSERVER_VERSION, Subscribe

LOCKSTEP: Final = "lockstep"

POLICY_VIOLATION: Final = 1008
MAX_REASON_BYTES: Final = 123  # What a close frame has room for (RFC 6455, section 5.5).

DEFAULT_NAME: Final = "agent"
MAX_NAME_BYTES: Final = 64  # Names stand in logs, on pages and in tables; a longer one is cut.
MAX_TITLE_BYTES: Final = 24

# By field: the default, which 0 and less stand for, and the maximum. An OBS that waits has some 6
# kB, the surface of a chunk 1 kB, its voxels 43 kB.
RANGES: Final = {
    "max_queue": (8, 64),
    "chunk_radius": (6, 32),
    "max_chunks": (1024, 16384),
    "voxel_radius": (0, 8),
    "voxel_max_chunks": (256, 2048),
}


class ProtocolMessage(Struct, kw_only=True, tag_field="type"):
    """A frame: an object with `type` and `protocol_version`."""

    protocol_version: Literal["0.9"] = "0.9"


class Capabilities(Struct, kw_only=True):
    """What a client can handle, as it says in HELLO."""

    delta_voxels: bool = False
    max_queue: int = 8  # OBS that may wait for a slow reader before the oldest is dropped.


class Auth(Struct, kw_only=True):
    """The resume token with which an agent takes its body back."""

    token: str


class Hello(ProtocolMessage, tag="HELLO", kw_only=True):
    """The first frame from an agent: who it is, and what it can handle."""

    agent_name: str
    capabilities: Capabilities
    auth: Auth | UnsetType = UNSET
    title: str | UnsetType = UNSET  # What it is in the world, in its own words, for spectators.

    @property
    def token(self) -> str:
        """The resume token, or the empty text."""
        return self.auth.token if isinstance(self.auth, Auth) else ""


class WorldParams(Struct, kw_only=True):
    """The constants of a world that an agent needs in order to plan."""

    tick_rate_hz: int
    chunk_size: tuple[int, int, int]  # x, z and height, in this order.
    height: int
    obs_radius: int
    day_ticks: int
    seed: int
    clock: str | UnsetType = UNSET
    """`lockstep` where a tick waits for an ACT of every agent; else absent."""


class PaletteDigest(Struct, kw_only=True):
    """The digest of a palette and the number of its entries."""

    digest: str
    count: int


class CatalogDigests(Struct, kw_only=True):
    """The digests of all catalogs, so that a client can keep those it already has."""

    block_palette: PaletteDigest
    item_palette: PaletteDigest
    recipes_digest: str
    blueprints_digest: str
    law_templates_digest: str
    events_digest: str
    tuning_digest: str = ""


class Welcome(ProtocolMessage, tag="WELCOME", kw_only=True):
    """The world's answer to HELLO: the agent's id, its resume token, and the world's constants."""

    agent_id: str
    resume_token: str
    world_params: WorldParams
    catalogs: CatalogDigests
    token_unknown: bool | UnsetType = UNSET
    """HELLO's token was nobody's: this is a new body. Else absent."""


class Retire(ProtocolMessage, tag="RETIRE", kw_only=True):
    """From the agent: take my body out of the world, for good. Servers that do not know it ignore
    it."""


class Catalog(ProtocolMessage, tag="CATALOG", kw_only=True):
    """One part of a catalog, such as the block palette or the recipes."""

    name: str
    digest: str
    part: int = 1
    total_parts: int = 1
    data: Any


Integer = Annotated[int, Meta(description="an integer")]


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
    fields, kind, version = _opened(frame, HelloError("expected HELLO"))
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
    fields, kind, version = _opened(frame, SubscribeError("bad subscribe"))
    if (kind, version) != ("SUBSCRIBE", OBSERVER_VERSION):
        raise SubscribeError("expected SUBSCRIBE")
    try:
        return Subscribe(
            chunk_radius=_ranged(fields, "chunk_radius"),
            max_chunks=_ranged(fields, "max_chunks"),
            focus_agent_id=read(fields.get("focus_agent_id"), Name, "focus_agent_id") or "",
            focus_pos=read(fields.get("focus_pos"), Vector, "focus_pos"),
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
            delta_voxels=read(wanted.get("delta_voxels"), Flag, "capabilities.delta_voxels")
            or False,
            max_queue=_ranged(wanted, "max_queue", "capabilities."),
        ),
        auth=Auth(token=token.strip()),
        title=clip(read(fields.get("title"), Text, "title") or "", MAX_TITLE_BYTES) or UNSET,
    )


def _opened(frame: bytes, unreadable: HandshakeError) -> tuple[Outline, str | None, str | None]:
    """The fields of a first frame, its type and its version."""
    try:
        fields = outline(frame)
        kind, version = (
            read(fields.get(name), Text, name) for name in ("type", "protocol_version")
        )
    except FieldError:
        raise unreadable from None
    return fields, kind, version


def _ranged(fields: Outline, name: str, prefix: str = "") -> int:
    wanted: int = read(fields.get(name), Integer, prefix + name) or 0
    default, most = RANGES[name]
    return min(wanted, most) if wanted > 0 else default
