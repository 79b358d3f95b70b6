"""Governors of all roles, for any world: look, decide, hand off, and remember what was done.

One sitting of a council is one turn for each governor, in the order of their roles. Each looks at
the town after the one before has acted, so nobody's handoff is stale by a colleague's doing.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from thorp.kernel.canonical import Json
from thorp.town.cognition import Policy, propose
from thorp.town.handoff import build_handoff
from thorp.town.handoff_judge import TownWorld
from thorp.town.profile import ROLES, built_in_profile
from thorp.town.proposal import target_of

REPEATS_REMEMBERED: Final = 3
"""How far a governor counts doing the same again; more would drive it to do anything else at
all."""


class Governor:
    """One profile and its memory."""

    def __init__(self, profile: dict[str, Json], policy: str | Policy = "ranked") -> None:
        self.profile = profile
        self._policy = policy
        self.memory: dict[str, Json] = {}

    def handoff(self, snapshot: dict[str, Json]) -> dict[str, Json]:
        """This governor's proposal for a town in this state."""
        return build_handoff(propose(snapshot, self.profile, self.memory, policy=self._policy))

    def act(self, world: TownWorld) -> dict[str, Json]:
        """Look at the town, decide, hand off; return the result."""
        handoff = self.handoff(world.snapshot(self.profile["townId"]))
        result = world.execute(handoff)
        self.remember(handoff["proposal"])
        return result

    def remember(self, proposal: dict[str, Json]) -> None:
        """Take note of what was proposed last."""
        done = {"lastType": proposal["type"], "lastTarget": target_of(proposal)}
        same = all(self.memory.get(name) == value for name, value in done.items())
        repeats = self.memory["repeatCount"] + 1 if same else 1
        self.memory = {**done, "repeatCount": min(repeats, REPEATS_REMEMBERED)}


class Council:
    """The built-in governors of a town: mayor, captain and warden."""

    def __init__(self, town_id: str, policy: str | Policy = "ranked") -> None:
        self.town_id = town_id
        self.governors = [Governor(built_in_profile(role, town_id), policy) for role in ROLES]

    def recall(self, proposals: Iterable[dict[str, Json]]) -> None:
        """Let each governor remember its own among these, oldest first, as after sitting before."""
        for proposal in proposals:
            for governor in self.governors:
                if proposal["actorId"] == governor.profile["id"]:
                    governor.remember(proposal)

    def sit(self, world: TownWorld) -> Iterator[tuple[str, dict[str, Json]]]:
        """One turn for each governor: the role, and what became of its handoff."""
        for governor in self.governors:
            yield governor.profile["role"], governor.act(world)
