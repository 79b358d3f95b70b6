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
"""The most repetitions that a governor counts: a larger penalty would make it prefer anything else,
however useless."""


class Governor:
    """A profile with its memory: decides and acts for one role."""

    def __init__(self, profile: dict[str, Json], policy: str | Policy = "ranked") -> None:
        self.profile = profile
        self._policy = policy
        self.memory: dict[str, Json] = {}

    def handoff(self, snapshot: dict[str, Json]) -> dict[str, Json]:
        """The handoff of this governor's proposal for a town in this state."""
        return build_handoff(propose(snapshot, self.profile, self.memory, policy=self._policy))

    def act(self, world: TownWorld) -> dict[str, Json]:
        """Look at the town, decide, hand off; return the result."""
        handoff = self.handoff(world.snapshot(self.profile["townId"]))
        result = world.execute(handoff)
        self.remember(handoff["proposal"])
        return result

    def remember(self, proposal: dict[str, Json]) -> None:
        """Remember what was proposed last, and how often in a row."""
        last = {"lastType": proposal["type"], "lastTarget": target_of(proposal)}
        is_repeated = all(self.memory.get(name) == value for name, value in last.items())
        repeats = self.memory["repeatCount"] + 1 if is_repeated else 1
        self.memory = {**last, "repeatCount": min(repeats, REPEATS_REMEMBERED)}


class Council:
    """The built-in governors of a town: mayor, captain and warden."""

    def __init__(self, town_id: str, policy: str | Policy = "ranked") -> None:
        self.town_id = town_id
        self.governors = [Governor(built_in_profile(role, town_id), policy) for role in ROLES]

    def recall(self, proposals: Iterable[dict[str, Json]]) -> None:
        """Let each governor remember its own proposals among these, oldest first, as if it had made
        them in this process."""
        for proposal in proposals:
            for governor in self.governors:
                if proposal["actorId"] == governor.profile["id"]:
                    governor.remember(proposal)

    def sit(self, world: TownWorld) -> Iterator[tuple[str, dict[str, Json]]]:
        """One turn for each governor: yields its role and the result of its handoff."""
        for governor in self.governors:
            yield governor.profile["role"], governor.act(world)
