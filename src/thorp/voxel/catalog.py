"""The catalogs of a world: blocks, items, recipes, blueprints, law templates, events. All of it is
data.

The lists come from files and go to every agent as they are; rules use the tables made from them
here. The two palettes fix numbers and order: the first 30 blocks and 45 items are those of the
protocol's first servers, and new ones come after them. The other lists are in order of their ids.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any, Final, Literal

import msgspec

from thorp.kernel.errors import InvalidError
from thorp.protocol.actions import Stack

AIR: Final = 0
# Voxel ids are one byte in memory, and one varint byte on the wire.
MAX_BLOCKS: Final = 128

# What a block is to a body.
OPEN: Final = 0
WATER: Final = 1
SOLID: Final = 2

Tool = Literal["AXE", "PICKAXE", "SHOVEL"]


class Growth(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The block that a block turns into by itself, and after how many ticks; up to `spread` more
    are drawn."""

    into: str
    ticks: int
    spread: int = 0


class Block(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One kind of block. A solid one stops bodies; a breakable one can be mined."""

    id: str
    solid: bool = True
    breakable: bool = True
    tool: Tool = "PICKAXE"
    falls: bool = False  # Whether it falls when nothing holds it from below, as sand does.
    drops: list[Stack] | None = None
    """What mining yields; None stands for the item of the same name, if there is one."""
    drop_permille: int = 1000  # How often, of a thousand times, mining yields anything.
    leaves: str = "AIR"  # The block that remains when it was mined.
    grows: Growth | None = None
    needs: list[str] | None = None  # One of these blocks must lie below when it is placed.


class Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something an agent can carry: what it is for, and which block it places."""

    id: str
    kind: Literal["BLOCK", "MATERIAL", "FOOD", "TOOL"]
    place_as: str | None = None
    edible_hp: int = 0


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What can be made, from what, at which station, and how long it takes."""

    recipe_id: str
    station: Literal["HAND", "CRAFTING_BENCH", "FURNACE"]
    inputs: list[Stack]
    outputs: list[Stack]
    tier: int
    time_ticks: int


class BlueprintBlock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One block of a blueprint, and its offset from the anchor."""

    pos: tuple[int, int, int]
    block: str


class Blueprint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A building as a list of blocks, which agents can build as one task."""

    id: str
    author: str
    version: int
    aabb: tuple[tuple[int, int, int], tuple[int, int, int]]
    blocks: list[BlueprintBlock]
    cost: list[Stack]


class LawTemplate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of law that can be proposed, with the parameters it takes."""

    id: str
    title: str
    description: str
    params: dict[str, Any]


class EventTemplate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of world event: its texts, and how likely the director chooses it."""

    id: str
    category: str
    title: str
    description: str
    base_weight: float
    params: dict[str, Any] = {}


def turned(x: int, z: int, turns: int) -> tuple[int, int]:
    """A step in x and z after a number of quarter turns, as blueprints are turned."""
    return ((x, z), (z, -x), (-x, -z), (-z, x))[turns]


class Catalogs:
    """The lists of the files, and the tables that rules look up."""

    def __init__(
        self,
        *,
        blocks: list[Block],
        items: list[Item],
        recipes: list[Recipe],
        blueprints: list[Blueprint],
        law_templates: list[LawTemplate],
        events: list[EventTemplate],
    ) -> None:
        if len(blocks) > MAX_BLOCKS:
            raise InvalidError(
                f"a world has at most {MAX_BLOCKS} kinds of block, not {len(blocks)}"
            )
        for things in (blocks, items, blueprints, law_templates, events):
            _refuse_repeated([thing.id for thing in things])
        _refuse_repeated([recipe.recipe_id for recipe in recipes])
        _refuse_repeated(
            [recipe.inputs[0].item for recipe in recipes if recipe.station == "FURNACE"]
        )
        self.blocks = blocks
        self.block_number = {block.id: number for number, block in enumerate(blocks)}
        self.items = {item.id: item for item in items}
        self.item_palette = [item.id for item in items]
        self.recipes = dict(sorted((recipe.recipe_id, recipe) for recipe in recipes))
        self.blueprints = dict(sorted((plan.id, plan) for plan in blueprints))
        self.law_templates = dict(sorted((law.id, law) for law in law_templates))
        self.events = dict(sorted((event.id, event) for event in events))
        self.smelting = {
            recipe.inputs[0].item: recipe
            for recipe in self.recipes.values()
            if recipe.station == "FURNACE"
        }
        # As bytes, so that rules can index them, or translate whole columns, without a call.
        # Numbers that no block has count as solid.
        self.solid = bytes(block.solid for block in blocks).ljust(256, b"\1")
        media = [
            WATER if block.id == "WATER" else SOLID if block.solid else OPEN for block in blocks
        ]
        self.medium = bytes(media).ljust(256, bytes([SOLID]))
        """What a block is to a body: OPEN, WATER or SOLID."""
        self.drops = [_drops(block, self.items) for block in blocks]
        self.places = {
            item.id: self.block_number[item.place_as or item.id]
            for item in items
            if (item.place_as or item.id) in self.block_number
        }
        _check_names(self)

    def lists(self) -> dict[str, Any]:
        """The six lists as they are sent, by the name of the catalog. The seventh, `tuning`, is the
        world's own."""
        return {
            "block_palette": [block.id for block in self.blocks],
            "item_palette": self.item_palette,
            "recipes": list(self.recipes.values()),
            "blueprints": list(self.blueprints.values()),
            "law_templates": {"templates": list(self.law_templates.values())},
            "events": list(self.events.values()),
        }

    def digest(self) -> str:
        """One digest over everything that rules can look up, for the headers of journals and
        snapshots."""
        everything = [self.blocks, list(self.items.values()), self.lists()]
        return sha256(msgspec.json.encode(everything, order="deterministic")).hexdigest()


def _refuse_repeated(names: list[str]) -> None:
    """Refuse a name that comes twice: an id must name one thing, and an item that is smelted must
    become one thing."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InvalidError(f"the catalogs have {name} twice", code="catalog")
        seen.add(name)


def _drops(block: Block, items: Mapping[str, Item]) -> list[Stack]:
    if block.drops is not None:
        return block.drops
    return [Stack(block.id, 1)] if block.id in items else []


def _check_names(catalogs: Catalogs) -> None:
    """Refuse data in which one list names an item or block that no palette has."""
    items = catalogs.items
    blocks = catalogs.block_number
    if catalogs.blocks[AIR].id != "AIR":
        raise InvalidError("block 0 must be AIR")
    named_items = [
        *(stack.item for drops in catalogs.drops for stack in drops),
        *(
            stack.item
            for recipe in catalogs.recipes.values()
            for stack in (*recipe.inputs, *recipe.outputs)
        ),
        *(stack.item for blueprint in catalogs.blueprints.values() for stack in blueprint.cost),
    ]
    named_blocks = [
        *(block.leaves for block in catalogs.blocks),
        *(block.grows.into for block in catalogs.blocks if block.grows),
        *(name for block in catalogs.blocks for name in block.needs or ()),
        *(item.place_as for item in items.values() if item.place_as),
        *(cell.block for blueprint in catalogs.blueprints.values() for cell in blueprint.blocks),
    ]
    unknown = [name for name in named_items if name not in items]
    unknown += [name for name in named_blocks if name not in blocks]
    if unknown:
        raise InvalidError(
            f"the catalogs name {unknown[0]}, which is in no palette", code="catalog"
        )
