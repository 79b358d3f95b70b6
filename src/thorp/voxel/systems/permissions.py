"""Permissions: who may do what on a land, in one table for rules and OBS alike.

    where and who                   build   break   damage   trade    take out, lay belts
    no land                         yes     yes     no       yes      yes
    member of the land              yes     yes     flag     yes      yes
    visitor                         flag    flag    flag     flag     no
    visitor, in its own glade       yes     yes     no       yes      take out only
    visitor, upkeep missed twice    yes     yes     no       yes      yes
    anyone, during curfew           no      no      as above

Breaking a totem ends the claim: only admins may, unless the land is open to all.

A claim does not extend over homes: the glade around the home of a body that is older than the claim is no
land for that body, unless it is a member. A belt there would carry goods out of chests that stand beyond the
glade, so belts are laid by the rules of the land.
"""

from typing import Final, NamedTuple

from thorp.voxel.society import land
from thorp.voxel.society.records import MILLION, Claim
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import Container, World
from thorp.voxel.terrain.spawn_lattice import GLADE_R


class Permissions(NamedTuple):
    build: bool
    break_: bool
    damage: bool
    trade: bool


WILD: Final = Permissions(build=True, break_=True, damage=False, trade=True)


def land_for(world: World, agent: Agent, x: int, z: int) -> Claim | None:
    """The land whose rules hold for an agent in a column. In the glade around its own home there is none."""
    claim = land.at(world, x, z)
    return None if claim is not None and _is_own_glade(claim, agent, x, z) else claim


def _is_own_glade(claim: Claim, agent: Agent, x: int, z: int) -> bool:
    home_x, home_z = agent.home
    return (
        abs(x - home_x) <= GLADE_R
        and abs(z - home_z) <= GLADE_R
        and agent.number <= claim.newest_resident
        and not land.is_member(claim, agent)
    )


def permissions(world: World, agent: Agent, claim: Claim | None) -> Permissions:
    """What an agent may do on a land, or in the wild."""
    return WILD if claim is None else _granted(world, claim, member=land.is_member(claim, agent))


def _granted(world: World, claim: Claim, *, member: bool) -> Permissions:
    flags, free = claim.flags, not is_curfew(world, claim)
    if member:
        return Permissions(free, free, flags["allow_damage"], True)
    if claim.stage >= land.OPEN_STAGE:
        return Permissions(free, free, WILD.damage, WILD.trade)
    build, break_ = free and flags["allow_build"], free and flags["allow_break"]
    return Permissions(build, break_, flags["allow_damage"], flags["allow_trade"])


def is_curfew(world: World, claim: Claim) -> bool:
    """Whether a land's curfew is on. Both ends belong to it; it may last over midnight."""
    if claim.curfew is None:
        return False
    day = world.tuning.day_ticks
    now = (2 * MILLION * (world.tick % day) + day) // (2 * day)
    start, end = claim.curfew.start, claim.curfew.end
    return start <= now <= end if start <= end else now >= start or now <= end


def may_build(world: World, agent: Agent, position: Position) -> bool:
    return permissions(world, agent, land_for(world, agent, position[0], position[2])).build


def may_break(world: World, agent: Agent, position: Position) -> bool:
    if not permissions(world, agent, land_for(world, agent, position[0], position[2])).break_:
        return False
    claim = land.at(world, position[0], position[2])
    if claim is None or claim.anchor != position or claim.stage >= land.OPEN_STAGE:
        return True
    return land.is_admin(world, claim, agent)


def may_take(world: World, agent: Agent, container: Container) -> bool:
    return may_gather(world, agent, container.position)


def may_gather(world: World, agent: Agent, position: Position) -> bool:
    """Whether an agent may take what lies in a place."""
    return _may_use(land_for(world, agent, position[0], position[2]), agent)


def may_lay_belts(world: World, agent: Agent, position: Position) -> bool:
    return _may_use(land.at(world, position[0], position[2]), agent)


def _may_use(claim: Claim | None, agent: Agent) -> bool:
    return claim is None or claim.stage >= land.OPEN_STAGE or land.is_member(claim, agent)


def same_land(world: World, a: Position, b: Position) -> bool:
    """Whether belts may carry goods from one place to the other: both on one land, or both on none."""
    return land.at(world, a[0], a[2]) is land.at(world, b[0], b[2])


def may_trade(world: World, agent: Agent) -> bool:
    return may_post(world, agent, agent.position)


def may_post(world: World, agent: Agent, position: Position) -> bool:
    """Whether an agent may trade in a place, or put up a notice there."""
    return permissions(world, agent, land_for(world, agent, position[0], position[2])).trade


# The `local_rules` of an OBS.

_BOOL: Final = (b"false", b"true")
WILD_TEXT: Final = (
    b'{"role":"WILD","permissions":{"can_build":true,"can_break":true,"can_damage":false,"can_trade":true},'
    b'"tax":{"market":0}}'
)


def role(claim: Claim, agent: Agent) -> bytes:
    if claim.owner == agent.id:
        return b"OWNER"
    return b"MEMBER" if land.is_member(claim, agent) else b"VISITOR"


def local_rules(world: World, claim: Claim, role: bytes) -> bytes:
    """What an OBS says about the land under the feet of an agent who has this role there."""
    build, break_, damage, trade = _granted(world, claim, member=role != b"VISITOR")
    return (
        b'{"role":"%b","land_id":"%b","owner":"%b","permissions":{"can_build":%b,"can_break":%b,'
        b'"can_damage":%b,"can_trade":%b},"tax":{"market":%b},"maintenance_due_tick":%d,'
        b'"maintenance_stage":%d}'
    ) % (
        role,
        claim.id.encode(),
        claim.owner.encode(),
        _BOOL[build],
        _BOOL[break_],
        _BOOL[damage],
        _BOOL[trade],
        repr(claim.market_tax / MILLION).encode() if claim.market_tax else b"0",
        claim.due_tick,
        claim.stage,
    )
