"""Drafts: notices of the chronicle before time and witnesses are added; and the names used in
them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from thorp.bridges.chronicle.names import Names, Phrase, place_of, trusted
from thorp.voxel import Position, World

PublicEvent = Mapping[str, Any]


class Draft(NamedTuple):
    """A notice without its time and its witnesses."""

    kind: str
    who: tuple[str, ...]
    where: Position | None
    about: dict[str, Phrase]
    alike: str | None = None
    everywhere: bool = False


class WorldDescriber:
    """Names the agents, organisations and places of one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.names = Names(world)

    def place(self, where: Position | None, but: str | None = None) -> Phrase:
        return trusted("") if where is None else place_of(self.world, self.names, where, but)

    def anchor(self, land_id: object) -> Position | None:
        claim = self.world.claims.get(str(land_id))
        return None if claim is None else claim.anchor

    def owner(self, land_id: object) -> Phrase:
        claim = self.world.claims.get(str(land_id))
        return trusted("land that is no more") if claim is None else self.names.anyone(claim.owner)

    def draft(
        self,
        kind: str,
        event: PublicEvent,
        where: Position | None = None,
        *,
        by: Sequence[str] = ("agent",),
        but: object = None,
        alike: str | None = None,
        **words: Phrase,
    ) -> Draft:
        """A draft about the agents or organisations in the members `by` of an event. The first of
        them is the word `who`. The word `place` says where it happened, not named after the land
        `but`; further words are given by name."""
        who = self.names.anyone(str(event[by[0]]))
        place = self.place(where, None if but is None else str(but))
        return Draft(
            kind=kind,
            who=agents_among(*map(event.get, by)),
            where=where,
            about={"who": who, "place": place, **words},
            alike=alike,
        )


def agents_among(*ids: object) -> tuple[str, ...]:
    """Those of these ids that belong to agents; an organisation sees nothing."""
    return tuple(
        str(agent_id)
        for agent_id in ids
        if isinstance(agent_id, str) and agent_id[:1] == "A" and agent_id[1:].isdigit()
    )
