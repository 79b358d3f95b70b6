"""The tables of docs/world-ground.md say what the data files and the generator say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from thorp.protocol.actions import Stack
from thorp.voxel.catalog import Block, Catalogs
from thorp.voxel.load import default_catalogs
from thorp.voxel.lookups import spawn_points
from thorp.voxel.terrain import generator
from thorp.voxel.terrain.columns import BIOMES, DESERT, GLADE_R, MAX_RINGS, SEA_LEVEL, SPACING

PAGE = Path(__file__).parent.parent.parent / "docs/world-ground.md"


def rows(head: str, lines: Iterable[list[object]]) -> str:
    names = head.split(", ")
    made = [names, ["---"] * len(names), *([str(cell) for cell in line] for line in lines)]
    return "\n".join(f"| {' | '.join(line)} |" for line in made)


def stacks(stacked: list[Stack]) -> str:
    return ", ".join(f"{stack.count} {stack.item}" for stack in stacked) or "nothing"


def blocks_table() -> str:
    catalogs = default_catalogs()
    return rows(
        "number, block, solid, tool, mining yields, note",
        (
            [
                number,
                f"`{block.id}`",
                "yes" if block.solid else "no",
                block.tool.lower() if block.breakable else "–",
                stacks(catalogs.drops[number]) if block.breakable else "–",
                block_note(block),
            ]
            for number, block in enumerate(catalogs.blocks)
        ),
    )


def block_note(block: Block) -> str:
    notes = []
    if not block.breakable:
        notes.append("cannot be mined")
    if block.falls:
        notes.append("falls")
    if block.drop_permille < 1000:
        notes.append(f"yields in {block.drop_permille} of 1,000 cases")
    if block.leaves != "AIR":
        notes.append(f"leaves `{block.leaves}`")
    if block.grows:
        first, last = block.grows.ticks, block.grows.ticks + block.grows.spread
        notes.append(f"becomes `{block.grows.into}` after {first:,} to {last:,} ticks")
    if block.needs:
        notes.append("stands on " + " or ".join(f"`{name}`" for name in block.needs))
    return "; ".join(notes)


def items_table() -> str:
    catalogs = default_catalogs()
    blocks = catalogs.blocks
    return rows(
        "item, kind, placed as, eaten: HP, hunger",
        (
            [
                f"`{item.id}`",
                item.kind,
                f"`{blocks[catalogs.places[item.id]].id}`" if item.id in catalogs.places else "",
                f"+{item.edible_hp}" if item.edible_hp else "",
                f"+{2 * item.edible_hp}" if item.edible_hp else "",
            ]
            for item in catalogs.items.values()
        ),
    )


def recipes_table() -> str:
    return rows(
        "recipe, station, in, out, tier, ticks",
        (
            [
                f"`{recipe.recipe_id}`",
                recipe.station,
                stacks(recipe.inputs),
                stacks(recipe.outputs),
                recipe.tier,
                recipe.time_ticks,
            ]
            for recipe in default_catalogs().recipes.values()
        ),
    )


def blueprints_table() -> str:
    return rows(
        "blueprint, size (x × y × z), blocks, cost",
        (
            [
                f"`{plan.id}`",
                " × ".join(str(high - low + 1) for low, high in zip(*plan.aabb, strict=True)),
                len(plan.blocks),
                stacks(plan.cost),
            ]
            for plan in default_catalogs().blueprints.values()
        ),
    )


def ores_table() -> str:
    high = {**generator.ORES, "CRYSTAL_ORE": 0}
    high["IRON_ORE"] += generator.ORES["CRYSTAL_ORE"]
    return rows(
        f"ore, y 1–{generator.TOP_CRYSTAL_Y}, y "
        f"{generator.TOP_CRYSTAL_Y + 1}–{generator.TOP_ORE_Y}",
        (
            [f"`{ore}`", f"{share / 10} %", f"{high[ore] / 10} %" if high[ore] else "none"]
            for ore, share in generator.ORES.items()
        ),
    )


def plants_table() -> str:
    return rows(
        "biome, ground, of 1,000 columns, trees",
        (
            [
                name,
                "sand" if biome == DESERT else "grass",
                ", ".join(
                    f"{share} `{plant}`" for plant, share in generator.PLANTS.get(biome, {}).items()
                )
                or "–",
                f"in {generator.TREES[biome] / 10:g} % of squares of 4 × 4"
                if biome in generator.TREES
                else "none",
            ]
            for biome, name in enumerate(BIOMES)
        ),
    )


TABLES: dict[str, Callable[[], str]] = {
    "blocks": blocks_table,
    "items": items_table,
    "recipes": recipes_table,
    "blueprints": blueprints_table,
    "ores": ores_table,
    "plants": plants_table,
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_says_what_the_data_say(name: str) -> None:
    text = PAGE.read_text("utf-8")
    (found,) = re.findall(rf"<!-- {name} -->\n(.*?)<!-- end -->", text, re.S)
    assert found.strip() == TABLES[name]()


@pytest.mark.parametrize(
    "sentence",
    [
        f"sea level, y {SEA_LEVEL}",
        f"one in each square of {SPACING} × {SPACING} cells",
        f"{GLADE_R} cells to each side",
        f"within {spawn_points.CLEAR_R} cells",
        f"{(2 * MAX_RINGS + 1) ** 2:,} squares",
    ],
)
def test_numbers_in_the_text_are_those_in_force(sentence: str) -> None:
    assert sentence in " ".join(PAGE.read_text("utf-8").split())


def test_the_events_and_laws_are_named(catalogs: Catalogs) -> None:
    text = PAGE.read_text("utf-8")
    named = [name for name in (*catalogs.events, *catalogs.law_templates) if f"`{name}`" in text]
    assert named == [*catalogs.events, *catalogs.law_templates]
