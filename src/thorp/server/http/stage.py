"""Knows what a server is doing, and whether its world is open. Every handler is given this, and
nothing else knows.

    state      entered by               meaning
    opening    wait_for(reason)         the socket answers, and the world is being opened
    founding   show_founding(progress)  a new village lives through its first days
    live       begin(live)              the world is played, and stops by itself if the disk fails
    opening    end(reason)              the world is not shown any more; a follower copies it again

`wait_for` and `show_founding` are called from the thread that founds a village, and only set a
field; everything else happens in the event loop.
"""

from typing import Final, Literal

import msgspec

from thorp.server.access.requests import Refused
from thorp.server.http.live_world import LiveWorld
from thorp.server.http.tape_view import TapeView
from thorp.village.founding import Founding

OPENING: Final = "the world is being opened"


class Status(msgspec.Struct, omit_defaults=True):
    """What a server is doing, for a client that waits for its world without being refused."""

    state: Literal["opening", "founding", "live", "stopped"]
    details: str = ""
    """Why the world is not being played, in words; absent if it is."""
    founding: Founding | None = None
    """How far the founding of the village has come; absent unless one is being founded."""


class Stage:
    """What a server is doing, and its world once that is played."""

    def __init__(self, reason: str = OPENING, *, leader: str | None = None) -> None:
        self.leader = leader
        """The server whose world this one follows, and only shows; None if it has its own."""
        self._reason = reason
        self._founding: Founding | None = None
        self._live: LiveWorld | None = None

    @property
    def live(self) -> LiveWorld | None:
        """The world, if one is being played or has stopped by itself."""
        return self._live

    @property
    def founding(self) -> Founding | None:
        """How far the founding of a village has come; None if the world is played, or if no village
        is being founded."""
        return None if self._live is not None else self._founding

    # Transitions

    def wait_for(self, reason: str) -> None:
        """Say why the world is not open yet."""
        self._reason = reason

    def show_founding(self, progress: Founding) -> None:
        """Say how far the founding of the village has come."""
        self._founding = progress

    def begin(self, live: LiveWorld) -> None:
        """Show this world from now on: it is played."""
        self._live = live

    def end(self, reason: str) -> None:
        """Do not show the world any more, for this reason."""
        self._reason = reason
        self._founding = None
        self._live = None

    # Questions

    def require_live(self) -> LiveWorld:
        """The world that is being played; refused with 503 if there is none."""
        # After a failure a follower's state may differ from its leader's, so it is not shown.
        if self._live is None or (self.leader is not None and self._live.loop.failure is not None):
            raise Refused(503, "not_ready", self.not_ready_because() or self._reason)
        return self._live

    def require_tape(self) -> TapeView:
        """The view of the past; refused with 404 if no tape is kept."""
        tape = self.require_live().tape
        if tape is None:
            raise Refused(404, "no_tape", "this server keeps no tape of the past")
        return tape

    def not_ready_because(self) -> str | None:
        """Why the world is not being played as it should be; None if it is."""
        if self._live is None:
            return self._reason
        failure = self._live.loop.failure
        if failure is not None:
            return f"the world has stopped: {failure}"
        troubles = (helper.trouble for helper in self._live.helpers if not helper.optional)
        return next((trouble for trouble in troubles if trouble is not None), None)

    def status(self) -> Status:
        """The answer to the question what the server is doing."""
        details = self.not_ready_because() or ""
        if self._live is not None:
            return Status("live" if self._live.loop.failure is None else "stopped", details)
        return Status("opening" if self._founding is None else "founding", details, self._founding)
