"""Seasons: after `season_length_ticks` the world begins anew on other land, with the same agents.

`docs/society-director.md` lists what is lost and what stays. A world has seasons if its tuning says
so. The service keeps the state before a roll-over, as an archive.
"""

from collections.abc import Iterator
from typing import Final

from thorp.voxel.lookups import cubes
from thorp.voxel.lookups.spawn_points import newcomers
from thorp.voxel.society import deeds
from thorp.voxel.state.records import Director
from thorp.voxel.state.world import TABLES, World, WorldState
from thorp.voxel.tuning import Tuning

# Tables that survive a season. Extensions decide about their own rows.
KEPT: Final = ("agents", "orgs", "rows")


def begins_season(tuning: Tuning, tick: int) -> bool:
    """Whether a season begins with this tick."""
    return tuning.seasons and tick % tuning.season_length_ticks == 0


def ticks_left(world: WorldState) -> int | None:
    """How many ticks are left of this season; None if it never ends."""
    length = world.tuning.season_length_ticks
    return length - 1 - world.tick % length if world.tuning.seasons else None


def prefetch_next_season(world: World) -> Iterator[None]:
    """Generate the land around the next season's spawns, one body at a time, so that the tick that
    begins the season need not. The land is a cache, not state."""
    next_world = World(
        seed=world.seed + 1,
        draw_seed=world.draw_seed,
        catalogs=world.catalogs,
        tuning=world.tuning,
        terrain=world.ground.terrain.of_season(world.season + 1),
        listeners=world.listeners,
    )
    world.derived.land_ahead = next_world.ground
    for place in newcomers(next_world, [agent.number for agent in world.agents]):
        cubes.gather(next_world.ground, [place], world.tuning.obs_radius)
        next_world.ground.biome(place[0], place[2])
        yield


def step(world: World) -> None:
    """Begin the next season if this is its tick."""
    if not begins_season(world.tuning, world.tick):
        return
    world.enter_season(world.season + 1)
    for name in TABLES:
        if name not in KEPT:
            getattr(world, name).clear()
    world.unsettled.clear()
    world.weather = "CLEAR"
    world.weather_until = 0
    world.director = Director(
        last_event=world.director.last_event, next_day=world.director.next_day
    )
    for org in world.orgs:
        org.treasury = {}
        world.orgs.touch(org.id)
    event = {"season": world.season, "archive_tick": world.tick - 1, "seed": world.seed}
    world.emit_to(world.agents, "SEASON_ROLLOVER", **event)
    world.publish("SEASON_ROLLOVER", **event)
    # Every body gets a spawn in the new land, in order of their numbers, as if all had just joined.
    everyone = list(world.agents)
    world.agents.clear()
    places = list(newcomers(world, [agent.number for agent in everyone]))
    for agent, place in zip(everyone, places, strict=True):
        agent.begin_season(dict(world.tuning.starter_items))
        agent.x, agent.y, agent.z = place
        agent.home = (agent.x, agent.z)
        world.agents.put(agent)
        deeds.arrived(world, agent)
