"""Permissions: who may do what on a land, one answer for rules and OBS alike; how they are
enforced.

`docs/society-land.md` has the table. In a visitor's own glade there is no land, but for two things:
totems are broken by admins, and belts are laid by the rules of the land, for a belt would carry
goods out of chests that stand beyond the glade.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import msgspec

from thorp.protocol import codes
from thorp.voxel.lookups import goods, land, spawn_points
from thorp.voxel.refusal import Refusal, cooldown
from thorp.voxel.society import scores
from thorp.voxel.state.agent import Agent, Window
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import MILLION, Claim
from thorp.voxel.state.world import Container, World, WorldState
from thorp.voxel.terrain.columns import GLADE_R

WILD_TEXT: Final = (
    b'{"role":"WILD","permissions":{"can_build":true,"can_break":true,"can_damage":false,"can_trade":true},'
    b'"tax":{"market":0}}'
)

WANTED_BELOW: Final = 200

REFUSALS_WINDOW_TICKS: Final = 50
REFUSALS_MAX: Final = 5  # Or as many as uses are allowed, if these are more.


class Permissions(NamedTuple):
    build: bool
    break_: bool
    damage: bool
    trade: bool


WILD: Final = Permissions(build=True, break_=True, damage=False, trade=True)


def land_for(world: World, agent: Agent, x: int, z: int) -> Claim | None:
    """The land whose rules hold for an agent in a column. In the glade around its own home there is
    none."""
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
    now = (2 * MILLION * (world.tick % day) + day) // (2 * day)
    start = claim.curfew.start
    end = claim.curfew.end
    return start <= now <= end if start <= end else now >= start or now <= end


def may_build(world: World, agent: Agent, position: Position) -> bool:
    return permissions(world, agent, land_for(world, agent, position[0], position[2])).build


def may_ever_build(agent: Agent, claim: Claim | None) -> bool:
    """Whether an agent may build on a land at some hour of the day."""
    return claim is None or _may_use(claim, agent) or claim.flags["allow_build"]


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


def _may_use(claim: Claim | None, agent: Agent) -> bool:
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


# Enforcement: denials cost reputation and fines, entering a core can cost a ticket. Nobody is kept
# on a land.


def require_build(world: World, agent: Agent, position: Position) -> None:
    """Refuse, and punish, building where the land does not allow it."""
    if not may_build(world, agent, position):
        _deny(world, agent)
        raise Refusal(codes.NO_PERMISSION, "build denied")


def require_break(world: World, agent: Agent, position: Position) -> None:
    if not may_break(world, agent, position):
        _fine(world, agent, position)
        _deny(world, agent)
        raise Refusal(codes.NO_PERMISSION, "break denied")


def require_belts(world: World, agent: Agent, position: Position, block: int) -> None:
    """Refuse belts, which take out of containers, to agents who may not take out."""
    is_belt = world.catalogs.blocks[block].id == "CONVEYOR"
    if is_belt and not _may_use(land.at(world, position[0], position[2]), agent):
        _deny(world, agent)
        raise Refusal(codes.NO_PERMISSION, "taking denied")


def _deny(world: WorldState, agent: Agent) -> None:
    scores.change_reputation(agent, "law", -1)
    scores.count_deed(world, "denials")


def _fine(world: World, agent: Agent, position: Position) -> None:
    claim = land.at(world, position[0], position[2])
    if (
        claim is None
        or claim.fine is None
        or land.is_member(claim, agent)
        or is_curfew(world, claim)
    ):
        return
    item = claim.fine.item
    count = min(claim.fine.count, agent.have(claim.fine.item))
    if count:
        _pay(world, agent, claim, item, count, "PAID_FINE", position)
        world.emit(agent, "FINE", land_id=claim.id, item=item, count=count, reason="BREAK_DENIED")


def is_wanted(agent: Agent) -> bool:
    return agent.reputation["law"] < WANTED_BELOW


def enter(world: World, agent: Agent, x: int, z: int) -> None:
    """Take the ticket of an agent who steps into a column, or refuse the step."""
    claim = land_for(world, agent, x, z)
    if claim is None or not land.in_core(world, claim, x, z) or land.is_member(claim, agent):
        return
    if land.in_core(world, claim, agent.x, agent.z):
        return
    org = world.orgs.get(claim.owner)
    if org is not None and org.kind == "CITY" and is_wanted(agent):
        scores.count_deed(world, "denials")
        raise Refusal(codes.NO_PERMISSION, f"wanted: the core of {claim.id} is closed to you")
    if claim.ticket is not None:
        item = claim.ticket.item
        count = claim.ticket.count
        if agent.have(item) < count:
            scores.count_deed(world, "denials")
            raise Refusal(codes.NO_RESOURCE, f"entering {claim.id} costs {item} x{count}")
        _pay(world, agent, claim, item, count, "PAID_TICKET", (x, agent.y, z))
        world.emit(agent, "ACCESS_PASS", land_id=claim.id, item=item, count=count)


def let_out(world: World, agent: Agent, to_x: int, to_z: int) -> bool:
    """Put an agent beyond another's land if it is walled in there, may not break, and wants to go
    to a column beyond it. Tells whether it was."""
    claim = land.at(world, agent.x, agent.z)
    if (
        claim is None
        or land.at(world, to_x, to_z) is claim
        or permissions(world, agent, claim).break_
    ):
        return False
    place = _beyond(world, agent, claim)
    told = {"land_id": claim.id, "from": agent.position, "pos": place}
    world.relocate(agent, place)
    world.emit_to([agent], "LET_OUT", **told)
    world.publish("LET_OUT", agent=agent.id, **told)
    return True


def _beyond(world: World, agent: Agent, claim: Claim) -> Position:
    """The nearest place to stand outside a land that is nobody's; else home, whose glade is the
    agent's."""
    sides = [_past(world, agent, claim, dx, dz) for dx, dz in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    for x, z in sorted(sides, key=lambda side: abs(side[0] - agent.x) + abs(side[1] - agent.z)):
        if world.ground.inside(x, 0, z):
            place = spawn_points.nearest_standing(world, x, z)
            if land.at(world, place[0], place[2]) is None:
                return place
    return spawn_points.nearest_standing(world, *agent.home)


def _past(world: World, agent: Agent, claim: Claim, dx: int, dz: int) -> tuple[int, int]:
    """The first column in a direction that is beyond a land, and beyond those that lie behind
    it."""
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
    world: World, agent: Agent, claim: Claim, item: str, count: int, kind: str, position: Position
) -> None:
    agent.give(item, -count)
    goods.give(world, claim.owner, item, count)
    paid = {
        "land_id": claim.id,
        "owner": claim.owner,
        "item": item,
        "count": count,
        "pos": position,
    }
    world.publish(kind, agent=agent.id, **paid)


