"""Discrete actions: everything that the tech tree needs, as one numbered list with a mask;
`docs/env.md` has the list.

North is −Z, east is +X. The mask says which actions the rules would accept, as far as the agent can
see. It depends on a `Body`, which is looked up in a world, or read from an OBS (`thorp.mind`).
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thorp.protocol import actions
from thorp.voxel import Agent, Catalogs, Position, World, default_catalogs
from thorp.voxel.catalog import OPEN, SOLID
from thorp.voxel.lookups import cubes
from thorp.voxel.lookups.cubes import Cubes
from thorp.voxel.state.world import ItemEntity, manhattan
from thorp.voxel.systems.blocks import REPLACEABLE
from thorp.voxel.systems.bodies import SAFE_DROP
from thorp.voxel.systems.crafting import STATION_REACH
from thorp.voxel.systems.items import GATHER_REACH
from thorp.voxel.systems.pathfinding import DIRECTIONS

Wish = actions.Task | actions.Instant

# The names of DIRECTIONS, which are quarter turns as yaw counts them.
COMPASS: Final = ("south", "east", "north", "west")
LEVELS: Final = {"low": -1, "feet": 0, "head": 1}
# The blocks that `block_…` places, the cheapest first.
BUILDING_BLOCKS: Final = ("DIRT", "STONE", "PLANK", "LOG")
# The columns of cells that the mask looks at reach as deep below the feet as a body may fall, and
# as far above them. FEET is the index of the feet in a column.
FEET: Final = SAFE_DROP + 1
_COLUMN: Final = 2 * FEET + 1
# Where the agent's own column, and the box in which stations are in reach, begin in those cells.
_OWN: Final = len(DIRECTIONS) * _COLUMN
_BOX: Final = _OWN + _COLUMN
# For how many inventories the choices are cached.
_POCKETS_KEPT: Final = 4_096


class Pocket(NamedTuple):
    """The choices that an inventory makes possible, by their numbers."""

    eat: list[int]
    craft: dict[str, list[int]]  # By the station that is needed.
    place: list[tuple[int, int]]  # Each with the block that the item becomes.
    building: str | None  # The item that `block_…` places.


class Body(NamedTuple):
    """What the choices of an agent without a task depend on."""

    position: Position
    yaw: int
    inventory: Mapping[str, int]
    cells: bytes  # The four columns around it, its own, and the box of stations: `cells_of`.
    item: str | None  # The nearest item that it can gather.


class Choices:
    """The numbered list of discrete actions for one set of catalogs."""

    def __init__(self, catalogs: Catalogs) -> None:
        self._catalogs = catalogs
        foods = [item.id for item in catalogs.items.values() if item.kind == "FOOD"]
        recipes = [recipe for recipe in catalogs.recipes.values() if recipe.station != "FURNACE"]
        table: dict[str, Any] = {"wait": None}
        table |= {f"move_{name}": turn for turn, name in enumerate(COMPASS)}
        table |= {"mine_up": (None, 2), "mine_down": (None, -1)}
        table |= {
            f"mine_{level}_{name}": (turn, height)
            for turn, name in enumerate(COMPASS)
            for level, height in LEVELS.items()
        }
        table |= {f"place_{item.lower()}": item for item in sorted(catalogs.places)}
        table |= {f"block_{name}": turn for turn, name in enumerate(COMPASS)}
        table |= {f"craft_{recipe.recipe_id}": recipe.recipe_id for recipe in recipes}
        table |= {f"smelt_{item.lower()}": item for item in catalogs.smelting}
        table |= {f"eat_{item.lower()}": item for item in foods}
        table |= {"gather": None}
        self.names: Final = tuple(table)  # What each number does.
        self._about = tuple(table.values())
        self._number = {name: number for number, name in enumerate(self.names)}
        self._mines = [
            (number, (_OWN if about[0] is None else _COLUMN * about[0]) + FEET + about[1])
            for number, (name, about) in enumerate(table.items())
            if name.startswith("mine_")
        ]
        self._block_south = self._number["block_south"]
        self._breakable = bytes(block.breakable for block in catalogs.blocks).ljust(256, b"\0")
        self._free = bytes(block.id in REPLACEABLE for block in catalogs.blocks).ljust(256, b"\0")
        self._soil = [
            None if block.needs is None else {catalogs.block_number[need] for need in block.needs}
            for block in catalogs.blocks
        ]
        self._pocket = lru_cache(_POCKETS_KEPT)(self._pocket_of)

    def __len__(self) -> int:
        return len(self.names)

    def mask(self, world: World, agent: Agent, cube: Cubes | None = None) -> bytearray:
        """One byte for each choice: 1 if it is possible now. `cube` is the agent's view, if it was
        gathered already."""
        if agent.move is not None or agent.work is not None:
            return self.waiting()
        return self.possible(body_of(world, agent, cube))

    def waiting(self) -> bytearray:
        """The mask of an agent that is busy: it can wait."""
        mask = bytearray(len(self.names))
        mask[0] = 1
        return mask

    def possible(self, body: Body) -> bytearray:
        """The mask of an agent without a task."""
        mask = self.waiting()
        cells = body.cells
        breakable = self._breakable
        around = _columns(cells)
        own = cells[_OWN:_BOX]
        box = cells[_BOX:]
        for turn, column in enumerate(around):
            mask[1 + turn] = self._can_step(own, column)
        for number, cell in self._mines:
            mask[number] = breakable[cells[cell]]
        pocket = self._pocket(frozenset(body.inventory.items()))
        for station, numbers in pocket.craft.items():
            if station == "HAND" or self._catalogs.block_number[station] in box:
                for number in numbers:
                    mask[number] = 1
        for number in pocket.eat:
            mask[number] = 1
        for number, block in pocket.place:
            mask[number] = next(self._places(around, body.yaw, block), None) is not None
        for turn, column in enumerate(around) if pocket.building is not None else ():
            mask[self._block_south + turn] = (
                self._free[column[FEET]] or self._free[column[FEET - 1]]
            )
        if body.item is not None:
            mask[self._number["gather"]] = 1
        return mask

    def wish(self, number: int, body: Body) -> Wish | None:
        """The action that a choice stands for, if it is possible; None for a wait."""
        kind, _, _ = self.names[number].partition("_")
        about = self._about[number]
        x, y, z = body.position
        match kind, about:
            case "move", int(turn):
                (dx, dz) = DIRECTIONS[turn]
                # A MOVE_TO ends one cell before its target.
                return actions.MoveTo(target=(x + 2 * dx, y, z + 2 * dz))
            case "mine", (turn, height):
                dx, dz = (0, 0) if turn is None else DIRECTIONS[turn]
                return actions.Mine(block_pos=(x + dx, y + height, z + dz))
            case "place", str(item):
                return actions.Place(item_id=item, block_pos=self._place_for(body, item))
            case "block", int(turn):
                (dx, dz) = DIRECTIONS[turn]
                down = not self._free[_columns(body.cells)[turn][FEET]]
                building = self._pocket(frozenset(body.inventory.items())).building
                return actions.Place(item_id=building, block_pos=(x + dx, y - down, z + dz))
            case "craft", str(recipe):
                return actions.Craft(recipe_id=recipe)
            case "smelt", str(item):
                return actions.Smelt(item_id=item)
            case "eat", str(item):
                return actions.Eat(item_id=item)
            case "gather", None:
                return None if body.item is None else actions.Gather(target_id=body.item)
        return None

    def _can_step(self, own: bytes, column: bytes) -> bool:
        medium = self._catalogs.medium
        if medium[column[FEET + 1]] == SOLID:
            return False
        if medium[column[FEET]] == SOLID:
            return SOLID not in (medium[column[FEET + 2]], medium[own[FEET + 2]])
        return any(medium[block] != OPEN for block in column[: FEET + 1])

    def _places(self, around: list[bytes], yaw: int, block: int) -> Iterator[tuple[int, int]]:
        """The places for a block beside the agent, as direction and height: at the height of the
        feet first, and ahead first."""
        ahead = (yaw + 45) % 360 // 90
        soil = self._soil[block]
        free = self._free
        for height in (0, 1, -1):
            for turn in (ahead, (ahead + 1) % 4, (ahead + 2) % 4, (ahead + 3) % 4):
                column = around[turn]
                if free[column[FEET + height]] and (
                    soil is None or column[FEET + height - 1] in soil
                ):
                    yield turn, height

    def _place_for(self, body: Body, item: str) -> Position | None:
        around = _columns(body.cells)
        x, y, z = body.position
        for turn, height in self._places(around, body.yaw, self._catalogs.places[item]):
            dx, dz = DIRECTIONS[turn]
            return x + dx, y + height, z + dz
        return None

    def _pocket_of(self, inventory: frozenset[tuple[str, int]]) -> Pocket:
        have = dict(inventory)
        number = self._number
        catalogs = self._catalogs
        craft: dict[str, list[int]] = {}
        for recipe in catalogs.recipes.values():
            if all(have.get(stack.item, 0) >= stack.count for stack in recipe.inputs):
                smelted = f"smelt_{recipe.inputs[0].item.lower()}"
                name = smelted if recipe.station == "FURNACE" else f"craft_{recipe.recipe_id}"
                craft.setdefault(recipe.station, []).append(number[name])
        eat = [number[name] for item in sorted(have) if (name := f"eat_{item.lower()}") in number]
        blocks = [item for item in sorted(have) if item in catalogs.places]
        place = [(number[f"place_{item.lower()}"], catalogs.places[item]) for item in blocks]
        return Pocket(
            eat, craft, place, next((item for item in BUILDING_BLOCKS if item in have), None)
        )


@cache
def _indices(radius: int) -> NDArray[np.intp]:
    """The indexes, in a cube, of the four columns around the agent, of its own, and of the box in
    which stations are in reach."""
    width = 2 * radius + 1
    heights = range(-FEET, FEET + 1)
    box = range(-STATION_REACH, STATION_REACH + 1)
    cells = [(dx, dy, dz) for dx, dz in (*DIRECTIONS, (0, 0)) for dy in heights]
    cells += [(dx, dy, dz) for dy in box for dz in box for dx in box]
    return np.array(
        [((dy + radius) * width + dz + radius) * width + dx + radius for dx, dy, dz in cells]
    )


def body_of(world: World, agent: Agent, cube: Cubes | None = None) -> Body:
    """What an agent's choices depend on, as its world is now. `cube` is its view, if it was
    gathered already."""
    radius = world.tuning.obs_radius
    if cube is None or radius < FEET:
        radius = FEET
        cube = cubes.gather(world.ground, [agent.position], radius)[0]
    nearest = _nearest_item(world, agent) if len(world.items) else None
    return Body(
        position=agent.position,
        yaw=agent.yaw,
        inventory=agent.inventory,
        cells=cells_of(cube, radius),
        item=nearest.id if nearest is not None else None,
    )


def cells_of(cube: Cubes, radius: int) -> bytes:
    """The cells of a cube that choices depend on. The cube must reach as far as FEET."""
    return cube.take(_indices(radius)).tobytes()


def _columns(cells: bytes) -> list[bytes]:
    """The four columns around an agent, in the order of DIRECTIONS."""
    return [cells[begin : begin + _COLUMN] for begin in range(0, _OWN, _COLUMN)]


@cache
def default_choices() -> Choices:
    """The choices for the packaged catalogs, which every world in process has."""
    return Choices(default_catalogs())


def _nearest_item(world: World, agent: Agent) -> ItemEntity | None:
    near = [
        (distance, item.number)
        for item in world.items.near(agent.x, agent.z, GATHER_REACH)
        if (distance := manhattan(item.position, agent.position)) <= GATHER_REACH
    ]
    return world.items[min(near)[1]] if near else None
