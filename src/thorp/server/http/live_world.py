"""A world that is being played, and everything that shows it."""

from dataclasses import dataclass, field

from thorp.observer.annals import Annals
from thorp.server.http.surfaces import Surfaces
from thorp.server.http.tape_view import TapeView
from thorp.server.live.followed_agents import FollowedAgents
from thorp.server.live.tick_loop import TickLoop
from thorp.server.processes.supervision import VILLAGERS, Supervised
from thorp.server.sockets.agents import Agents
from thorp.server.sockets.spectators import Spectators
from thorp.voxel.service import WorldService


@dataclass(slots=True)
class Live:
    """A world that is being played."""

    service: WorldService
    agents: Agents
    spectators: Spectators
    loop: TickLoop
    surfaces: Surfaces
    annals: Annals
    tape: TapeView | None = None
    """What can be seen of the past; None if no tape is kept."""
    helpers: list[Supervised | FollowedAgents] = field(default_factory=list)
    """The bots and villagers that the server runs in it; of a follower, its leader."""

    @property
    def has_village(self) -> bool:
        return any(helper.name == VILLAGERS for helper in self.helpers)
