"""Land claims: claiming, enlarging, permissions, members, giving away, and the daily upkeep.

CLAIM_LAND puts up a totem; the square around it belongs to the claimer. All other actions are for
admins of the land. `docs/society-land.md` says what a land that misses its upkeep loses, one stage
at a time.
"""

from typing import Final

from thorp.protocol import actions, codes
from thorp.voxel.achievements import note_deed
from thorp.voxel.lookups import goods, land, permissions
from thorp.voxel.lookups.indexes import index_of, note_row
from thorp.voxel.refusal import Refusal, given, known, refuse_if
from thorp.voxel.society import tenure
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import ADMINS, FLAGS, Claim, LandOffer
from thorp.voxel.state.world import World, WorldState, manhattan
from thorp.voxel.systems.blocks import REPLACEABLE, change_block
from thorp.voxel.systems.items import require_carried
from thorp.voxel.systems.placement import require_inside, require_nobody
from thorp.voxel.terrain.columns import GLADE_R

DEFAULT_RADIUS: Final = 32
MAX_RADIUS: Final = 128
REACH: Final = 32
# The items that a claim costs: one of each for every area of the default size, rounded up.
PRICE: Final = ("BATTERY", "CRYSTAL_SHARD")
UPGRADES: Final = (64, 128)
# A large village. The list is searched at every step on the land.
MAX_MEMBERS: Final = 256
# How many offers of membership of one land may wait for an answer. The oldest is forgotten first.
MAX_OFFERED: Final = 64
# The roles that can be offered, and the field for the addressee in the public event.
OFFERED_ROLES: Final = {"MEMBER": "member_id", "OWNER": "new_owner"}


def claim(world: World, agent: Agent, wish: actions.ClaimLand) -> dict[str, object]:
    """Put up a totem and claim the square around it, for a price."""
    anchor = given(wish.anchor, "anchor")
    radius = wish.radius or DEFAULT_RADIUS
    refuse_if(
        not 1 <= radius <= MAX_RADIUS, codes.BAD_REQUEST, f"radius must be from 1 to {MAX_RADIUS}"
    )
    require_inside(world, anchor)
    if manhattan(agent.position, anchor) > REACH:
        raise Refusal(codes.BLOCKED, "too far").about(cell=anchor, reach=REACH)
    if not permissions.may_build(world, agent, anchor):
        raise Refusal(codes.NO_PERMISSION, "build denied").about(cell=anchor)
    price = dict.fromkeys(PRICE, price_units(radius))
    require_carried(agent, price)
    _require_room(world, agent, anchor, radius)
    totem = world.catalogs.block_number["CLAIM_TOTEM"]
    if world.catalogs.blocks[world.ground.block(*anchor)].id not in REPLACEABLE:
        raise Refusal(codes.BLOCKED, "space occupied").about(cell=anchor)
    require_nobody(world, anchor, totem, but=agent)
    _pay(agent, price)
    change_block(world, anchor, totem, actor=agent.id, reason="CLAIM_LAND")
    world.counters.land += 1
    land_id = f"LAND_{agent.id}_{world.counters.land:03d}"
    due_tick = world.tick + world.tuning.day_ticks
    newest = world.counters.agent
    tenure.add_claim(
        world,
        Claim(
            id=land_id,
            owner=agent.id,
            anchor=anchor,
            radius=radius,
            due_tick=due_tick,
            newest_resident=newest,
        ),
    )
    note_deed(world, agent, "claim")
    world.publish("CLAIM_LAND", agent=agent.id, land_id=land_id, pos=anchor, radius=radius)
    return {"land_id": land_id}


def upgrade(world: World, agent: Agent, wish: actions.UpgradeClaim) -> None:
    """Enlarge a claim, for a price."""
    if not wish.land_id or wish.radius not in UPGRADES:
        raise Refusal(
            codes.BAD_REQUEST, f"needs land_id, and radius {' or '.join(map(str, UPGRADES))}"
        )
    ours = _own_land(world, agent, wish.land_id)
    refuse_if(ours.stage, codes.NO_PERMISSION, "upkeep is late")
    refuse_if(wish.radius <= ours.radius, codes.CONFLICT, f"the radius is {ours.radius} already")
    _require_room(world, agent, ours.anchor, wish.radius, but=ours)
    price = dict.fromkeys(PRICE, price_units(wish.radius) - price_units(ours.radius))
    require_carried(agent, price)
    _pay(agent, price)
    tenure.enlarge(world, ours, wish.radius)
    world.publish("UPGRADE_CLAIM", agent=agent.id, land_id=ours.id, radius=wish.radius)


