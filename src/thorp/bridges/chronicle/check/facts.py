"""The facts of a world over a stretch of ticks: the deeds that happened, who was there, who owned
which land, and which buildings stood.

A page of a chronicle is judged by these facts, which are taken from the world's events and state as
its journal is executed again, and not from the notices that the chronicle was written from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from thorp.bridges.chronicle.check.deeds import Deed, Event, WorldDeeds
from thorp.bridges.chronicle.names import NAME_LIMIT, is_name, plain
from thorp.kernel.text import printable
from thorp.voxel import World

DEEDS_LIMIT: Final = 20_000
"""Deeds that are kept of one stretch: a thousand people do fewer in a quarter of a day. Later ones
are not judged."""
GONE_LIMIT: Final = 10_000
"""Bodies that were removed for good whose names are kept: those of years."""


class BodyStay(NamedTuple):
    """One body of the world, and when it came and went for good."""

    id: str
    name: str
    joined: int
    gone: int | None = None


class WorldFacts:
    """The facts of a world, tick by tick; those of the stretch since the last `restart`."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._world_deeds = WorldDeeds(world)
        self.first = world.tick + 1
        self.deeds: list[Deed] = []
        self.owners: set[str] = {claim.owner for claim in world.claims}
        """Who owned land at any tick of the stretch."""
        self.orgs: dict[str, str] = {org.id: org.name for org in world.orgs}
        """The name of every organisation that there was."""
        self.bodies: dict[str, BodyStay] = {
            agent.id: BodyStay(agent.id, agent.name, agent.joined_tick) for agent in world.agents
        }
        self.built: dict[str, int] = {}
        """The first tick in which each kind of building was finished."""
        for structure in world.structures:
            self._note_building(structure.blueprint_id, structure.completed_tick)
        self._gone: list[str] = []
        self._wheat = world.catalogs.block_number["WHEAT_RIPE"]

    def restart(self) -> None:
        """Begin another stretch, with the last tick of the world, which is not taken in yet."""
        self.first = self.world.tick
        self.deeds = []
        self.owners = {claim.owner for claim in self.world.claims}

    @property
    def last(self) -> int:
        """The last tick of the stretch."""
        return self.world.tick

    def follow(self, world: World) -> None:
        """Go on with a world that took the place of the other."""
        self.world = world
        self._world_deeds.world = world

    def look(self) -> None:
        """Take the last tick in."""
        world = self.world
        for event in world.scratch.public_events:
            kind = str(event["kind"])
            note = _NOTES.get(kind)
            if note is not None:
                note(self, event)
            if len(self.deeds) < DEEDS_LIMIT:
                self.deeds += self._world_deeds.of_event(event)
        for change in world.scratch.block_changes:
            if change.before == self._wheat and change.reason == "MINE":
                self.deeds.append(self._world_deeds.harvest(change.actor, change.position))

    def of_kind(self, kind: str) -> list[Deed]:
        """The deeds of one kind in the stretch."""
        return [deed for deed in self.deeds if deed.kind == kind]

    def why_absent(self, agent_id: str) -> tuple[str, str] | None:
        """By which rule a body could not have acted in the stretch, and what the world says; None
        if it could."""
        body = self.bodies[agent_id]
        called = f"{printable(body.name)} ({body.id})"
        if body.gone is not None and body.gone < self.first:
            return "dead", f"the body of {called} was gone for good with tick {body.gone}"
        if body.joined > self.last:
            return "absent", f"{called} came with tick {body.joined}"
        agent = self.world.agent_by_id(agent_id)
        if agent is not None and not agent.attached and agent.left_tick < self.first:
            return "absent", f"{called} was away since tick {agent.left_tick}"
        return None

    # Notes

    def _note_building(self, plan: str, tick: int) -> None:
        self.built[plan] = min(tick, self.built.get(plan, tick))

    def _note_built(self, event: Event) -> None:
        self._note_building(str(event["blueprint_id"]), self.world.tick)

    def _note_join(self, event: Event) -> None:
        agent_id = str(event["agent"])
        if agent_id not in self.bodies:
            self.bodies[agent_id] = BodyStay(agent_id, str(event["name"]), self.world.tick)

    def _note_leave(self, event: Event) -> None:
        agent_id = str(event["agent"])
        body = self.bodies.get(agent_id)
        if body is None or self.world.agent_by_id(agent_id) is not None:
            return  # its owner left, and the body sleeps
        self.bodies[agent_id] = body._replace(gone=self.world.tick)
        self._gone.append(agent_id)
        if len(self._gone) > GONE_LIMIT:
            del self.bodies[self._gone.pop(0)]

    def _note_owner(self, event: Event) -> None:
        claim = self.world.claims.get(str(event.get("land_id")))
        if claim is not None:
            self.owners.add(claim.owner)

    def _note_org(self, event: Event) -> None:
        org = self.world.orgs.get(str(event["org_id"]))
        if org is not None:
            self.orgs[org.id] = org.name


_NOTES: Final[dict[str, Callable[[WorldFacts, Event], None]]] = {
    "BUILT": WorldFacts._note_built,
    "CLAIM_LAND": WorldFacts._note_owner,
    "CREATE_ORG": WorldFacts._note_org,
    "DEED_LAND": WorldFacts._note_owner,
    "INHERITED_LAND": WorldFacts._note_owner,
    "JOIN": WorldFacts._note_join,
    "LEAVE": WorldFacts._note_leave,
}


def called(name: str) -> str | None:
    """How a chronicle may call somebody of this name; None if only by its id."""
    words = plain(name, NAME_LIMIT + 1)
    return words if is_name(words) else None
