"""Day and night, weather and temperature, which is a whole number of degrees. See
`docs/world.md`."""

from typing import Final

from thorp.voxel.lookups import event_zones
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import WorldState

STORM_PERCENT: Final = 15
COLD_PERCENT: Final = 15
# A night is the first and the last quarter of a day.
QUARTERS: Final = 4

DEGREES: Final = {"PLAINS": 15, "FOREST": 15, "DESERT": 30}
NIGHT_DEGREES: Final = {"PLAINS": -8, "FOREST": -8, "DESERT": -18}
WEATHER_DEGREES: Final = {"CLEAR": 0, "STORM": -4, "COLD": -14}
# One degree less for every CELLS_PER_DEGREE cells above HILL_Y.
HILL_Y: Final = 30
CELLS_PER_DEGREE: Final = 8


def step(world: WorldState) -> None:
    """End weather that is over; once a day, in the morning, draw whether a storm or a cold spell
    begins. Events of the world that bring weather keep others away."""
    if world.weather != "CLEAR" and world.tick >= world.weather_until:
        world.weather = "CLEAR"
    day = world.tuning.day_ticks
    event = world.director.event
    is_free = event is None or event.id not in event_zones.WEATHER
    if world.tick % day != day // QUARTERS or world.tick <= day or not is_free:
        return
    drawn = world.draws.below(100, tick=world.tick, subject="world", purpose="weather")
    if drawn < STORM_PERCENT + COLD_PERCENT:
        part = world.draws.below(
            QUARTERS, tick=world.tick, subject="world", purpose="weather length"
        )
        world.weather = "STORM" if drawn < STORM_PERCENT else "COLD"
        world.weather_until = world.tick + (part + 1) * day // QUARTERS


def is_night(world: WorldState) -> bool:
    """Whether it is the first or the last quarter of the day."""
    day = world.tuning.day_ticks
    hour = world.tick % day * QUARTERS
    return hour < day or hour > day * (QUARTERS - 1)


def temperature(world: WorldState, agent: Agent) -> int:
    """Degrees where an agent stands; a torch or a shelter is not counted."""
    biome = world.ground.biome(agent.x, agent.z)
    degrees = DEGREES[biome] + WEATHER_DEGREES[world.weather]
    if is_night(world):
        degrees += NIGHT_DEGREES[biome]
    return degrees - max(0, agent.y - HILL_Y) // CELLS_PER_DEGREE
