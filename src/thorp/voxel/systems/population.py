"""Population: joining, coming back, leaving, and bodies whose owners do not come back.

`docs/world.md` says who falls asleep, who is removed when, and who stays: residents always, and,
except for guests, agents who have an open offer, are party to a contract, or are owed something.
The server chooses which stranger gives up its place in a full world, because only the server knows
where they came from; its choice is an input.
"""

from typing import Final

from thorp.voxel.inputs import Attach, Detach, Join, Rescue, Retire
from thorp.voxel.lookups import event_zones, land, spawn_points
from thorp.voxel.lookups.indexes import index_of, note_guest
from thorp.voxel.lookups.residence import is_resident, strangers
from thorp.voxel.lookups.spawn_points import find_spawn
from thorp.voxel.lookups.starter_goods import kit_of
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World, WorldState
from thorp.voxel.systems import items
from thorp.voxel.systems.blocks import change_block

# Guests to remove, and bodies to put to sleep, are looked for at these intervals, in ticks.
GUESTS_EVERY: Final = 50
SLEEP_EVERY: Final = 10
# One round of cold and bandits: nobody escapes them by disconnecting for a moment.
SLEEP_AFTER: Final = 50


def is_full(world: WorldState) -> bool:
    """Whether the world has as many bodies as it may have."""
    return len(world.agents) >= world.tuning.population_cap


def join(world: World, entry: Join) -> None:
    """Put a new body at its spawn. `world.scratch.joined` gets its number, or 0 if the world was
    full."""
    if is_full(world):
        world.scratch.joined.append(0)
        return
    world.counters.agent += 1
    number = world.counters.agent
    x, y, z = _waking_place(world) or find_spawn(world, number)
    kit = dict(world.tuning.starter_items)
    agent = Agent(
        number=number,
        id=f"A{number}",
        name=entry.name,
        x=x,
        y=y,
        z=z,
        home=(x, z),
        joined_tick=world.tick,
        inventory=kit,
    )
    agent.token = bytes.fromhex(entry.token)
    agent.attached = True
    agent.came_tick = world.tick
    world.agents.put(agent)
    world.scratch.joined.append(number)
    world.publish("JOIN", agent=agent.id, name=agent.name)
    event_zones.announce(world, [agent])
    world.listeners.on_arrival(world, agent)


def _waking_place(world: World) -> Position | None:
    """A free place at the gate, if newcomers wake there. A boulder that the place needs is put
    there."""
    place = spawn_points.waking_place(world) if world.tuning.newcomers == "gate" else None
    if place is None:
        return None
    if place.boulder is not None:
        boulder = world.catalogs.block_number[spawn_points.BOULDER]
        change_block(world, place.boulder, boulder, actor="WORLD", reason="GATE")
    return place.feet


def _wake_at_gate(world: World, agent: Agent) -> None:
    """Put a stranger who comes back where newcomers wake. Without a gate it wakes where it fell
    asleep."""
    if spawn_points.gate_of(world) is None:
        return
    place = _waking_place(world) or next(spawn_points.newcomers(world, [agent.number]))
    world.relocate(agent, place)
    agent.home = (agent.x, agent.z)


def attach(world: World, entry: Attach) -> None:
    """Give a body back to its owner. The new token may be lost on its way, so the old one stays
    valid until `confirm`."""
    agent = world.agents.get(entry.agent)
    if agent is not None:
        if entry.proven and agent.fresh:
            agent.token = agent.fresh
        agent.fresh = bytes.fromhex(entry.token)
        if agent.hidden:
            _wake_at_gate(world, agent)
        agent.earlier_presence = agent.presence(world.tick)
        agent.attached = True
        agent.came_tick = world.tick
        agent.changed()
        world.agents.wake(agent)
        index_of(world).guests.pop(agent.number, None)
        event_zones.announce(world, [agent])


def confirm(agent: Agent, answered_tick: int) -> None:
    """Void the old token, once the owner has the new one: an ACT that answers an OBS since it came
    back shows that WELCOME arrived."""
    if agent.fresh and answered_tick >= agent.came_tick:
        agent.token, agent.fresh = agent.fresh, b""
        agent.changed()


