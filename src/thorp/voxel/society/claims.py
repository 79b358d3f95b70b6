"""Land claims: claiming, enlarging, permissions, members, giving away, and the daily upkeep.

CLAIM_LAND puts up a totem; the square around it belongs to the claimer. All other actions are for admins of
the land. `docs/society-land.md` says what a land that misses its upkeep loses, one stage at a time.
"""

from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.achievements import note_deed
from thorp.voxel.refusal import Refusal, given, known, refuse_if
from thorp.voxel.society import goods, land
from thorp.voxel.society.records import FLAGS, Claim
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import World, WorldState, manhattan
from thorp.voxel.systems import permissions
from thorp.voxel.systems.blocks import REPLACEABLE, change_block
from thorp.voxel.systems.indexes import index_of, note_row
from thorp.voxel.systems.items import require_carried
from thorp.voxel.systems.placement import require_inside, require_nobody
from thorp.voxel.terrain.columns import GLADE_R

DEFAULT_RADIUS: Final = 32
MAX_RADIUS: Final = 128
REACH: Final = 32
# One of each for every area of the default size, rounded up.
PRICE: Final = ("BATTERY", "CRYSTAL_SHARD")
UPGRADES: Final = (64, 128)
# A large village. The list is looked through at every step on the land.
MAX_MEMBERS: Final = 256


def claim(world: World, agent: Agent, wish: actions.ClaimLand) -> dict[str, object]:
    anchor, radius = given(wish.anchor, "anchor"), wish.radius or DEFAULT_RADIUS
    refuse_if(not 1 <= radius <= MAX_RADIUS, codes.BAD_REQUEST, f"radius must be from 1 to {MAX_RADIUS}")
    require_inside(world, anchor)
    refuse_if(manhattan(agent.position, anchor) > REACH, codes.BLOCKED, "too far")
    refuse_if(not permissions.may_build(world, agent, anchor), codes.NO_PERMISSION, "build denied")
    price = dict.fromkeys(PRICE, price_units(radius))
    require_carried(agent, price)
    _require_room(world, agent, anchor, radius)
    totem = world.catalogs.block_number["CLAIM_TOTEM"]
    if world.catalogs.blocks[world.ground.block(*anchor)].id not in REPLACEABLE:
        raise Refusal(codes.BLOCKED, "space occupied")
    require_nobody(world, anchor, totem)
    _pay(agent, price)
    change_block(world, anchor, totem, actor=agent.id, reason="CLAIM_LAND")
    world.counters.land += 1
    land_id = f"LAND_{agent.id}_{world.counters.land:03d}"
    due_tick, newest = world.tick + world.tuning.day_ticks, world.counters.agent
    land.add_claim(world, Claim(land_id, agent.id, anchor, radius, due_tick, newest))
    note_deed(world, agent, "claim")
    world.publish("CLAIM_LAND", agent=agent.id, land_id=land_id, pos=anchor, radius=radius)
    return {"land_id": land_id}


def upgrade(world: World, agent: Agent, wish: actions.UpgradeClaim) -> None:
    if not wish.land_id or wish.radius not in UPGRADES:
        raise Refusal(codes.BAD_REQUEST, f"needs land_id, and radius {' or '.join(map(str, UPGRADES))}")
    ours = _own_land(world, agent, wish.land_id)
    refuse_if(ours.stage, codes.NO_PERMISSION, "upkeep is late")
    refuse_if(wish.radius <= ours.radius, codes.CONFLICT, f"the radius is {ours.radius} already")
    _require_room(world, agent, ours.anchor, wish.radius, but=ours)
    price = dict.fromkeys(PRICE, price_units(wish.radius) - price_units(ours.radius))
    require_carried(agent, price)
    _pay(agent, price)
    land.enlarge(world, ours, wish.radius)
    world.publish("UPGRADE_CLAIM", agent=agent.id, land_id=ours.id, radius=wish.radius)


def set_permissions(world: World, agent: Agent, wish: actions.SetPermissions) -> None:
    if not wish.land_id or not wish.policy:
        raise Refusal(codes.BAD_REQUEST, "missing land_id/policy")
    ours = _own_land(world, agent, wish.land_id)
    ours.flags.update({flag: wish.policy[flag] for flag in FLAGS if flag in wish.policy})
    _changed(world, agent, "SET_PERMISSIONS", ours)


