"""How land is claimed, enlarged, opened to others and given away.

CLAIM_LAND puts up a totem, and the square around it is the claimer's. All else is for admins of the land.
"""

from __future__ import annotations

from typing import Any, Final

from thorp.protocol import codes, society
from thorp.voxel.refusal import Refusal
from thorp.voxel.society import land
from thorp.voxel.society.records import FLAGS, Claim
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import World, manhattan
from thorp.voxel.systems import permissions
from thorp.voxel.systems.blocks import change_block
from thorp.voxel.systems.placement import FREE, require_inside, require_nobody
from thorp.voxel.terrain import spawn_lattice

DEFAULT_RADIUS: Final = 32
MAX_RADIUS: Final = 128
REACH: Final = 32
# For each area of the usual size, begun ones included; what is smaller costs as much.
PRICE: Final = ("BATTERY", "CRYSTAL_SHARD")
UPGRADES: Final = (64, 128)
# A large village. The list is looked through at every step on the land.
MAX_MEMBERS: Final = 256


def claim(world: World, agent: Agent, wish: society.ClaimLand) -> dict[str, object]:
    if wish.anchor is None:
        raise Refusal(codes.BAD_REQUEST, "missing anchor")
    anchor, radius = wish.anchor, wish.radius or DEFAULT_RADIUS
    if not 1 <= radius <= MAX_RADIUS:
        raise Refusal(codes.BAD_REQUEST, f"radius must be from 1 to {MAX_RADIUS}")
    require_inside(world, anchor)
    if manhattan(agent.position, anchor) > REACH:
        raise Refusal(codes.BLOCKED, "too far")
    if not permissions.may_build(world, agent, anchor):
        raise Refusal(codes.NO_PERMISSION, "build denied")
    price = dict.fromkeys(PRICE, areas(radius))
    _require(agent, price)
    _require_room(world, agent, anchor, radius)
    totem = world.catalogs.block_number["CLAIM_TOTEM"]
    if world.catalogs.blocks[world.ground.block(*anchor)].id not in FREE:
        raise Refusal(codes.BLOCKED, "space occupied")
    require_nobody(world, anchor, totem)
    _pay(agent, price)
    change_block(world, anchor, totem, actor=agent.id, reason="CLAIM_LAND")
    world.counters.land += 1
    land_id = f"LAND_{agent.id}_{world.counters.land:03d}"
    due_tick, newest = world.tick + world.tuning.day_ticks, world.counters.agent
    land.begin(world, Claim(land_id, agent.id, anchor, radius, due_tick, newest))
    _tell(world, agent, "CLAIM_LAND", land_id, pos=anchor, radius=radius)
    return {"land_id": land_id}


def _upgrade(world: World, agent: Agent, wish: society.UpgradeClaim) -> dict[str, object]:
    if not wish.land_id or wish.radius not in UPGRADES:
        raise Refusal(codes.BAD_REQUEST, f"needs land_id, and radius {' or '.join(map(str, UPGRADES))}")
    ours = _own_land(world, agent, wish.land_id)
    if ours.stage:
        raise Refusal(codes.NO_PERMISSION, "upkeep is late")
    if wish.radius <= ours.radius:
        raise Refusal(codes.CONFLICT, f"the radius is {ours.radius} already")
    _require_room(world, agent, ours.anchor, wish.radius, but=ours)
    price = dict.fromkeys(PRICE, areas(wish.radius) - areas(ours.radius))
    _require(agent, price)
    _pay(agent, price)
    land.enlarge(world, ours, wish.radius)
    _tell(world, agent, "UPGRADE_CLAIM", ours.id, radius=wish.radius)
    return {}


def _set_permissions(world: World, agent: Agent, wish: society.SetPermissions) -> dict[str, object]:
    if not wish.land_id or not wish.policy:
        raise Refusal(codes.BAD_REQUEST, "missing land_id/policy")
    ours = _own_land(world, agent, wish.land_id)
    ours.flags.update({flag: wish.policy[flag] for flag in FLAGS if flag in wish.policy})
    _changed(world, agent, "SET_PERMISSIONS", ours)
    return {}


