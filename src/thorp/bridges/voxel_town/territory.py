"""The land of a town: its containers, boards and members there, the town's stocks, and its wages.

Stocks are the goods in the treasury, and those in containers on the land that are not reserved.
Only the treasury pays, and it keeps back the upkeep of the next days.
"""

from collections import Counter
from collections.abc import Collection
from typing import Final, NamedTuple

from thorp.voxel.lookups import land
from thorp.voxel.lookups.goods import DEFAULT_VALUE, VALUES
from thorp.voxel.society.boards import BLOCK as BOARD
from thorp.voxel.society.contracts import TERMINAL
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Claim, Items, Org
from thorp.voxel.state.world import Container, World, block_id
from thorp.voxel.systems.containers import available

# Days of upkeep that a town wants, and keeps back.
RESERVE_DAYS: Final = 3
# Goods that wages are paid with first; others follow by name.
WAGES: Final = ("PLANK", "STONE", "COAL", "LOG")


class Domain(NamedTuple):
    """A city and its land, which is never empty."""

    org: Org
    claims: list[Claim]

    def covers(self, world: World, x: int, z: int) -> bool:
        """Whether a column is on the land."""
        claim = land.at(world, x, z)
        return claim is not None and claim.owner == self.org.id

    def containers(self, world: World) -> list[Container]:
        """All containers on the land, sorted by position. Each claim is searched by whole chunks,
        so neighbouring claims may give the same container; it is taken once."""
        by_position = {
            box.position: box
            for claim in self.claims
            for box in world.containers.near(claim.anchor[0], claim.anchor[2], claim.radius)
            if self.covers(world, box.position[0], box.position[2])
        }
        return [by_position[position] for position in sorted(by_position)]

    def terminals(self, world: World) -> list[Container]:
        """The contract terminals on the land, sorted by position."""
        return [box for box in self.containers(world) if box.kind == TERMINAL]

    def board(self, world: World) -> str:
        """The board for its notices: the first on its land, else its own, which can be read
        everywhere."""
        for claim in self.claims:
            for board in world.boards.near(claim.anchor[0], claim.anchor[2], claim.radius):
                if self.covers(world, board.position[0], board.position[2]):
                    return block_id(BOARD, board.position)
        return self.org.id

    def members(self, world: World) -> list[Agent]:
        """The bodies of its members, by number."""
        agents = [world.agent_by_id(member) for member in self.org.members]
        return sorted(
            (agent for agent in agents if agent is not None), key=lambda agent: agent.number
        )

    def present(self, world: World) -> list[Agent]:
        """Members who are on the land."""
        return [agent for agent in self.members(world) if self.covers(world, agent.x, agent.z)]


def domain_of(world: World, town_id: str) -> Domain | None:
    """The city of that id and its land; None if there is no such city, or it owns no land."""
    org = world.orgs.get(town_id)
    if org is None or org.kind != "CITY":
        return None
    claims = land.owned_by(world, town_id)
    return Domain(org, claims) if claims else None


def cities(world: World) -> list[str]:
    """The ids of all cities that own land, in order."""
    owners = {claim.owner: None for claim in world.claims}
    return sorted(
        owner
        for owner in owners
        if (org := world.orgs.get(owner)) is not None and org.kind == "CITY"
    )


def stocks(world: World, domain: Domain) -> Counter[str]:
    """How many of each item the town has: in its treasury, and unreserved in containers on its
    land."""
    held = Counter(domain.org.treasury)
    for box in domain.containers(world):
        for item in box.stock:
            held[item] += available(box, item)
    return held


def upkeep_days(world: World, domain: Domain) -> int:
    """For how many days the treasury can pay for the land."""
    cost = world.tuning.claim_maintenance_cost
    treasury = domain.org.treasury
    days = [treasury.get(item, 0) // (count * len(domain.claims)) for item, count in cost.items()]
    return min(days, default=RESERVE_DAYS)


def spendable(world: World, domain: Domain) -> Items:
    """The goods in the treasury that are not kept back for upkeep."""
    cost = world.tuning.claim_maintenance_cost
    kept = {item: RESERVE_DAYS * count * len(domain.claims) for item, count in cost.items()}
    left = {item: count - kept.get(item, 0) for item, count in domain.org.treasury.items()}
    return {item: count for item, count in left.items() if count > 0}


def wage(world: World, domain: Domain, worth: int, *, but: Collection[str] = ()) -> Items | None:
    """Choose goods of the treasury, other than those in `but`, that are together worth at least
    `worth`; None if it has not enough. Nothing is taken yet."""
    purse = spendable(world, domain)
    pay = Items()
    owed = worth
    ranks = {item: rank for rank, item in enumerate(WAGES)}
    for item in sorted(purse, key=lambda item: (ranks.get(item, len(WAGES)), item)):
        value = VALUES.get(item, DEFAULT_VALUE)
        if owed > 0 and item not in but:
            # Rounded up: goods cannot be split, so the last one may pay more than is owed.
            enough = -(-owed // value)
            pay[item] = min(purse[item], enough)
            owed -= pay[item] * value
    return dict(sorted(pay.items())) if owed <= 0 else None
