"""Land: which claim a column belongs to, and its members and admins. See `docs/society-land.md`.

A claim is a square around its totem, at all heights. No two overlap, so every column belongs to one
land or to none. The owner is an agent or an organisation, and always exists: owners of land are not
removed, and the last to leave an organisation inherits its land.

`lookups.permissions` says what members and others may do there; `society.claims` has the actions
that change land.
"""

from typing import Final

from thorp.voxel.lookups.indexes import forget_land, index_of, note_land, note_row
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import ADMINS, Claim
from thorp.voxel.state.world import World, WorldState

# At this stage of missed upkeep the land is open to all.
OPEN_STAGE: Final = 2


def at(world: World, x: int, z: int) -> Claim | None:
    for claim in index_of(world).land.get((x >> 4, z >> 4), ()):
        radius = claim.radius
        (anchor_x, _, anchor_z) = claim.anchor
        if (
            abs(x - anchor_x) <= radius and abs(z - anchor_z) <= radius
        ):  # as `_covers`; asked for very often
            return claim
    return None


def in_core(world: WorldState, claim: Claim, x: int, z: int) -> bool:
    """Whether a column is in the middle of a land, which laws may close."""
    radius = min(world.tuning.access_pass_core_radius, claim.radius)
    return _covers(claim.anchor, radius, x, z)


def _covers(anchor: Position, radius: int, x: int, z: int) -> bool:
    return abs(x - anchor[0]) <= radius and abs(z - anchor[2]) <= radius


def overlapping(
    world: WorldState, anchor: Position, radius: int, but: Claim | None = None
) -> Claim | None:
    """A claim that shares a column with a square, other than `but`."""
    x, _, z = anchor
    others = (claim for claim in world.claims if claim is not but)
    return next(
        (claim for claim in others if _covers(claim.anchor, claim.radius + radius, x, z)), None
    )


def is_member(claim: Claim, agent: Agent) -> bool:
    return claim.owner in (agent.id, agent.org) or agent.id in claim.members


def is_admin(world: WorldState, claim: Claim, agent: Agent) -> bool:
    if claim.owner == agent.id:
        return True
    org = world.orgs.get(claim.owner)
    return org is not None and org.members.get(agent.id) in ADMINS


def members(world: WorldState, claim: Claim) -> dict[str, None]:
    org = world.orgs.get(claim.owner)
    own = [claim.owner] if org is None else org.members
    return dict.fromkeys([*own, *claim.members])


def admins(world: WorldState, claim: Claim) -> list[Agent]:
    org = world.orgs.get(claim.owner)
    ids = (
        [claim.owner]
        if org is None
        else [one for one, role in org.members.items() if role in ADMINS]
    )
    return world.agents_by_id(ids)


def owned_by(world: WorldState, owner: str) -> list[Claim]:
    return [claim for claim in world.claims if claim.owner == owner]


def remove_member_everywhere(world: WorldState, agent_id: str) -> None:
    for claim in world.claims:
        if agent_id in claim.members:
            claim.members.remove(agent_id)
            world.claims.touch(claim.id)
        withdraw_offers(world, claim, agent_id)


def withdraw_offers(world: WorldState, claim: Claim, agent_id: str) -> bool:
    """Withdraw what a land has offered to an agent; say whether there was anything."""
    left = [offer for offer in claim.offered if offer.addressee != agent_id]
    is_heir = claim.deed is not None and claim.deed.addressee == agent_id
    if len(left) == len(claim.offered) and not is_heir:
        return False
    claim.offered = left
    if is_heir:
        claim.deed = None
    world.claims.touch(claim.id)
    return True


def add_claim(world: World, claim: Claim) -> None:
    world.claims.put(claim)
    note_land(world, claim)
    note_row(world, claim)


def enlarge(world: World, claim: Claim, radius: int) -> None:
    forget_land(world, claim)
    claim.radius = radius
    claim.newest_resident = world.counters.agent
    note_land(world, claim)
    world.claims.touch(claim.id)


def transfer(world: WorldState, claim: Claim, owner: str) -> None:
    """Give a land to an agent or an organisation that exists, with its members, flags and laws.
    What its owner before has offered is withdrawn."""
    claim.owner = owner
    claim.offered = []
    claim.deed = None
    world.claims.touch(claim.id)
    notify_admins(world, claim, "GIVEN")


def notify_admins(world: WorldState, claim: Claim, status: str, **more: object) -> None:
    """Tell the admins of a land that it was given or has ended, or who has joined or left it."""
    world.emit_to(
        admins(world, claim), "LAND", land_id=claim.id, status=status, owner=claim.owner, **more
    )


def end_claim_at(world: World, position: Position) -> None:
    """End the claim whose totem was in a cell, if there is one, and its laws."""
    claim = at(world, position[0], position[2])
    if claim is None or claim.anchor != position:
        return
    notify_admins(world, claim, "ENDED")
    forget_land(world, claim)
    world.claims.remove(claim.id)
    for law in world.laws:
        if law.land_id == claim.id:
            world.laws.remove(law.id)
    changes = reversed(world.scratch.block_changes)
    breaker = next(change.actor for change in changes if change.position == position)
    world.publish("LAND_ENDED", land_id=claim.id, owner=claim.owner, pos=position, actor=breaker)
