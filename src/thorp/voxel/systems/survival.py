"""Survival: hunger, cold, bandits, stamina, respawning, and EAT, the only way to regain health.

Bodies that are asleep are left alone.
"""

from typing import Any, Final

from thorp.protocol import actions, codes
from thorp.voxel.achievements import note_deed
from thorp.voxel.lookups import cubes, event_zones
from thorp.voxel.lookups.spawn_points import find_spawn
from thorp.voxel.refusal import Refusal, given, known, refuse_if
from thorp.voxel.state.agent import MAX_BREATH, MAX_HP, MAX_HUNGER, MAX_STAMINA, Agent
from thorp.voxel.state.records import WorldEvent
from thorp.voxel.state.world import World
from thorp.voxel.systems import items, weather
from thorp.voxel.systems.bodies import hurt

# Intervals, in ticks.
HUNGER_EVERY: Final = 200
COLD_EVERY: Final = 50
BANDITS_EVERY: Final = 50
BLIGHT_HUNGER: Final = 2
HUNGRY_BELOW: Final = 5
TORCH_REACH: Final = 3
# A shelter has a roof within this many cells above the head, and this many walls beside it.
ROOF_REACH: Final = 4
SHELTER_WALLS: Final = 2

# Stamina that comes back in a tick; the slow rate is for the hungry and for bad weather.
RECOVERY: Final = 2
SLOW_RECOVERY: Final = 1

# How much of every stack a body loses when it is downed.
LOST_PERCENT: Final = 30
RESPAWN_HUNGER: Final = 10

HUNGER_PER_HP: Final = 2
STAMINA_PER_HP: Final = 50


def step(world: World) -> None:
    """Let hunger, cold and bandits do their harm, stamina recover, and the dead come back."""
    if world.tick % HUNGER_EVERY == 0:
        _hunger(world)
    if world.tick % COLD_EVERY == 0:
        _cold(world)
    if world.tick % BANDITS_EVERY == 0:
        _bandits(world)
    clear = world.weather == "CLEAR"
    every = world.tuning.starving_recovery
    eases = every > 0 and world.tick % every == 0
    flood = event_zones.zone_of(world, "FLOOD_WARNING")
    blight = event_zones.zone_of(world, "BLIGHT_ZONE")
    for agent in world.agents.awake:
        if agent.stamina < MAX_STAMINA and not _is_in(blight, agent):
            _recover(agent, clear and not _is_in(flood, agent), eases)
        if agent.hp <= 0:
            _respawn(world, agent)


def _hunger(world: World) -> None:
    blight = event_zones.zone_of(world, "BLIGHT_ZONE")
    for agent in world.agents.awake:
        if agent.hunger > 0:
            agent.hunger = max(0, agent.hunger - (BLIGHT_HUNGER if _is_in(blight, agent) else 1))
        else:
            hurt(world, agent, "STARVATION", 1)


def _is_in(zone: WorldEvent | None, agent: Agent) -> bool:
    return zone is not None and event_zones.covers(zone, agent.x, agent.z)


def _bandits(world: World) -> None:
    """Hurt an agent who is alone in a bandit camp."""
    camp = event_zones.zone_of(world, "BANDIT_CAMP")
    inside = (
        [agent for agent in world.agents.awake if _is_in(camp, agent)] if camp is not None else []
    )
    if len(inside) == 1:
        hurt(world, inside[0], "BANDIT", 1)


def _cold(world: World) -> None:
    freezing = [agent for agent in world.agents.awake if weather.temperature(world, agent) < 0]
    if not freezing:
        return
    around = cubes.gather(world.ground, [agent.position for agent in freezing], TORCH_REACH)
    warm = (around == world.catalogs.block_number["TORCH"]).any(axis=1)
    for agent, has_torch in zip(freezing, warm.tolist(), strict=True):
        if not has_torch and not (world.tuning.shelter and is_sheltered(world, agent)):
            hurt(world, agent, "COLD", 1)


def is_sheltered(world: World, agent: Agent) -> bool:
    """Whether a body is under a roof, with walls at two sides of its head or more."""
    solid = world.catalogs.solid
    block = world.ground.block
    x = agent.x
    head = agent.y + 1
    z = agent.z
    if not any(solid[block(x, y, z)] for y in range(head + 1, head + 1 + ROOF_REACH)):
        return False
    sides = ((x + 1, z), (x - 1, z), (x, z + 1), (x, z - 1))
    return (
        sum(bool(solid[block(side_x, head, side_z)]) for side_x, side_z in sides) >= SHELTER_WALLS
    )


def _recover(agent: Agent, clear: bool, eases: bool) -> None:
    if agent.hunger > 0:
        gain = RECOVERY if clear and agent.hunger >= HUNGRY_BELOW else SLOW_RECOVERY
        agent.stamina = min(MAX_STAMINA, agent.stamina + gain)
    elif eases:
        agent.stamina += SLOW_RECOVERY  # the caller has seen that it is below the maximum


def _respawn(world: World, agent: Agent) -> None:
    """Bring a body without health back at its spawn, without LOST_PERCENT of what it carried."""
    for task in (agent.move, agent.work):
        if task is not None:
            world.fail_task(agent, task, Refusal(codes.UNSAFE, "downed"))
    fell_at = agent.position
    lost = _lost(agent)
    for item, count in lost:
        agent.give(item, -count)
        items.drop(world, fell_at, item, count)
    world.relocate(agent, find_spawn(world, agent.number))
    agent.hp = MAX_HP
    agent.hunger = RESPAWN_HUNGER
    agent.stamina = MAX_STAMINA
    agent.breath = MAX_BREATH
    agent.fallen = agent.yaw = 0
    extra: dict[str, Any] = {"lost": lost} if lost else {}
    world.emit(agent, "RESPAWN", reason="DOWNED", pos=agent.position, drop_pos=fell_at, **extra)
    world.publish("DOWNED", agent=agent.id, pos=fell_at)


def _lost(agent: Agent) -> list[tuple[str, int]]:
    """LOST_PERCENT of every stack, rounded down; one item at least."""
    owned = sorted(agent.inventory.items())
    lost = [(item, count * LOST_PERCENT // 100) for item, count in owned]
    lost = [(item, count) for item, count in lost if count]
    return lost or [(item, 1) for item, _ in owned[:1]]


def eat(world: World, agent: Agent, wish: actions.Eat) -> dict[str, object]:
    """Eat food out of the inventory."""
    item = known(world.catalogs.items.get(given(wish.item_id, "item_id")), "unknown item")
    refuse_if(item.kind != "FOOD", codes.BAD_REQUEST, "item not edible")
    count = 1 if wish.count is None or wish.count == 0 else wish.count
    refuse_if(count < 0, codes.BAD_REQUEST, "count must be positive")
    refuse_if(agent.have(item.id) < count, codes.NO_RESOURCE, "missing food")
    agent.give(item.id, -count)
    note_deed(world, agent, "eat", item.id)
    worth = count * item.edible_hp
    agent.hp = min(MAX_HP, agent.hp + worth)
    agent.hunger = min(MAX_HUNGER, agent.hunger + max(count, worth * HUNGER_PER_HP))
    agent.stamina = min(MAX_STAMINA, agent.stamina + worth * STAMINA_PER_HP)
    return {}
