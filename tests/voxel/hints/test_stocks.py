"""What is lacking, and how much of it there is."""

from __future__ import annotations

from tests.voxel.flat import STAND, put_agent
from tests.voxel.hints.asking import answer, hint
from tests.voxel.society.civic import a_society, an_org
from tests.voxel.working import put
from thorp.voxel.state.world import World
from thorp.voxel.systems.memory import MEMORY_BYTES


def test_which_recipe_and_what_it_lacks(world: World) -> None:
    agent = put_agent(world, STONE=2, STICK=1)
    put(world, (1, STAND, 0), "CRAFTING_BENCH")
    words = hint(world, agent, type="CRAFT", recipe_id="stone_pickaxe")
    recipe = world.catalogs.recipes["stone_pickaxe"]
    needs = {stack.item: stack.count for stack in recipe.inputs}
    assert words.startswith("stone_pickaxe takes ")
    assert f"{needs['STONE']} STONE" in words
    assert words.endswith(f"you lack {needs['STICK'] - 1} STICK, {needs['STONE'] - 2} STONE")


def test_what_a_furnace_lacks(world: World) -> None:
    agent = put_agent(world, IRON_ORE=1)
    put(world, (1, STAND, 0), "FURNACE")
    words = hint(world, agent, type="SMELT", item_id="IRON_ORE")
    assert words.startswith("iron_ingot takes ")
    assert words.endswith("COAL")


def test_all_that_a_building_lacks(world: World) -> None:
    agent = put_agent(world, PLANK=20)
    told = answer(
        world, agent, type="BUILD_BLUEPRINT", blueprint_id="hut_small", anchor=[4, STAND, 4]
    )
    assert told["message"] == "missing PLANK x20"
    assert told["hint"] == (
        "hut_small takes 40 PLANK; you lack 20 PLANK (some of it may stand already)"
    )


def test_how_many_there_are(world: World) -> None:
    agent = put_agent(world, COAL=2, BERRIES=1)
    assert hint(world, agent, type="PLACE", block_pos=[1, STAND, 0], item_id="STONE") == (
        "you carry 0 STONE, and need 1"
    )
    assert hint(world, agent, type="PLACE", block_pos=[1, STAND, 0], item_id="stone") == (
        'No item "stone"; did you mean STONE?'
    )
    assert hint(world, agent, type="EAT", item_id="BERRIES", count=3) == (
        "you carry 1 BERRIES, and need 3"
    )
    put(world, (1, STAND, 0), "CHEST")
    chest = world.containers[1, STAND, 0]
    chest.stock["COAL"] = 5
    chest.reserved["COAL"] = 2
    move = {"type": "TRANSFER", "item_id": "COAL", "count": 4}
    assert hint(world, agent, **move, src_container=chest.id, dst_container="SELF") == (
        f"{chest.id} holds 5 COAL, 2 of them reserved; you asked for 4"
    )
    assert hint(world, agent, **move, src_container="SELF", dst_container=chest.id) == (
        "you carry 2 COAL, and need 4"
    )


def test_how_much_a_treasury_has() -> None:
    world = a_society()
    leader = put_agent(world, COAL=5)
    org = an_org(world, leader)
    move = {"org_id": org.id, "item_id": "COAL"}
    assert hint(world, leader, type="ORG_DEPOSIT", **move, count=9) == (
        "you carry 5 COAL, and need 9"
    )
    answer(world, leader, type="ORG_DEPOSIT", **move, count=3)
    assert hint(world, leader, type="ORG_WITHDRAW", **move, count=9) == "the treasury has 3 COAL"


def test_how_full_a_memory_is(world: World) -> None:
    agent = put_agent(world)
    answer(world, agent, type="SAVE_MEMORY", key="a", value="x" * 999)
    words = hint(world, agent, type="SAVE_MEMORY", key="b", value="x" * MEMORY_BYTES)
    assert words.startswith("your 1 notes have 1,000 of 65,536 bytes")


def test_what_was_taken_otherwise_than_it_was_sent(world: World) -> None:
    agent = put_agent(world)
    other = put_agent(world, 1, 1)
    for action in (
        {"type": "SAY", "text": "x" * 2_001},
        {"type": "WHISPER", "to": other.id, "text": "é" * 1_001},
    ):
        told = answer(world, agent, **action)
        assert (told["ok"], told["hint"]) == (True, "cut to 2,000 bytes")
    for whole in ("x" * 2_000, "é" * 1_000):
        assert "hint" not in answer(world, agent, type="SAY", text=whole)
    told = answer(world, agent, type="LOAD_MEMORY", limit=999)
    assert told["hint"] == "limit is 1 to 256; 64 was taken"
    answer(world, agent, type="POST_BOARD", board_id="market", title="Coal", body="Two.")
    told = answer(world, agent, type="SEARCH_BOARD", board_id="market", text="x", limit=99)
    assert told["hint"] == "limit is at most 50"
