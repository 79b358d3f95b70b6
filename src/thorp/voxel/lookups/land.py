"""Land: which claim a column belongs to, and its members and admins. See `docs/society-land.md`.

A claim is a square around its totem, at all heights. No two overlap, so every column belongs to one
land or to none. The owner is an agent or an organisation, and always exists: owners of land are not
removed, and the last to leave an organisation inherits its land.

`lookups.permissions` says what members and others may do there; `society.claims` has the actions
that change land.
"""

from typing import Final

from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import ADMINS, Claim
from thorp.voxel.state.world import World, WorldState

# At this stage of missed upkeep the land is open to all.
OPEN_STAGE: Final = 2


def at(world: World, x: int, z: int) -> Claim | None:
    """The claim that a column belongs to; None in the wild."""
    for claim in index_of(world).land.get((x >> 4, z >> 4), ()):
        radius = claim.radius
        (anchor_x, _, anchor_z) = claim.anchor
        # As `_covers` says, but without the call: this is asked for every step and every block.
        if abs(x - anchor_x) <= radius and abs(z - anchor_z) <= radius:
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
    """Whether an agent owns a land, belongs to the organisation that owns it, or was admitted."""
    return claim.owner in (agent.id, agent.org) or agent.id in claim.members


def is_admin(world: WorldState, claim: Claim, agent: Agent) -> bool:
    """Whether an agent may decide about a land: its owner, or a leader or officer of the owner."""
    if claim.owner == agent.id:
        return True
    org = world.orgs.get(claim.owner)
    return org is not None and org.members.get(agent.id) in ADMINS


def members(world: WorldState, claim: Claim) -> dict[str, None]:
    """The ids of everybody who belongs to a land, and so may vote there."""
    org = world.orgs.get(claim.owner)
    own = [claim.owner] if org is None else org.members
    return dict.fromkeys([*own, *claim.members])


def admins(world: WorldState, claim: Claim) -> list[Agent]:
    """The agents who decide about a land, and are told what happens to it."""
    org = world.orgs.get(claim.owner)
    ids = (
        [claim.owner]
        if org is None
        else [member for member, role in org.members.items() if role in ADMINS]
    )
    return world.agents_by_id(ids)


def owned_by(world: WorldState, owner: str) -> list[Claim]:
    """The lands of an agent or an organisation."""
    return [claim for claim in world.claims if claim.owner == owner]
