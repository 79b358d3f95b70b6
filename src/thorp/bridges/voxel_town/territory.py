"""The land of a town, and what stands and who is on it."""

from __future__ import annotations

from typing import NamedTuple

from thorp.voxel.society import land
from thorp.voxel.society.boards import BLOCK as BOARD
from thorp.voxel.society.contracts import TERMINAL
from thorp.voxel.society.records import Claim, Org
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import Container, World, block_id


class Domain(NamedTuple):
    """A city and its land, of which there is some."""

    org: Org
    claims: list[Claim]

    def covers(self, world: World, x: int, z: int) -> bool:
        claim = land.at(world, x, z)
        return claim is not None and claim.owner == self.org.id

    def containers(self, world: World) -> list[Container]:
        """All that stand on it, by their position."""
        found = {
            box.position: box
            for claim in self.claims
            for box in world.containers.near(claim.anchor[0], claim.anchor[2], claim.radius)
            if self.covers(world, box.position[0], box.position[2])
        }
        return [found[position] for position in sorted(found)]

    def terminals(self, world: World) -> list[Container]:
        return [box for box in self.containers(world) if box.kind == TERMINAL]

    def board(self, world: World) -> str:
        """Where it posts its notices: a board on its land, or one of its own that is everywhere."""
        for claim in self.claims:
            for board in world.boards.near(claim.anchor[0], claim.anchor[2], claim.radius):
                if self.covers(world, board.position[0], board.position[2]):
                    return block_id(BOARD, board.position)
        return self.org.id

    def members(self, world: World) -> list[Agent]:
        found = [world.agent_by_id(one) for one in self.org.members]
        return sorted((agent for agent in found if agent is not None), key=lambda agent: agent.number)

    def present(self, world: World) -> list[Agent]:
        """Members who are on the land."""
        return [agent for agent in self.members(world) if self.covers(world, agent.x, agent.z)]


def domain_of(world: World, town_id: str) -> Domain | None:
    """The town of that id: a city that owns land."""
    org = world.orgs.get(town_id)
    if org is None or org.kind != "CITY":
        return None
    claims = land.owned_by(world, town_id)
    return Domain(org, claims) if claims else None


def cities(world: World) -> list[str]:
    """The ids of all cities that own land, in order."""
    owners = {claim.owner: None for claim in world.claims}
    return sorted(one for one in owners if (org := world.orgs.get(one)) is not None and org.kind == "CITY")
