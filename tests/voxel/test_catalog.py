"""The lists that agents are sent, and that nothing in them is out of reach."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from thorp.kernel.errors import InvalidError
from thorp.voxel.catalog import Blueprint, Catalogs, EventTemplate, LawTemplate
from thorp.voxel.load import default_catalogs
from thorp.voxel.terrain.generator import NoiseTerrain
from thorp.voxel.tuning import Tuning

ROOT = Path(__file__).parent.parent.parent

# What the protocol's first servers announced. Clients know the numbers behind these digests.
FIRST_BLOCKS = 30, "e76665b7af4fbddad3bf4dc9eae594635b245348e20b48d26ba42479a6ee04b3"
FIRST_ITEMS = 45, "5d4a718e41afe98339a9616d69a0417f69a50b54df034a8bf199919a3c59a7a1"

NEW_BLOCKS = [
    "BEDROCK",
    "LEAVES",
    "SAPLING",
    "BERRY_BUSH",
    "BERRY_BUSH_BARE",
    "TALL_GRASS",
    "WHEAT_SPROUT",
    "WHEAT_RIPE",
    "WARREN",
    "WARREN_EMPTY",
]
NEW_ITEMS = ["SAPLING", "SEEDS", "WHEAT"]

# recipe: station, inputs, outputs, tier, ticks
FIRST_RECIPES = {
    "plank_from_log": ("HAND", "LOG 1", "PLANK 4", 1, 5),
    "stick_from_plank": ("HAND", "PLANK 2", "STICK 4", 1, 5),
    "crafting_bench": ("HAND", "PLANK 4", "CRAFTING_BENCH 1", 1, 5),
    "torch": ("HAND", "COAL 1, STICK 1", "TORCH 4", 1, 5),
    "furnace": ("CRAFTING_BENCH", "STONE 8", "FURNACE 1", 2, 5),
    "brick": ("CRAFTING_BENCH", "STONE 4", "BRICK 4", 2, 5),
    "iron_ingot": ("FURNACE", "IRON_ORE 1, COAL 1", "IRON_INGOT 1", 2, 10),
    "copper_ingot": ("FURNACE", "COPPER_ORE 1, COAL 1", "COPPER_INGOT 1", 2, 10),
    "wire": ("CRAFTING_BENCH", "COPPER_INGOT 1", "WIRE 4", 3, 5),
    "battery": ("CRAFTING_BENCH", "COPPER_INGOT 1, COAL 1, CRYSTAL_SHARD 1", "BATTERY 1", 3, 5),
    "conveyor": ("CRAFTING_BENCH", "WIRE 2, PLANK 4, BATTERY 1", "CONVEYOR 1", 3, 5),
    "sensor": ("CRAFTING_BENCH", "WIRE 2, BATTERY 1, CRYSTAL_SHARD 1", "SENSOR 1", 3, 5),
    "claim_totem": ("CRAFTING_BENCH", "PLANK 4, WIRE 2, CRYSTAL_SHARD 1", "CLAIM_TOTEM 1", 3, 5),
    "contract_terminal": (
        "CRAFTING_BENCH",
        "CLAIM_TOTEM 1, BATTERY 1, BRICK 4",
        "CONTRACT_TERMINAL 1",
        3,
        5,
    ),
    "chest": ("CRAFTING_BENCH", "PLANK 8", "CHEST 1", 1, 5),
    "sign": ("CRAFTING_BENCH", "PLANK 2, STICK 1", "SIGN 1", 1, 5),
    "bulletin_board": ("CRAFTING_BENCH", "PLANK 4, STICK 2", "BULLETIN_BOARD 1", 1, 5),
    "cooked_meat": ("FURNACE", "RAW_MEAT 1, COAL 1", "COOKED_MEAT 1", 2, 10),
    "switch": ("CRAFTING_BENCH", "WIRE 1, PLANK 1", "SWITCH 1", 3, 5),
    **{
        f"{material}_{tool}": (
            "CRAFTING_BENCH",
            f"{source} {count}, STICK 2",
            f"{material}_{tool} 1".upper(),
            tier,
            5,
        )
        for material, source, tier in (
            ("wood", "PLANK", 1),
            ("stone", "STONE", 2),
            ("iron", "IRON_INGOT", 3),
        )
        for tool, count in (("pickaxe", 3), ("axe", 3), ("shovel", 1))
    },
}

# blueprint: size, blocks in it, cost
FIRST_BLUEPRINTS = {
    "road_segment": ((1, 1, 5), "PLANK 5", "PLANK 5"),
    "road_turn": ((4, 1, 5), "PLANK 8", "PLANK 8"),
    "stone_wall_segment": ((1, 2, 5), "STONE 10", "STONE 10"),
    "hut_small": ((3, 4, 3), "PLANK 32", "PLANK 40"),
    "workshop_pad": (
        (2, 2, 2),
        "PLANK 4, CRAFTING_BENCH 1, FURNACE 1, TORCH 1",
        "PLANK 4, CRAFTING_BENCH 1, FURNACE 1, TORCH 1",
    ),
}

# event: category, weight, ticks, radius
EVENTS = {
    "BANDIT_CAMP": ("GOVERNANCE", 0.10, 6000, 24),
    "BLIGHT_ZONE": ("GOVERNANCE", 0.08, 9000, 32),
    "BLUEPRINT_FAIR": ("CULTURE", 0.15, 6000, 32),
    "BUILDER_EXPO": ("CULTURE", 0.10, 6000, 40),
    "CIVIC_VOTE": ("GOVERNANCE", 0.12, 6000, 32),
    "COLD_SNAP": ("DISASTER", 0.10, 6000, None),
    "CRYSTAL_RIFT": ("RESOURCE", 0.20, 9000, 32),
    "DEEP_VEIN": ("RESOURCE", 0.15, 9000, 40),
    "FLOOD_WARNING": ("DISASTER", 0.10, 6000, 40),
    "MARKET_WEEK": ("CULTURE", 0.25, 6000, 32),
    "RUINS_GATE": ("EXPLORATION", 0.20, 6000, 24),
    "STORM_FRONT": ("DISASTER", 0.10, 6000, None),
}

LAW_PARAMS = {
    "ACCESS_PASS_CORE": {"ticket_item": None, "ticket_cost": (0, 64)},
    "CURFEW_NO_BUILD": {"start_time": (0, 1), "end_time": (0, 1)},
    "FINE_BREAK_PER_BLOCK": {"fine_item": None, "fine_per_block": (0, 100)},
    "MARKET_TAX": {"market_tax": (0, 0.25)},
}


def stacks(stacked: list[Any]) -> str:
    return ", ".join(f"{stack.item} {stack.count}" for stack in stacked)


def digest(names: list[str]) -> str:
    return sha256(msgspec.json.encode(names)).hexdigest()


def test_the_first_numbers_of_both_palettes_are_those_that_clients_know(catalogs: Catalogs) -> None:
    blocks = [block.id for block in catalogs.blocks]
    for names, (count, expected) in ((blocks, FIRST_BLOCKS), (catalogs.item_palette, FIRST_ITEMS)):
        assert digest(names[:count]) == expected
    assert blocks[FIRST_BLOCKS[0] :] == NEW_BLOCKS
    assert catalogs.item_palette[FIRST_ITEMS[0] :] == NEW_ITEMS


def test_what_stops_a_body(catalogs: Catalogs) -> None:
    passable = [
        block.id for number, block in enumerate(catalogs.blocks) if not catalogs.solid[number]
    ]
    assert passable[:5] == ["AIR", "SIGN", "TORCH", "WATER", "WIRE"]
    assert set(passable[5:]) == set(NEW_BLOCKS) - {"BEDROCK", "LEAVES", "WARREN", "WARREN_EMPTY"}
    assert [block.id for block in catalogs.blocks if not block.breakable] == ["AIR", "BEDROCK"]
    assert [block.id for block in catalogs.blocks if block.falls] == ["GRAVEL", "SAND"]


@pytest.mark.parametrize("name", FIRST_RECIPES)
def test_a_known_recipe_costs_what_it_always_did(catalogs: Catalogs, name: str) -> None:
    recipe = catalogs.recipes[name]
    found = (
        recipe.station,
        stacks(recipe.inputs),
        stacks(recipe.outputs),
        recipe.tier,
        recipe.time_ticks,
    )
    assert found == FIRST_RECIPES[name]


@pytest.mark.parametrize("name", FIRST_BLUEPRINTS)
def test_a_known_blueprint_has_its_size_blocks_and_cost(catalogs: Catalogs, name: str) -> None:
    blueprint = catalogs.blueprints[name]
    assert (size(blueprint), counted(blueprint), stacks(blueprint.cost)) == FIRST_BLUEPRINTS[name]
    cells = [cell.pos for cell in blueprint.blocks]
    assert len(set(cells)) == len(cells)
    assert blueprint.aabb == (
        tuple(min(cell[axis] for cell in cells) for axis in range(3)),
        tuple(max(cell[axis] for cell in cells) for axis in range(3)),
    )


def size(blueprint: Blueprint) -> tuple[int, ...]:
    low, high = blueprint.aabb
    return tuple(high[axis] - low[axis] + 1 for axis in range(3))


def counted(blueprint: Blueprint) -> str:
    counts: dict[str, int] = {}
    for cell in blueprint.blocks:
        counts[cell.block] = counts.get(cell.block, 0) + 1
    return ", ".join(f"{block} {count}" for block, count in counts.items())


def test_the_hut_has_a_door_and_a_room(catalogs: Catalogs) -> None:
    cells = {cell.pos for cell in catalogs.blueprints["hut_small"].blocks}
    empty = {(x, y, z) for x in range(3) for y in range(4) for z in range(3)} - cells
    assert empty == {(1, y, z) for y in (1, 2) for z in (0, 1)}


def test_events_and_laws(catalogs: Catalogs) -> None:
    found = {
        event.id: (
            event.category,
            event.base_weight,
            event.params["duration_ticks"],
            event.params.get("radius"),
        )
        for event in catalogs.events.values()
    }
    assert found == EVENTS
    limits = {
        law.id: {
            name: (param["min"], param["max"]) if "min" in param else None
            for name, param in law.params.items()
        }
        for law in catalogs.law_templates.values()
    }
    assert limits == LAW_PARAMS
    shown: list[EventTemplate | LawTemplate] = [
        *catalogs.events.values(),
        *catalogs.law_templates.values(),
    ]
    for told in shown:
        assert told.title.isascii()
        assert told.description.endswith(".")


def test_lists_are_sent_in_order_of_their_ids(catalogs: Catalogs) -> None:
    lists = catalogs.lists()
    for name, key in (("recipes", "recipe_id"), ("blueprints", "id"), ("events", "id")):
        ids = [getattr(row, key) for row in lists[name]]
        assert ids == sorted(ids)
    assert [law.id for law in lists["law_templates"]["templates"]] == sorted(LAW_PARAMS)
    assert set(msgspec.to_builtins(lists["recipes"][0])) == {
        "recipe_id",
        "station",
        "inputs",
        "outputs",
        "tier",
        "time_ticks",
    }


def test_every_item_can_be_obtained_by_playing(catalogs: Catalogs) -> None:
    """Begin with what lies around, then mine, let grow, place and craft until nothing new comes."""
    terrain = NoiseTerrain(11, 12, catalogs, Tuning().world_boundary_r)
    numbers: set[int] = set()
    for cx in range(-24, 24):
        for cz in range(-24, 24, 6):
            numbers |= set(terrain.chunk(cx, cz))
    blocks = {catalogs.blocks[number].id for number in numbers}
    items: set[str] = set()
    before = -1
    while before != len(blocks) + len(items):
        before = len(blocks) + len(items)
        for number, block in enumerate(catalogs.blocks):
            if block.id in blocks and block.breakable:
                items |= {stack.item for stack in catalogs.drops[number]}
                blocks.add(block.leaves)
            if block.id in blocks and block.grows:
                blocks.add(block.grows.into)
        blocks |= {
            catalogs.blocks[number].id for item, number in catalogs.places.items() if item in items
        }
        for recipe in catalogs.recipes.values():
            has_station = recipe.station == "HAND" or recipe.station in blocks
            if has_station and {stack.item for stack in recipe.inputs} <= items:
                items |= {stack.item for stack in recipe.outputs}
    assert sorted(set(catalogs.items) - items) == []


def test_smelting_finds_its_recipe_by_what_goes_in(catalogs: Catalogs) -> None:
    assert {item: recipe.recipe_id for item, recipe in catalogs.smelting.items()} == {
        "IRON_ORE": "iron_ingot",
        "COPPER_ORE": "copper_ingot",
        "RAW_MEAT": "cooked_meat",
        "SAND": "glass",
    }


def test_the_catalogs_are_read_once_and_have_a_digest(catalogs: Catalogs) -> None:
    assert default_catalogs() is catalogs
    changed = parts(catalogs)
    changed["blocks"][25] = msgspec.structs.replace(changed["blocks"][25], falls=True)
    assert Catalogs(**parts(catalogs)).digest() == catalogs.digest() != Catalogs(**changed).digest()


def parts(catalogs: Catalogs) -> dict[str, list[Any]]:
    return {
        "blocks": list(catalogs.blocks),
        "items": list(catalogs.items.values()),
        "recipes": list(catalogs.recipes.values()),
        "blueprints": list(catalogs.blueprints.values()),
        "law_templates": list(catalogs.law_templates.values()),
        "events": list(catalogs.events.values()),
    }


def rename(kind: str, row: int, **fields: object) -> Callable[[dict[str, list[Any]]], None]:
    def change(lists: dict[str, list[Any]]) -> None:
        lists[kind][row] = msgspec.structs.replace(lists[kind][row], **fields)

    return change


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (rename("blocks", 0, id="VACUUM"), "block 0 must be AIR"),
        (rename("blocks", 4, leaves="HOLE"), "HOLE"),
        (rename("blocks", 4, needs=["LAVA"]), "LAVA"),
        (rename("items", 4, place_as="LAVA"), "LAVA"),
        (rename("items", 4, id="STONE"), "STONE twice"),
        (rename("blocks", 4, id="STONE"), "STONE twice"),
        (rename("recipes", 0, recipe_id="wire"), "wire twice"),
        (rename("events", 0, id="COLD_SNAP"), "COLD_SNAP twice"),
        (lambda lists: lists["blocks"].extend(lists["blocks"] * 3), "at most 128"),
        (lambda lists: lists["items"].pop(5), "in no palette"),
        (
            lambda lists: lists["recipes"].append(
                msgspec.structs.replace(
                    next(recipe for recipe in lists["recipes"] if recipe.recipe_id == "glass"),
                    recipe_id="mirror",
                )
            ),
            "SAND twice",
        ),
    ],
)
def test_lists_that_contradict_each_other_are_refused(
    catalogs: Catalogs, change: Callable[[dict[str, list[Any]]], None], problem: str
) -> None:
    lists = parts(catalogs)
    change(lists)
    with pytest.raises(InvalidError, match=problem):
        Catalogs(**lists)


def test_the_data_files_are_in_the_wheel(tmp_path: Path) -> None:
    from hatchling.builders.wheel import WheelBuilder

    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    data = ROOT / "src/thorp/voxel/data"
    here = {
        f"thorp/voxel/data/{file.relative_to(data).as_posix()}"
        for file in data.rglob("*")
        if file.is_file()
    }
    with zipfile.ZipFile(wheel) as packed:
        there = {name for name in packed.namelist() if name.startswith("thorp/voxel/data/")}
    assert there == here
    assert len(here) == 35
