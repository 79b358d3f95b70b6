"""Tenure: how land gets, changes and loses its owner and members. See `docs/society-land.md`.

`lookups.land` answers whose a column is; `society.claims` has the actions of agents.
"""

from thorp.voxel.lookups import land
from thorp.voxel.lookups.indexes import forget_land, note_land, note_row
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import Claim
from thorp.voxel.state.world import World, WorldState


def remove_member_everywhere(world: WorldState, agent_id: str) -> None:
    """Remove an agent that leaves the world from every land, with whatever was offered to it."""
    for claim in world.claims:
        if agent_id in claim.members:
            claim.members.remove(agent_id)
            world.claims.touch(claim.id)
        withdraw_offers(world, claim, agent_id)


def withdraw_offers(world: WorldState, claim: Claim, agent_id: str) -> bool:
    """Withdraw what a land has offered to an agent; return whether there was anything."""
    left = [offer for offer in claim.offered if offer.addressee != agent_id]
    is_deed = claim.deed is not None and claim.deed.addressee == agent_id
    if len(left) == len(claim.offered) and not is_deed:
        return False
    claim.offered = left
    if is_deed:
        claim.deed = None
    world.claims.touch(claim.id)
    return True


def add_claim(world: World, claim: Claim) -> None:
    """Enter a new claim into the table and into the indexes."""
    world.claims.put(claim)
    note_land(world, claim)
    note_row(world, claim)


def enlarge(world: World, claim: Claim, radius: int) -> None:
    """Give a claim a new size. Bodies that are in the world by now keep the glades around their
    homes."""
    forget_land(world, claim)
    claim.radius = radius
    claim.newest_resident = world.counters.agent
    note_land(world, claim)
    world.claims.touch(claim.id)


def transfer(world: WorldState, claim: Claim, owner: str) -> None:
    """Give a land to an agent or an organisation that exists, with its members, flags and laws.
    Offers of the previous owner are withdrawn."""
    claim.owner = owner
    claim.offered = []
    claim.deed = None
    world.claims.touch(claim.id)
    notify_admins(world, claim, "GIVEN")


def notify_admins(world: WorldState, claim: Claim, status: str, **more: object) -> None:
    """Tell the admins of a land that it was given or has ended, or who has joined or left it."""
    world.emit_to(
        land.admins(world, claim),
        "LAND",
        land_id=claim.id,
        status=status,
        owner=claim.owner,
        **more,
    )


def end_claim_at(world: World, position: Position) -> None:
    """End the claim whose totem was in a cell, if there is one, and its laws."""
    claim = land.at(world, position[0], position[2])
    if claim is None or claim.anchor != position:
        return
    notify_admins(world, claim, "ENDED")
    forget_land(world, claim)
    world.claims.remove(claim.id)
    for law in world.laws:
        if law.land_id == claim.id:
            world.laws.remove(law.id)
    # The totem was removed just now, so the last change of its cell names who did it.
    changes = reversed(world.scratch.block_changes)
    breaker = next(change.actor for change in changes if change.position == position)
    world.publish("LAND_ENDED", land_id=claim.id, owner=claim.owner, pos=position, actor=breaker)