# Rate limits on actions that are a burden to others: a window opens with the first use. What a rule
# refuses uses up nothing of the limit. Refusals have a window of their own, because they are
# written down like all that is asked for: who is refused again and again waits for a moment.


class RateLimit(NamedTuple):
    """So many uses in so many ticks, and so many refusals, each counted in a window of its own."""

    name: str
    length: int
    allowed: int

    @property
    def refusals(self) -> "RateLimit":
        allowed = max(REFUSALS_MAX, self.allowed)
        return RateLimit(f"{self.name}_refused", REFUSALS_WINDOW_TICKS, allowed)

    def room(self, agent: Agent, tick: int) -> int:
        """How many more fit into the window of a tick."""
        window = agent.windows.get(self.name)
        if window is None or tick - window.start_tick >= self.length:
            return self.allowed
        return max(0, self.allowed - window.used)


def tuned_limit(world: WorldState, action: str) -> RateLimit:
    """A rate limit of the tuning, by the name it has there."""
    limits = world.tuning.rate_limits
    return RateLimit(
        action, getattr(limits, f"{action}_window_ticks"), getattr(limits, f"{action}_max")
    )


@contextmanager
def rate_limited(world: WorldState, agent: Agent, limit: RateLimit) -> Iterator[None]:
    """Refuse an action that is one too many; else count it when its rule is done, as use or as
    refusal."""
    require_room(world, agent, limit)
    try:
        yield
    except Refusal:
        _count(world, agent, limit.refusals)
        raise
    _count(world, agent, limit)


def require_room(world: WorldState, agent: Agent, limit: RateLimit) -> None:
    for one in (limit, limit.refusals):
        if not one.room(agent, world.tick):
            end = agent.windows[one.name].start_tick + one.length
            quota = f"{one.allowed}" if one is limit else f"{one.allowed} refusals"
            wait = cooldown(world.tick, end)
            raise Refusal(
                codes.RATE_LIMIT,
                f"at most {quota} in {one.length} ticks; wait until tick {end}",
                **wait,
            )


def _count(world: WorldState, agent: Agent, limit: RateLimit) -> None:
    window = agent.windows.get(limit.name)
    if window is None or world.tick - window.start_tick >= limit.length:
        window = agent.windows[limit.name] = Window(world.tick, 0)
    window.used += 1
    agent.changed()
