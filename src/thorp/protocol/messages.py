"""What opens a session: HELLO from the agent, then WELCOME and the catalogs from the world.

These types are for writing, for agents and for the schemas. How a server reads a HELLO that may be wrong
stands in `thorp.protocol.handshake`; OBS has a file of its own, and so has ACT.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import UNSET, Struct, UnsetType

LOCKSTEP: Final = "lockstep"


class Message(Struct, kw_only=True, tag_field="type"):
    """A frame: an object with `type` and `protocol_version`."""

    protocol_version: Literal["0.9"] = "0.9"


class Capabilities(Struct, kw_only=True):
    delta_voxels: bool = False
    max_queue: int = 8
    """OBS that may wait for a slow reader before the oldest is dropped."""


class Auth(Struct, kw_only=True):
    token: str


class Hello(Message, tag="HELLO", kw_only=True):
    agent_name: str
    capabilities: Capabilities
    auth: Auth | UnsetType = UNSET

    @property
    def token(self) -> str:
        """The resume token, or the empty text."""
        return self.auth.token if isinstance(self.auth, Auth) else ""


class WorldParams(Struct, kw_only=True):
    tick_rate_hz: int
    chunk_size: tuple[int, int, int]
    """x, z and height, in this order."""
    height: int
    obs_radius: int
    day_ticks: int
    seed: int
    clock: str | UnsetType = UNSET
    """`lockstep` where a tick waits for an ACT of every agent; else absent."""


class PaletteDigest(Struct, kw_only=True):
    digest: str
    count: int


class CatalogDigests(Struct, kw_only=True):
    block_palette: PaletteDigest
    item_palette: PaletteDigest
    recipes_digest: str
    blueprints_digest: str
    law_templates_digest: str
    events_digest: str
    tuning_digest: str = ""


class Welcome(Message, tag="WELCOME", kw_only=True):
    agent_id: str
    resume_token: str
    world_params: WorldParams
    catalogs: CatalogDigests
    token_unknown: bool | UnsetType = UNSET
    """HELLO had a token that is nobody's: this is a new body. Not there otherwise."""


class Retire(Message, tag="RETIRE", kw_only=True):
    """From the agent: take my body out of the world, for good. Servers that do not know it ignore it."""


class Catalog(Message, tag="CATALOG", kw_only=True):
    name: str
    digest: str
    part: int = 1
    total_parts: int = 1
    data: Any
