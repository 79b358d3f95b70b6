"""The first eight frames of every agent: WELCOME and the seven catalogs, which are encoded once for a world.

Digests are SHA-256 over the text of a catalog's `data` exactly as it is sent, so a client can check each.
"""

from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import UNSET

from thorp.protocol.handshake import LOCKSTEP, Catalog, CatalogDigests, PaletteDigest, Welcome, WorldParams
from thorp.server.connection import Connection
from thorp.server.frames import text_frame
from thorp.voxel.state.ground import CHUNK, HEIGHT
from thorp.voxel.state.world import World
from thorp.voxel.tuning import tuning_catalog

CATALOGS: Final = (
    "block_palette",
    "item_palette",
    "tuning",
    "recipes",
    "blueprints",
    "law_templates",
    "events",
)
CHUNK_SIZE: Final = (CHUNK, CHUNK, HEIGHT)

_encode = msgspec.json.encode


class Greeting:
    """The first eight frames of a session."""

    def __init__(self, world: World, clock: str = "real") -> None:
        self._agents = world.agents
        data: dict[str, Any] = {**world.catalogs.lists(), "tuning": tuning_catalog(world.tuning)}
        texts = {name: _encode(data[name]) for name in CATALOGS}
        digests = {name: sha256(text).hexdigest() for name, text in texts.items()}
        self.catalogs = b"".join(
            text_frame(_encode(Catalog(name=name, digest=digests[name], data=msgspec.Raw(texts[name]))))
            for name in CATALOGS
        )
        self._params = WorldParams(
            tick_rate_hz=world.tuning.tick_rate_hz,
            chunk_size=CHUNK_SIZE,
            height=HEIGHT,
            obs_radius=world.tuning.obs_radius,
            day_ticks=world.tuning.day_ticks,
            seed=world.seed,
            clock=clock if clock == LOCKSTEP else UNSET,
        )
        self._digests = CatalogDigests(
            block_palette=PaletteDigest(digest=digests["block_palette"], count=len(data["block_palette"])),
            item_palette=PaletteDigest(digest=digests["item_palette"], count=len(data["item_palette"])),
            recipes_digest=digests["recipes"],
            blueprints_digest=digests["blueprints"],
            law_templates_digest=digests["law_templates"],
            events_digest=digests["events"],
            tuning_digest=digests["tuning"],
        )

    def frames(self, newcomer: Connection) -> bytes:
        """WELCOME and the catalogs, ready to be written."""
        welcome = Welcome(
            agent_id=self._agents[newcomer.number].id,
            resume_token=newcomer.token,
            world_params=self._params,
            catalogs=self._digests,
            token_unknown=UNSET if newcomer.resumed or not newcomer.presented_hash else True,
        )
        return text_frame(_encode(welcome)) + self.catalogs
