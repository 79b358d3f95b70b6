"""A world that is being played, and everything that shows it."""

from dataclasses import dataclass, field

from thorp.observer.annals import Annals
from thorp.server.http.surfaces import Surfaces
from thorp.server.http.tape_view import TapeView
from thorp.server.live.followed_agents import FollowedAgents
from thorp.server.live.mind_log import MindLog
from thorp.server.live.tick_loop import TickLoop
from thorp.server.processes.supervision import VILLAGERS, Supervised
from thorp.server.sockets.agents import Agents
from thorp.server.sockets.spectators import Spectators
from thorp.voxel import WorldService


@dataclass(slots=True)
class LiveWorld:
    """A world that is being played."""

    service: WorldService
    agents: Agents
    spectators: Spectators
    loop: TickLoop
    surfaces: Surfaces
    annals: Annals
    tape: TapeView | None = None
    """Shows the past; None if no tape is kept."""
    helpers: list[Supervised | FollowedAgents] = field(default_factory=list)
    """The bots, villagers and senders that the server runs for it; on a follower, its leader."""

    minds: MindLog = field(default_factory=MindLog)
    """What the minds among the villagers decided lately."""

    @property
    def has_village(self) -> bool:
        """Whether the server runs villagers in it."""
        return any(helper.name == VILLAGERS for helper in self.helpers)
