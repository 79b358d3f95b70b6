"""Permissions: who may do what on a land. Rules and observations use the same answers.

`systems.enforcement` refuses, fines and punishes by them; `docs/society-land.md` has the table. In
its own glade a visitor is free of the land's rules, with two exceptions: only admins break totems,
and belts are laid by the rules of the land, because a belt could carry goods out of chests that
stand beyond the glade.
"""

from typing import Final, NamedTuple

import msgspec

from thorp.voxel.lookups import land
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import MILLION, Claim
from thorp.voxel.state.world import Container, World
from thorp.voxel.terrain.columns import GLADE_R

# The `local_rules` of an OBS outside any claimed land.
WILD_TEXT: Final = (
    b'{"role":"WILD",'
    b'"permissions":{"can_build":true,"can_break":true,"can_damage":false,"can_trade":true},'
    b'"tax":{"market":0}}'
)

WANTED_BELOW: Final = 200


class Permissions(NamedTuple):
    """What somebody may do on a land."""

    build: bool
    break_: bool
    damage: bool
    trade: bool


WILD: Final = Permissions(build=True, break_=True, damage=False, trade=True)


def land_for(world: World, agent: Agent, x: int, z: int) -> Claim | None:
    """The land whose rules apply to an agent in a column; None in the wild, and in the glade around
    its own home."""
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
    flags = claim.flags
    free = not is_curfew(world, claim)
    if member:
        return Permissions(free, free, flags["allow_damage"], True)
    if claim.stage >= land.OPEN_STAGE:
        return Permissions(free, free, WILD.damage, WILD.trade)
    build = free and flags["allow_build"]
    break_ = free and flags["allow_break"]
    return Permissions(build, break_, flags["allow_damage"], flags["allow_trade"])


def is_curfew(world: World, claim: Claim) -> bool:
    """Whether a land's curfew is on. Both ends belong to it; it may last over midnight."""
    if claim.curfew is None:
        return False
    day = world.tuning.day_ticks
    # The time of day in millionths, rounded half up, in whole numbers.
    now = (2 * MILLION * (world.tick % day) + day) // (2 * day)
    start = claim.curfew.start
    end = claim.curfew.end
    return start <= now <= end if start <= end else now >= start or now <= end


def may_build(world: World, agent: Agent, position: Position) -> bool:
    """Whether an agent may build in a cell now."""
    return permissions(world, agent, land_for(world, agent, position[0], position[2])).build


def may_ever_build(agent: Agent, claim: Claim | None) -> bool:
    """Whether an agent may build on a land at some hour of the day."""
    return claim is None or may_use(claim, agent) or claim.flags["allow_build"]


def may_break(world: World, agent: Agent, position: Position) -> bool:
    """Whether an agent may break the block in a cell now. A totem is for admins to break."""
    if not permissions(world, agent, land_for(world, agent, position[0], position[2])).break_:
        return False
    claim = land.at(world, position[0], position[2])
    if claim is None or claim.anchor != position or claim.stage >= land.OPEN_STAGE:
        return True
    return land.is_admin(world, claim, agent)


def may_take(world: World, agent: Agent, container: Container) -> bool:
    """Whether an agent may take goods out of a container."""
    return may_gather(world, agent, container.position)


def may_gather(world: World, agent: Agent, position: Position) -> bool:
    """Whether an agent may take items that lie in a place."""
    return may_use(land_for(world, agent, position[0], position[2]), agent)


def may_use(claim: Claim | None, agent: Agent) -> bool:
    """Whether an agent may use the goods on a land: in the wild, on open land, and on land of
    which it is a member."""
    return claim is None or claim.stage >= land.OPEN_STAGE or land.is_member(claim, agent)


def same_land(world: World, a: Position, b: Position) -> bool:
    """Whether belts may carry goods from one place to the other: both on one land, or both on
    none."""
    return land.at(world, a[0], a[2]) is land.at(world, b[0], b[2])


def may_trade(world: World, agent: Agent, position: Position) -> bool:
    """Whether an agent may trade in a place, or put up a notice there."""
    return permissions(world, agent, land_for(world, agent, position[0], position[2])).trade


# The `local_rules` of an OBS.


def role(claim: Claim, agent: Agent) -> bytes:
    """What an agent is on a land, as an OBS says it."""
    if claim.owner == agent.id:
        return b"OWNER"
    return b"MEMBER" if land.is_member(claim, agent) else b"VISITOR"


def local_rules(world: World, claim: Claim, role: bytes) -> bytes:
    """What an OBS says about the land under the feet of an agent who has this role there."""
    build, break_, damage, trade = _granted(world, claim, member=role != b"VISITOR")
    rules = {
        "role": role.decode(),
        "land_id": claim.id,
        "owner": claim.owner,
        "permissions": {
            "can_build": build,
            "can_break": break_,
            "can_damage": damage,
            "can_trade": trade,
        },
        "tax": {"market": msgspec.Raw(repr(claim.market_tax / MILLION if claim.market_tax else 0))},
        "maintenance_due_tick": claim.due_tick,
        "maintenance_stage": claim.stage,
    }
    return msgspec.json.encode(rules)


def is_wanted(agent: Agent) -> bool:
    """Whether an agent's law reputation is so low that cities close their cores to it."""
    return agent.reputation["law"] < WANTED_BELOW
