"""What a server is asked to do: the options of `thorp up`."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from thorp.server.access.tokens import Role
from thorp.server.live.clocks import MOVE_DEADLINE_SECONDS
from thorp.server.sockets.spectators import MAX_VIEWERS
from thorp.voxel import Tuning

WORLD: Final = "world"
"""The world's own directory inside the data directory."""
Say = Callable[[str], None]
"""Prints a line for the person who started the server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The options of `thorp up`, each of which its help describes."""

    data: Path
    host: str = "127.0.0.1"
    port: int = 8080
    seed: int | None = None
    draw_seed: int | None = None
    tuning: Tuning | None = None
    founding: Tuning | None = None
    """The tuning of a village that is founded here: `tuning`, and the village's own rules over
    it."""
    retune: bool = False
    seasons: bool = False
    bots: int = 0
    village: bool = False
    minds: int = 0
    mind_model: str = ""
    """What chooses for them: the embedded model by default, or one by its name or file."""
    clock: str = "real"
    move_deadline_seconds: float = MOVE_DEADLINE_SECONDS
    retain_days: int | None = None
    accept_loss: bool = False
    fresh: bool = False
    max_viewers: int = MAX_VIEWERS
    senders: int = 0
    loopback: Role = Role.NEIGHBOUR
    """The role of this machine's own processes that show no token."""
    writer: str = "offline"
    chronicle: bool | None = None
    """Whether the story chronicles the world. None: it does if there is a village and its story
    allows it."""
    database: str | None = None
    log: bool = False
    open_book: bool = False
    beside: Path | None = None
    """Another data directory, whose run is shown beside this one."""