def rescue(world: WorldState, entry: Rescue) -> None:
    """Give a body a new token, because its owner has lost the old one."""
    agent = world.agents.get(entry.agent)
    if agent is not None:
        agent.token = bytes.fromhex(entry.token)
        agent.fresh = b""
        agent.changed()


def detach(world: World, entry: Detach) -> None:
    """Note that the owner has left; its body stays."""
    agent = world.agents.get(entry.agent)
    if agent is not None:
        agent.earlier_presence = agent.presence(world.tick)
        agent.attached = False
        agent.left_tick = world.tick
        agent.changed()
        note_guest(world, agent)
        world.publish("LEAVE", agent=agent.id, name=agent.name)


def retirement(world: WorldState, number: int, *, for_room: bool = False) -> Retire:
    """The input that takes a body out of this world."""
    return Retire(number, for_room=for_room, with_kit=bool(world.tuning.starter_goods_per_day))


def retire(world: World, entry: Retire) -> None:
    """Remove a body, unless there is a reason to keep it; its goods drop where it stood. Where kits
    are limited, its kit goes with it: throw-away bodies would leave theirs for others."""
    agent = world.agents.get(entry.agent)
    if agent is None or reason_to_keep(world, agent) is not None:
        return
    if entry.for_room and (agent.attached or is_resident(world, agent)):
        return
    world.publish("LEAVE", agent=agent.id, name=agent.name, retired=True)
    kit = kit_of(world, agent) if entry.with_kit else {}
    for item, count in sorted(agent.inventory.items()):
        if item not in kit:
            items.drop(world, agent.position, item, count)
    _remove(world, agent)


def dispensable(world: World) -> list[Agent]:
    """Bodies that may be removed when the world is full: strangers who are away, without ties."""
    tied = _ids_with_ties(world)
    away = [agent for agent in world.agents if not agent.attached and agent.id not in tied]
    return strangers(world, away)


def step(world: World) -> None:
    """Put absent bodies to sleep, hide those of strangers, and remove guests who have not come
    back."""
    if world.tick % SLEEP_EVERY == 0:
        is_gated = world.tuning.newcomers == "gate" and spawn_points.gate_of(world) is not None
        for agent in world.agents.awake:
            if (
                _away(world, agent) >= SLEEP_AFTER
                and agent.at_rest
                and not (agent.move or agent.work)
            ):
                world.agents.lay_down(agent)
                if is_gated and not is_resident(world, agent):
                    world.agents.hide(agent)
    if world.tick % GUESTS_EVERY == 0:
        for agent in _stale_guests(world):
            _remove(world, agent)


def reason_to_keep(world: WorldState, agent: Agent) -> str | None:
    """Why a body cannot be removed; None if it can."""
    if land.owned_by(world, agent.id):
        return "it owns land"
    if agent.org:
        return "it belongs to an organisation"
    return (
        "it has a trade, a contract or something to collect"
        if agent.id in _ids_with_ties(world)
        else None
    )


def _away(world: WorldState, agent: Agent) -> int:
    return 0 if agent.attached else world.tick - agent.left_tick


def _stale_guests(world: World) -> list[Agent]:
    """Guests who have been away for `guest_ticks`, by number."""
    # The index has guests in the order they left, so the first who is not away long enough ends it.
    guests = index_of(world).guests
    stale = []
    for number in guests:
        agent = world.agents[number]
        if _away(world, agent) < world.tuning.guest_ticks:
            break
        if not agent.acted and not land.owned_by(world, agent.id):
            stale.append(agent)
    return sorted(stale, key=lambda agent: agent.number)


def _ids_with_ties(world: WorldState) -> dict[str, None]:
    """The ids of all who own land, have an open offer, are party to a contract, or are owed
    something."""
    tied = dict.fromkeys(claim.owner for claim in world.claims)
    tied.update(dict.fromkeys(trade.offerer for trade in world.trades))
    for contract in world.contracts:
        if contract.is_live:
            tied.update(dict.fromkeys((*contract.parties, contract.backer)))
    for container in world.containers:
        tied.update(dict.fromkeys(container.owed))
    return tied


def _remove(world: World, agent: Agent) -> None:
    world.listeners.on_departure(world, agent.id)
    index_of(world).guests.pop(agent.number, None)
    world.agents.remove(agent.number)