def set_permissions(world: World, agent: Agent, wish: actions.SetPermissions) -> None:
    """Decide what visitors may do on a land."""
    if not wish.land_id or not wish.policy:
        raise Refusal(codes.BAD_REQUEST, "missing land_id/policy")
    ours = _own_land(world, agent, wish.land_id)
    ours.flags.update({flag: wish.policy[flag] for flag in FLAGS if flag in wish.policy})
    _changed(world, agent, "SET_PERMISSIONS", ours)


def add_member(world: World, agent: Agent, wish: actions.AddMember) -> None:
    """List oneself as a member at once, or offer membership to another. Another must consent,
    because as a member it loses the rights of its own glade."""
    ours, member_id = _membership(world, agent, wish)
    if member_id in ours.members or any(offer.addressee == member_id for offer in ours.offered):
        return
    _require_room_for_member(ours)
    if member_id == agent.id:
        _list_member(world, ours, member_id, giver=agent.id)
        return
    ours.offered.append(LandOffer(member_id, agent.id))
    del ours.offered[:-MAX_OFFERED]
    _offer(world, agent, ours, "MEMBER", member_id)


def remove_member(world: World, agent: Agent, wish: actions.RemoveMember) -> None:
    """Remove a member from a land, or withdraw the offer to become one."""
    ours, member_id = _membership(world, agent, wish)
    if member_id in ours.members:
        ours.members.remove(member_id)
        _changed(world, agent, "REMOVE_MEMBER", ours, member_id=member_id)
    ours.offered = [offer for offer in ours.offered if offer.addressee != member_id]
    world.claims.touch(ours.id)


def deed(world: World, agent: Agent, wish: actions.DeedLand) -> None:
    """Give a land to oneself or to one's own organisation at once, or offer it to another. Another
    must consent, because land costs upkeep. Giving it to its owner withdraws the offer."""
    if not wish.land_id or not wish.new_owner:
        raise Refusal(codes.BAD_REQUEST, "missing land_id/new_owner")
    ours = _own_land(world, agent, wish.land_id)
    refuse_if(not goods.exists(world, wish.new_owner), codes.INVALID_TARGET, "new owner not found")
    if wish.new_owner == ours.owner:
        ours.deed = None
        world.claims.touch(ours.id)
    elif wish.new_owner in (agent.id, agent.org):
        _hand_over(world, ours, wish.new_owner, giver=agent.id)
    elif ours.deed is None or ours.deed.addressee != wish.new_owner:
        ours.deed = LandOffer(wish.new_owner, agent.id)
        _offer(world, agent, ours, "OWNER", wish.new_owner)


def _offer(world: World, agent: Agent, ours: Claim, role: str, addressee: str) -> None:
    """Tell those who may accept an offer: an agent, or the admins of an organisation."""
    org = world.orgs.get(addressee)
    ids = (
        [addressee]
        if org is None
        else [member for member, rank in org.members.items() if rank in ADMINS]
    )
    about = {
        "land_id": ours.id,
        "role": role,
        "from": agent.id,
        "owner": ours.owner,
        "pos": ours.anchor,
    }
    world.emit_to(world.agents_by_id(ids), "LAND_OFFER", **about, to=addressee)
    _changed(world, agent, "OFFER_LAND", ours, role=role, **{OFFERED_ROLES[role]: addressee})


def accept_offer(world: World, agent: Agent, wish: actions.AcceptLand) -> None:
    """Become a member or the owner of a land, as its admins offered."""
    claim = known(world.claims.get(given(wish.land_id, "land_id")), "land not found")
    role = (wish.role or "MEMBER").upper()
    refuse_if(
        role not in OFFERED_ROLES, codes.BAD_REQUEST, f"role must be {' or '.join(OFFERED_ROLES)}"
    )
    if role == "OWNER":
        offer = claim.deed
        if offer is None or not _speaks_for(world, agent, offer.addressee):
            raise Refusal(codes.NO_PERMISSION, "this land was not offered to you")
        _hand_over(world, claim, offer.addressee, giver=offer.giver)
        return
    invitation = next((offer for offer in claim.offered if offer.addressee == agent.id), None)
    if invitation is None:
        raise Refusal(codes.NO_PERMISSION, "membership was not offered to you")
    _require_room_for_member(claim)
    claim.offered.remove(invitation)
    _list_member(world, claim, agent.id, giver=invitation.giver)


