"""Discrete actions: everything that the tech tree takes, as one numbered list with a mask.

    wait                           0, always allowed; so is nothing else while a task of the agent is running
    move_DIRECTION                 one step, also up or down one block
    mine_PLACE                     up, down, and in each direction low (beside the ground), feet and head
    place_ITEM                     into the first free cell beside the agent: ahead, right, behind, left
    block_DIRECTION                some building block at the feet, or below them: for bridges and stairs
    craft_RECIPE, smelt_ITEM       one unit; stations stand within reach
    eat_ITEM, gather               gather: what lies nearest

North is −Z, east +X. The mask says what the rules would accept, as far as the agent can see.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from thorp.protocol import actions
from thorp.voxel.catalog import OPEN, SOLID, Catalogs
from thorp.voxel.load import default_catalogs
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import ItemEntity, World, manhattan
from thorp.voxel.systems.bodies import SAFE_DROP
from thorp.voxel.systems.crafting import stands_near
from thorp.voxel.systems.items import GATHER_REACH
from thorp.voxel.systems.pathfinding import DIRECTIONS
from thorp.voxel.systems.placement import REPLACEABLE

Wish = actions.Task | actions.Instant

COMPASS: Final = ("south", "east", "north", "west")
"""The names of DIRECTIONS: a quarter of a turn each, as yaw counts them."""
LEVELS: Final = {"low": -1, "feet": 0, "head": 1}
# What `block_…` takes, the cheapest first.
BUILDING_BLOCKS: Final = ("DIRT", "STONE", "PLANK", "LOG")
# Cells that columns have below and above the world, so that looking beyond its edge finds air.
_MARGIN: Final = bytes(8)
# Inventories whose choices are remembered.
_POCKETS_KEPT: Final = 4_096


class Pocket(NamedTuple):
    """What an inventory makes possible, by the number of the choice."""

    eat: list[int]
    craft: dict[str, list[int]]
    """By the station that is needed."""
    place: list[tuple[int, int]]
    """With the block that the item becomes."""
    building: str | None


class Choices:
    """The numbered list for one set of catalogs."""

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
        self.names: Final = tuple(table)
        """What each number does."""
        self._about = tuple(table.values())
        self._number = {name: number for number, name in enumerate(self.names)}
        self._mines = [
            (number, *about)
            for number, (name, about) in enumerate(table.items())
            if name.startswith("mine_") and isinstance(about, tuple)
        ]
        self._breakable = bytes(block.breakable for block in catalogs.blocks).ljust(256, b"\0")
        self._free = bytes(block.id in REPLACEABLE for block in catalogs.blocks).ljust(256, b"\0")
        self._soil = [
            None if block.needs is None else {catalogs.block_number[need] for need in block.needs}
            for block in catalogs.blocks
        ]
        self._pocket = lru_cache(_POCKETS_KEPT)(self._empty_out)

    def __len__(self) -> int:
        return len(self.names)

    def mask(self, world: World, agent: Agent) -> bytearray:
        """A 1 for each choice that is possible now."""
        mask = bytearray(len(self.names))
        mask[0] = 1
        if agent.move is not None or agent.work is not None:
            return mask
        around, own, y = *self._columns(world, agent), agent.y + len(_MARGIN)
        for turn, column in enumerate(around):
            mask[1 + turn] = self._can_step(own, column, y)
        for number, direction, height in self._mines:
            column = own if direction is None else around[direction]
            mask[number] = self._breakable[column[y + height]]
        self._mask_pocket(mask, world, agent, around, y)
        if len(world.items) and _nearest_item(world, agent) is not None:
            mask[self._number["gather"]] = 1
        return mask

    def _mask_pocket(self, mask: bytearray, world: World, agent: Agent, around: list[bytes], y: int) -> None:
        pocket = self._pocket(frozenset(agent.inventory.items()))
        for number in pocket.eat:
            mask[number] = 1
        for station, numbers in pocket.craft.items():
            if station == "HAND" or stands_near(world, agent, station):
                for number in numbers:
                    mask[number] = 1
        for number, block in pocket.place:
            mask[number] = next(self._places(around, agent.yaw, y, block), None) is not None
        if pocket.building is not None:
            for turn, column in enumerate(around):
                number = self._number[f"block_{COMPASS[turn]}"]
                mask[number] = self._free[column[y]] or self._free[column[y - 1]]

    def wish(self, number: int, world: World, agent: Agent) -> Wish | None:
        """The action that a possible choice stands for; None is waiting."""
        kind, _, _ = self.names[number].partition("_")
        about = self._about[number]
        x, y, z = agent.position
        match kind, about:
            case "move", int(turn):
                (dx, dz) = DIRECTIONS[turn]
                return actions.MoveTo(target=(x + 2 * dx, y, z + 2 * dz))  # it ends one cell before that
            case "mine", (turn, height):
                dx, dz = (0, 0) if turn is None else DIRECTIONS[turn]
                return actions.Mine(block_pos=(x + dx, y + height, z + dz))
            case "place", str(item):
                return actions.Place(item_id=item, block_pos=self._place_for(world, agent, item))
            case "block", int(turn):
                (dx, dz) = DIRECTIONS[turn]
                down = not self._free[world.ground.block(x + dx, y, z + dz)]
                building = self._pocket(frozenset(agent.inventory.items())).building
                return actions.Place(item_id=building, block_pos=(x + dx, y - down, z + dz))
            case "craft", str(recipe):
                return actions.Craft(recipe_id=recipe)
            case "smelt", str(item):
                return actions.Smelt(item_id=item)
            case "eat", str(item):
                return actions.Eat(item_id=item)
            case "gather", None:
                nearest = _nearest_item(world, agent)
                return None if nearest is None else actions.Gather(target_id=nearest.id)
        return None

    def _columns(self, world: World, agent: Agent) -> tuple[list[bytes], bytes]:
        """The four columns around an agent in the order of DIRECTIONS, and its own, each with a margin."""
        column, x, z = world.ground.column, agent.x, agent.z
        around = [_MARGIN + column(x + dx, z + dz) + _MARGIN for dx, dz in DIRECTIONS]
        return around, _MARGIN + column(x, z) + _MARGIN

    def _can_step(self, own: bytes, column: bytes, y: int) -> bool:
        medium = self._catalogs.medium
        if medium[column[y + 1]] == SOLID:
            return False
        if medium[column[y]] == SOLID:
            return SOLID not in (medium[column[y + 2]], medium[own[y + 2]])
        return any(medium[column[y - below]] != OPEN for below in range(SAFE_DROP + 2))

    def _places(self, around: list[bytes], yaw: int, y: int, block: int) -> Iterator[tuple[int, int]]:
        """Where a block can go: the direction and the height, ahead first."""
        ahead, soil, free = (yaw + 45) % 360 // 90, self._soil[block], self._free
        for height in (0, 1, -1):
            for turn in (ahead, (ahead + 1) % 4, (ahead + 2) % 4, (ahead + 3) % 4):
                column = around[turn]
                if free[column[y + height]] and (soil is None or column[y + height - 1] in soil):
                    yield turn, height

    def _place_for(self, world: World, agent: Agent, item: str) -> Position | None:
        around, _ = self._columns(world, agent)
        block = self._catalogs.places[item]
        for turn, height in self._places(around, agent.yaw, agent.y + len(_MARGIN), block):
            dx, dz = DIRECTIONS[turn]
            return agent.x + dx, agent.y + height, agent.z + dz
        return None

    def _empty_out(self, inventory: frozenset[tuple[str, int]]) -> Pocket:
        have, number, catalogs = dict(inventory), self._number, self._catalogs
        craft: dict[str, list[int]] = {}
        for recipe in catalogs.recipes.values():
            if all(have.get(stack.item, 0) >= stack.count for stack in recipe.inputs):
                smelted = f"smelt_{recipe.inputs[0].item.lower()}"
                name = smelted if recipe.station == "FURNACE" else f"craft_{recipe.recipe_id}"
                craft.setdefault(recipe.station, []).append(number[name])
        eat = [number[name] for item in sorted(have) if (name := f"eat_{item.lower()}") in number]
        blocks = [item for item in sorted(have) if item in catalogs.places]
        place = [(number[f"place_{item.lower()}"], catalogs.places[item]) for item in blocks]
        return Pocket(eat, craft, place, next((item for item in BUILDING_BLOCKS if item in have), None))


@cache
def default_choices() -> Choices:
    """Those of the packaged catalogs, which every world in process has."""
    return Choices(default_catalogs())


def _nearest_item(world: World, agent: Agent) -> ItemEntity | None:
    near = [
        (distance, item.number)
        for item in world.items.near(agent.x, agent.z, GATHER_REACH)
        if (distance := manhattan(item.position, agent.position)) <= GATHER_REACH
    ]
    return world.items[min(near)[1]] if near else None
