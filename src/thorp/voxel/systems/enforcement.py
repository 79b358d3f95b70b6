"""Enforcement of permissions: what a denial costs, and who gets into the core of a land.

Denials cost reputation and fines, and entering a core can cost a ticket. Nobody is kept on a land:
an agent that is walled in is let out.
"""

from thorp.protocol import codes
from thorp.voxel.lookups import goods, land, permissions, spawn_points
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import Claim, Price
from thorp.voxel.state.world import World


def require_build(world: World, agent: Agent, position: Position) -> None:
    """Refuse, and punish, building where the land does not allow it."""
    if not permissions.may_build(world, agent, position):
        world.listeners.on_denial(world, agent)
        raise Refusal(codes.NO_PERMISSION, "build denied").about(cell=position)


def require_break(world: World, agent: Agent, position: Position) -> None:
    """Refuse, fine and punish breaking where the land does not allow it."""
    if not permissions.may_break(world, agent, position):
        _fine(world, agent, position)
        world.listeners.on_denial(world, agent)
        raise Refusal(codes.NO_PERMISSION, "break denied").about(cell=position)


def require_belts(world: World, agent: Agent, position: Position, block: int) -> None:
    """Refuse a belt to agents who may not take out of containers here, since a belt does so."""
    is_belt = world.catalogs.blocks[block].id == "CONVEYOR"
    if is_belt and not permissions.may_use(land.at(world, position[0], position[2]), agent):
        world.listeners.on_denial(world, agent)
        raise Refusal(codes.NO_PERMISSION, "taking denied").about(cell=position)


def _fine(world: World, agent: Agent, position: Position) -> None:
    claim = land.at(world, position[0], position[2])
    if (
        claim is None
        or claim.fine is None
        or land.is_member(claim, agent)
        or permissions.is_curfew(world, claim)
    ):
        return
    item = claim.fine.item
    count = min(claim.fine.count, agent.have(claim.fine.item))
    if count:
        _pay(world, agent, claim, Price(item, count), kind="PAID_FINE", position=position)
        world.emit(agent, "FINE", land_id=claim.id, item=item, count=count, reason="BREAK_DENIED")


def enter(world: World, agent: Agent, x: int, z: int) -> None:
    """Take the price of a ticket from an agent who steps into the core of a land, or refuse the
    step."""
    claim = permissions.land_for(world, agent, x, z)
    if claim is None or not land.in_core(world, claim, x, z) or land.is_member(claim, agent):
        return
    if land.in_core(world, claim, agent.x, agent.z):
        return
    org = world.orgs.get(claim.owner)
    if org is not None and org.kind == "CITY" and permissions.is_wanted(agent):
        world.listeners.on_closed_core(world)
        raise Refusal(codes.NO_PERMISSION, f"wanted: the core of {claim.id} is closed to you")
    if claim.ticket is not None:
        item = claim.ticket.item
        count = claim.ticket.count
        if agent.have(item) < count:
            world.listeners.on_closed_core(world)
            raise Refusal(codes.NO_RESOURCE, f"entering {claim.id} costs {item} x{count}")
        _pay(world, agent, claim, claim.ticket, kind="PAID_TICKET", position=(x, agent.y, z))
        world.emit(agent, "ACCESS_PASS", land_id=claim.id, item=item, count=count)


def let_out(world: World, agent: Agent, to_x: int, to_z: int) -> bool:
    """Put an agent beyond another's land if it is walled in there, may not break blocks, and wants
    to go to a column outside. Returns whether that was done."""
    claim = land.at(world, agent.x, agent.z)
    if (
        claim is None
        or land.at(world, to_x, to_z) is claim
        or permissions.permissions(world, agent, claim).break_
    ):
        return False
    place = _beyond(world, agent, claim)
    event = {"land_id": claim.id, "from": agent.position, "pos": place}
    world.relocate(agent, place)
    world.emit_to([agent], "LET_OUT", **event)
    world.publish("LET_OUT", agent=agent.id, **event)
    return True


def _beyond(world: World, agent: Agent, claim: Claim) -> Position:
    """The nearest place to stand outside a land, on unclaimed ground; else the agent's home, in
    whose glade no land's rules apply to it."""
    sides = [_past(world, agent, claim, dx, dz) for dx, dz in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    for x, z in sorted(sides, key=lambda side: abs(side[0] - agent.x) + abs(side[1] - agent.z)):
        if world.ground.inside(x, 0, z):
            place = spawn_points.nearest_standing(world, x, z)
            if land.at(world, place[0], place[2]) is None:
                return place
    return spawn_points.nearest_standing(world, *agent.home)


def _past(world: World, agent: Agent, claim: Claim, dx: int, dz: int) -> tuple[int, int]:
    """The first column in a direction that is beyond a land, and beyond all lands that adjoin it
    there."""
    x = agent.x
    z = agent.z
    there: Claim | None = claim
    while there is not None:
        past = there.radius + 1
        x = there.anchor[0] + dx * past if dx else x
        z = there.anchor[2] + dz * past if dz else z
        there = land.at(world, x, z)
    return x, z


def _pay(
    world: World, agent: Agent, claim: Claim, price: Price, *, kind: str, position: Position
) -> None:
    """Move a price from an agent to the owner of a land, and say so in public."""
    agent.give(price.item, -price.count)
    goods.give(world, claim.owner, price.item, price.count)
    paid = {
        "land_id": claim.id,
        "owner": claim.owner,
        "item": price.item,
        "count": price.count,
        "pos": position,
    }
    world.publish(kind, agent=agent.id, **paid)