def leave(world: World, agent: Agent, wish: actions.LeaveLand) -> None:
    """Stop being a listed member, and decline what was offered. Nobody has to agree to that."""
    claim = known(world.claims.get(given(wish.land_id, "land_id")), "land not found")
    was_offered = tenure.withdraw_offers(world, claim, agent.id)
    if agent.id in claim.members:
        claim.members.remove(agent.id)
        _changed(world, agent, "LEAVE_LAND", claim)
        tenure.notify_admins(world, claim, "LEFT", member_id=agent.id)
    elif not was_offered:
        raise Refusal(codes.BLOCKED, "not a listed member")


def _speaks_for(world: WorldState, agent: Agent, addressee: str) -> bool:
    """Whether an agent may accept for an addressee: itself, or an organisation that it leads."""
    org = world.orgs.get(addressee)
    return agent.id == addressee if org is None else org.members.get(agent.id) in ADMINS


def _require_room_for_member(claim: Claim) -> None:
    if len(claim.members) >= MAX_MEMBERS:
        raise Refusal(codes.CONFLICT, f"a land has at most {MAX_MEMBERS} listed members")


def _list_member(world: World, claim: Claim, member_id: str, *, giver: str) -> None:
    if member_id not in claim.members:
        claim.members.append(member_id)
        world.claims.touch(claim.id)
        world.publish("ADD_MEMBER", agent=giver, land_id=claim.id, member_id=member_id)
        if giver != member_id:
            tenure.notify_admins(world, claim, "JOINED", member_id=member_id)


def _hand_over(world: World, claim: Claim, owner: str, *, giver: str) -> None:
    tenure.transfer(world, claim, owner)
    world.publish("DEED_LAND", agent=giver, land_id=claim.id, new_owner=owner)


def _membership(
    world: WorldState, agent: Agent, wish: actions.AddMember | actions.RemoveMember
) -> tuple[Claim, str]:
    if not wish.land_id or not wish.member_id:
        raise Refusal(codes.BAD_REQUEST, "missing land_id/member_id")
    ours = _own_land(world, agent, wish.land_id)
    known(world.agent_by_id(wish.member_id), "member not found")
    return ours, wish.member_id


def _own_land(world: WorldState, agent: Agent, land_id: str) -> Claim:
    """The land with this id, of which the agent must be an admin."""
    ours = known(world.claims.get(land_id), "land not found")
    refuse_if(not land.is_admin(world, ours, agent), codes.NO_PERMISSION, "not land admin")
    return ours


def price_units(radius: int) -> int:
    """How many times PRICE a claim of this radius costs: its area in claims of the default size,
    rounded up."""
    return -(-((2 * radius + 1) ** 2) // (2 * DEFAULT_RADIUS + 1) ** 2)


def _require_room(
    world: WorldState,
    agent: Agent,
    anchor: tuple[int, int, int],
    radius: int,
    but: Claim | None = None,
) -> None:
    """Refuse a square that overlaps others' land or, if it is larger than the default, the glades
    of other bodies that have ever acted."""
    other = land.overlapping(world, anchor, radius, but)
    if other is not None:
        raise Refusal(codes.CONFLICT, f"overlaps {other.id}")
    reach = radius + GLADE_R
    for body in world.agents if radius > DEFAULT_RADIUS else ():
        x, z = body.home
        near = abs(x - anchor[0]) <= reach and abs(z - anchor[2]) <= reach
        is_ours = body is agent or (body.org and body.org == agent.org)
        if near and body.acted and not body.hidden and not is_ours:
            raise Refusal(codes.CONFLICT, f"the home of {body.id} at {x}, {z} is too near")


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
    world.emit_to(
        land.admins(world, claim),
        "MAINTENANCE",
        land_id=claim.id,
        status="PAID" if paid else "LATE",
        stage=claim.stage,
        next_due_tick=claim.due_tick,
    )
    kind = "PAID_UPKEEP" if paid else "MISSED_UPKEEP"
    world.publish(kind, actor=claim.owner, land_id=claim.id, stage=claim.stage)