def _add_member(world: World, agent: Agent, wish: society.AddMember) -> dict[str, object]:
    ours, member_id = _membership(world, agent, wish)
    if member_id not in ours.members:
        if len(ours.members) >= MAX_MEMBERS:
            raise Refusal(codes.CONFLICT, f"a land has at most {MAX_MEMBERS} listed members")
        ours.members.append(member_id)
        _changed(world, agent, "ADD_MEMBER", ours, member_id=member_id)
    return {}


def _remove_member(world: World, agent: Agent, wish: society.RemoveMember) -> dict[str, object]:
    ours, member_id = _membership(world, agent, wish)
    if member_id in ours.members:
        ours.members.remove(member_id)
        _changed(world, agent, "REMOVE_MEMBER", ours, member_id=member_id)
    return {}


def _deed(world: World, agent: Agent, wish: society.DeedLand) -> dict[str, object]:
    if not wish.land_id or not wish.new_owner:
        raise Refusal(codes.BAD_REQUEST, "missing land_id/new_owner")
    ours = _own_land(world, agent, wish.land_id)
    if wish.new_owner not in world.orgs and world.agent_by_id(wish.new_owner) is None:
        raise Refusal(codes.INVALID_TARGET, "new owner not found")
    land.hand_over(world, ours, wish.new_owner)
    _tell(world, agent, "DEED_LAND", ours.id, new_owner=ours.owner)
    return {}


def _membership(
    world: World, agent: Agent, wish: society.AddMember | society.RemoveMember
) -> tuple[Claim, str]:
    if not wish.land_id or not wish.member_id:
        raise Refusal(codes.BAD_REQUEST, "missing land_id/member_id")
    ours = _own_land(world, agent, wish.land_id)
    if world.agent_by_id(wish.member_id) is None:
        raise Refusal(codes.INVALID_TARGET, "member not found")
    return ours, wish.member_id


def _own_land(world: World, agent: Agent, land_id: str) -> Claim:
    """A land that the agent may rule."""
    found = world.claims.get(land_id)
    if found is None:
        raise Refusal(codes.INVALID_TARGET, "land not found")
    if not land.is_admin(world, found, agent):
        raise Refusal(codes.NO_PERMISSION, "not land admin")
    return found


def areas(radius: int) -> int:
    """How many lands of the usual size one of this radius is as large as, rounded up."""
    return -(-((2 * radius + 1) ** 2) // (2 * DEFAULT_RADIUS + 1) ** 2)


def _require_room(
    world: World, agent: Agent, anchor: tuple[int, int, int], radius: int, but: Claim | None = None
) -> None:
    """Refuse land that is another's and, beyond the usual size, the glade around another's home. A body that
    never did anything keeps nobody from claiming."""
    other = land.overlapping(world, anchor, radius, but)
    if other is not None:
        raise Refusal(codes.CONFLICT, f"overlaps {other.id}")
    reach = radius + spawn_lattice.GLADE_R
    for one in world.agents if radius > DEFAULT_RADIUS else ():
        x, z = one.home
        near = abs(x - anchor[0]) <= reach and abs(z - anchor[2]) <= reach
        if near and one.acted and one is not agent and not (one.org and one.org == agent.org):
            raise Refusal(codes.CONFLICT, f"the home of {one.id} at {x}, {z} is too near")


def _require(agent: Agent, price: dict[str, int]) -> None:
    for item, count in price.items():
        if agent.have(item) < count:
            raise Refusal(codes.NO_RESOURCE, f"missing {item} x{count - agent.have(item)}")


def _pay(agent: Agent, price: dict[str, int]) -> None:
    for item, count in price.items():
        agent.give(item, -count)


def _changed(world: World, agent: Agent, kind: str, ours: Claim, **fields: object) -> None:
    world.claims.touch(ours.id)
    _tell(world, agent, kind, ours.id, **fields)


def _tell(world: World, agent: Agent, kind: str, land_id: str, **fields: object) -> None:
    world.scratch.public_events.append({"kind": kind, "agent": agent.id, "land_id": land_id, **fields})


INSTANTS: Final[dict[type, Any]] = {
    society.UpgradeClaim: _upgrade,
    society.SetPermissions: _set_permissions,
    society.AddMember: _add_member,
    society.RemoveMember: _remove_member,
    society.DeedLand: _deed,
}
