"""Observations as numpy arrays of fixed shapes, made from the state without any text in between.

`docs/env.md` has the table of arrays; `observation_spec` declares them.
"""

from collections.abc import Sequence
from math import cos, radians, sin
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thorp.env.choices import Choices, default_choices
from thorp.voxel import Agent, World, default_catalogs
from thorp.voxel.achievements import IDS
from thorp.voxel.lookups import cubes
from thorp.voxel.observation import entity_view
from thorp.voxel.observation.compose import is_stale
from thorp.voxel.observation.session import Session
from thorp.voxel.state.agent import MAX_BREATH, MAX_HP, MAX_HUNGER, MAX_STAMINA
from thorp.voxel.state.ground import HEIGHT
from thorp.voxel.state.world import TABLES, ItemEntity, manhattan

Arrays = dict[str, NDArray[Any]]

SELF: Final = (
    *("hp", "hunger", "stamina", "breath", "height", "yaw_sin", "yaw_cos"),
    *("time_of_day", "moves", "works", "home_x", "home_z"),
)
NEAR: Final = ("kind", "dx", "dy", "dz", "item", "count")
KINDS: Final = (
    "agents",
    "items",
    "containers",
    "boards",
    "signs",
    "conveyors",
    "switches",
    "sensors",
)
"""The kinds of entities in `near`, which are numbered from 1; 0 is an empty row."""
ROWS: Final = 16
HOME_REACH: Final = 64  # Beyond this distance from home, all distances look the same.

_KIND: Final[dict[type, int]] = {TABLES[kind]: number for number, kind in enumerate(KINDS, 1)}
_MOST: Final = {"inventory": 2**31 - 1, "near": 2**15 - 1}

ITEMS: Final = tuple(default_catalogs().item_palette)
_ACHIEVEMENT: Final = {achievement: number for number, achievement in enumerate(IDS)}
_ITEM: Final = {item: number for number, item in enumerate(ITEMS)}


class ArraySpec(NamedTuple):
    """Shape, type and bounds of one array of an observation."""

    shape: tuple[int, ...]
    dtype: type[np.generic]
    low: int
    high: int


def observation_spec(radius: int) -> dict[str, ArraySpec]:
    """The arrays of an observation, in a world with this `obs_radius`."""
    width = 2 * radius + 1
    return {
        "blocks": ArraySpec((width, width, width), np.uint8, 0, 255),
        "self": ArraySpec((len(SELF),), np.float32, -1, 1),
        "inventory": ArraySpec((len(ITEMS),), np.int32, 0, _MOST["inventory"]),
        "near": ArraySpec((ROWS, len(NEAR)), np.int16, -_MOST["near"] - 1, _MOST["near"]),
        "achievements": ArraySpec((len(IDS),), np.int8, 0, 1),
        "action_mask": ArraySpec((len(default_choices()),), np.int8, 0, 1),
    }


def observe(world: World, sessions: Sequence[Session], choices: Choices) -> list[Arrays]:
    """What the agent of each session sees now. No observation shares memory with another one.

    A session keeps the cube of its agent, which is gathered anew when the agent has moved or blocks
    near it have changed.
    """
    radius = world.tuning.obs_radius
    width = 2 * radius + 1
    agents = [world.agents[session.number] for session in sessions]
    pairs = zip(sessions, agents, strict=True)
    stale = [
        (session, agent)
        for session, agent in pairs
        if is_stale(world.ground, session, agent, radius)
    ]
    if stale:
        gathered = cubes.gather(world.ground, [agent.position for _, agent in stale], radius)
        for (session, _), cube in zip(stale, gathered, strict=True):
            session.cube = cube
    views: list[Any] = [session.cube for session in sessions]
    seen = entity_view.things_seen(world, agents)
    day = world.tick % world.tuning.day_ticks / world.tuning.day_ticks
    return [
        {
            "blocks": cube.reshape(width, width, width).copy(),
            "self": _self(agent, day),
            "inventory": _inventory(agent),
            "near": _near(agent, things),
            "achievements": _unlocked(agent),
            "action_mask": np.frombuffer(choices.mask(world, agent, cube), np.int8),
        }
        for agent, cube, things in zip(agents, views, seen, strict=True)
    ]


def _self(agent: Agent, day: float) -> NDArray[np.float32]:
    yaw = radians(agent.yaw)
    away = (agent.home[0] - agent.x, agent.home[1] - agent.z)
    body = [agent.hp / MAX_HP, agent.hunger / MAX_HUNGER, agent.stamina / MAX_STAMINA]
    body += [agent.breath / MAX_BREATH, agent.y / HEIGHT, sin(yaw), cos(yaw), day]
    tasks = [agent.move is not None, agent.work is not None]
    home = [max(-1.0, min(1.0, cells / HOME_REACH)) for cells in away]
    return np.array([*body, *tasks, *home], np.float32)


def _inventory(agent: Agent) -> NDArray[np.int32]:
    counts = np.zeros(len(ITEMS), np.int32)
    for item, count in agent.inventory.items():
        counts[_ITEM[item]] = min(count, _MOST["inventory"])
    return counts


def _unlocked(agent: Agent) -> NDArray[np.int8]:
    flags = np.zeros(len(IDS), np.int8)
    for achievement in agent.achievements:
        flags[_ACHIEVEMENT[achievement]] = 1
    return flags


def _near(agent: Agent, things: list[Any]) -> NDArray[np.int16]:
    table = np.zeros((ROWS, len(NEAR)), np.int16)
    here = agent.position
    if len(things) > ROWS:
        things = sorted(things, key=lambda thing: manhattan(thing.position, here))[:ROWS]
    for row, thing in zip(table, things, strict=False):
        x, y, z = thing.position
        item, count = (
            (_ITEM[thing.item] + 1, thing.count) if isinstance(thing, ItemEntity) else (0, 1)
        )
        row[:] = (
            _KIND[type(thing)],
            x - here[0],
            y - here[1],
            z - here[2],
            item,
            min(count, _MOST["near"]),
        )
    return table