def add_member(world: World, agent: Agent, wish: actions.AddMember) -> None:
    ours, member_id = _membership(world, agent, wish)
    if member_id not in ours.members:
        if len(ours.members) >= MAX_MEMBERS:
            raise Refusal(codes.CONFLICT, f"a land has at most {MAX_MEMBERS} listed members")
        ours.members.append(member_id)
        _changed(world, agent, "ADD_MEMBER", ours, member_id=member_id)


def remove_member(world: World, agent: Agent, wish: actions.RemoveMember) -> None:
    ours, member_id = _membership(world, agent, wish)
    if member_id in ours.members:
        ours.members.remove(member_id)
        _changed(world, agent, "REMOVE_MEMBER", ours, member_id=member_id)


def deed(world: World, agent: Agent, wish: actions.DeedLand) -> None:
    if not wish.land_id or not wish.new_owner:
        raise Refusal(codes.BAD_REQUEST, "missing land_id/new_owner")
    ours = _own_land(world, agent, wish.land_id)
    refuse_if(not goods.exists(world, wish.new_owner), codes.INVALID_TARGET, "new owner not found")
    land.transfer(world, ours, wish.new_owner)
    world.publish("DEED_LAND", agent=agent.id, land_id=ours.id, new_owner=ours.owner)


def _membership(
    world: WorldState, agent: Agent, wish: actions.AddMember | actions.RemoveMember
) -> tuple[Claim, str]:
    if not wish.land_id or not wish.member_id:
        raise Refusal(codes.BAD_REQUEST, "missing land_id/member_id")
    ours = _own_land(world, agent, wish.land_id)
    known(world.agent_by_id(wish.member_id), "member not found")
    return ours, wish.member_id


def _own_land(world: WorldState, agent: Agent, land_id: str) -> Claim:
    """The land of that id; the agent must be an admin of it."""
    found = known(world.claims.get(land_id), "land not found")
    refuse_if(not land.is_admin(world, found, agent), codes.NO_PERMISSION, "not land admin")
    return found


def price_units(radius: int) -> int:
    """How many prices a claim of this radius costs: its area in claims of the default size, rounded up."""
    return -(-((2 * radius + 1) ** 2) // (2 * DEFAULT_RADIUS + 1) ** 2)


def _require_room(
    world: WorldState, agent: Agent, anchor: tuple[int, int, int], radius: int, but: Claim | None = None
) -> None:
    """Refuse others' land and, beyond the default size, the glades of other bodies that have ever acted."""
    other = land.overlapping(world, anchor, radius, but)
    if other is not None:
        raise Refusal(codes.CONFLICT, f"overlaps {other.id}")
    reach = radius + GLADE_R
    for one in world.agents if radius > DEFAULT_RADIUS else ():
        x, z = one.home
        near = abs(x - anchor[0]) <= reach and abs(z - anchor[2]) <= reach
        is_ours = one is agent or (one.org and one.org == agent.org)
        if near and one.acted and not one.hidden and not is_ours:
            raise Refusal(codes.CONFLICT, f"the home of {one.id} at {x}, {z} is too near")


def _pay(agent: Agent, price: dict[str, int]) -> None:
    for item, count in price.items():
        agent.give(item, -count)


def _changed(world: World, agent: Agent, kind: str, ours: Claim, **fields: object) -> None:
    world.claims.touch(ours.id)
    world.publish(kind, agent=agent.id, land_id=ours.id, **fields)


def step(world: World) -> None:
    """Collect the upkeep that is due in this tick."""
    for land_id in sorted(index_of(world).upkeep.pop(world.tick, {})):
        claim = world.claims.get(land_id)
        if claim is not None:
            _collect(world, claim)


def _collect(world: World, claim: Claim) -> None:
    cost = world.tuning.claim_maintenance_cost
    paid = all(goods.have(world, claim.owner, item) >= count for item, count in cost.items())
    if paid:
        for item in sorted(cost):
            goods.give(world, claim.owner, item, -cost[item])
    claim.stage = 0 if paid else min(land.OPEN_STAGE, claim.stage + 1)
    claim.due_tick += world.tuning.day_ticks
    world.claims.touch(claim.id)
    note_row(world, claim)
    told = {"land_id": claim.id, "status": "PAID" if paid else "LATE", "stage": claim.stage}
    world.emit_to(land.admins(world, claim), "MAINTENANCE", **told, next_due_tick=claim.due_tick)
    kind = "PAID_UPKEEP" if paid else "MISSED_UPKEEP"
    world.publish(kind, actor=claim.owner, land_id=claim.id, stage=claim.stage)
