"""How far away things are, what is in the way, and what a land does not allow."""

from __future__ import annotations

from tests.voxel.flat import STAND, SURFACE, put_agent
from tests.voxel.hints.asking import hint
from tests.voxel.society.civic import a_land, a_society
from tests.voxel.working import put
from thorp.voxel.state.records import MILLION, Curfew
from thorp.voxel.state.world import World
from thorp.voxel.systems import items


def test_the_distance_and_the_reach(world: World) -> None:
    agent = put_agent(world, COAL=1, STONE=1, PLANK=99)
    assert hint(world, agent, type="MINE", block_pos=[0, STAND + 3, 0]) == (
        f"0 {STAND + 3} 0 is 3 cells away, reach 2"
    )
    reach = world.tuning.place_reach
    assert hint(world, agent, type="PLACE", block_pos=[9, STAND, 0], item_id="STONE") == (
        f"9 {STAND} 0 is 9 cells away, reach {reach}"
    )
    put(world, (5, STAND, 0), "CHEST")
    assert hint(world, agent, type="OPEN", target_id=f"CHEST@5,{STAND},0") == (
        f"5 {STAND} 0 is 5 cells away, reach 3"
    )
    items.drop(world, (3, STAND, 0), "COAL", 1)
    assert hint(world, agent, type="GATHER", target_id="IT000001") == (
        f"3 {STAND} 0 is 3 cells away, reach 2"
    )
    far = [50, STAND, 0]
    words = hint(world, agent, type="BUILD_BLUEPRINT", blueprint_id="lamp_post", anchor=far)
    assert words == f"50 {STAND} 0 is 50 cells away, reach {world.tuning.build_reach}"


def test_the_block_in_the_way_of_a_build_and_its_cell(world: World) -> None:
    agent = put_agent(world, PLANK=99, LOG=99, TORCH=9)
    put(world, (3, STAND, 3), "STONE")
    words = hint(world, agent, type="PLACE", block_pos=[3, STAND, 3], item_id="PLANK")
    assert words == f"STONE is in the way at 3 {STAND} 3"
    put(world, (5, STAND, 0), "BRICK")
    words = hint(
        world, agent, type="BUILD_BLUEPRINT", blueprint_id="hut_small", anchor=[5, STAND, 0]
    )
    assert words == f"BRICK is in the way at 5 {STAND} 0"


def test_somebody_in_the_way(world: World) -> None:
    agent = put_agent(world, STONE=2)
    other = put_agent(world, 2, 0)
    place = {"type": "PLACE", "item_id": "STONE"}
    assert hint(world, agent, **place, block_pos=[0, STAND, 0]) == (
        f"you stand in 0 {STAND} 0 yourself; step aside"
    )
    assert hint(world, agent, **place, block_pos=[other.x, STAND, 0]) == (
        f"it is in 2 {STAND} 0; wait until it moves on"
    )


def test_what_is_there_instead_of_a_block_to_mine(world: World) -> None:
    agent = put_agent(world)
    assert hint(world, agent, type="MINE", block_pos=[1, STAND, 0]) == f"AIR is at 1 {STAND} 0"
    deep = put_agent(world, 9, 9, y=1)
    put(world, (9, 0, 9), "BEDROCK")
    assert (
        hint(world, deep, type="MINE", block_pos=[9, 0, 9]) == "BEDROCK at 9 0 9 cannot be broken"
    )


def test_the_end_of_the_world(world: World) -> None:
    agent = put_agent(world, STONE=1)
    limit = world.tuning.world_boundary_r
    words = hint(world, agent, type="PLACE", block_pos=[0, 99, 0], item_id="STONE")
    assert words == f"0 99 0 is outside: x and z end at {limit}, y is 0 to 63"


def test_what_lies_below_a_plant(world: World) -> None:
    agent = put_agent(world, SAPLING=1)
    put(world, (1, SURFACE, 0), "STONE")
    words = hint(world, agent, type="PLACE", block_pos=[1, STAND, 0], item_id="SAPLING")
    assert words == f"STONE is below 1 {STAND} 0"


def test_where_the_nearest_bench_is(world: World) -> None:
    agent = put_agent(world, PLANK=9, STICK=9)
    craft = {"type": "CRAFT", "recipe_id": "wood_pickaxe"}
    assert hint(world, agent, **craft) == (
        "no CRAFTING_BENCH is in sight; PLACE one within 2 cells along each axis"
    )
    put(world, (6, STAND, -2), "CRAFTING_BENCH")
    put(world, (4, STAND + 1, 3), "CRAFTING_BENCH")
    put(world, (-7, STAND, 7), "CRAFTING_BENCH")
    assert hint(world, agent, **craft) == (
        f"the nearest CRAFTING_BENCH is at 6 {STAND} -2; go within 2 cells of it"
    )
    smith = put_agent(world, 40, 40, IRON_ORE=1, COAL=1)
    assert hint(world, smith, type="SMELT", item_id="IRON_ORE").startswith("no FURNACE is in sight")


def test_whose_land_it_is() -> None:
    world = a_society()
    owner, visitor = put_agent(world, 1, 1), put_agent(world, 3, 0, STONE=2)
    claim = a_land(world, owner)
    place = {"type": "PLACE", "block_pos": [4, STAND, 0], "item_id": "STONE"}
    assert hint(world, visitor, **place) == (
        f"4 {STAND} 0 is on {claim.id} of A1; visitors may not build there"
    )
    assert hint(world, visitor, type="MINE", block_pos=[3, SURFACE, 1]) == (
        f"3 {SURFACE} 1 is on {claim.id} of A1; visitors may not break there"
    )
    assert hint(world, visitor, type="SAY", channel="MARKET", text="hi") == (
        f"3 {STAND} 0 is on {claim.id} of A1; visitors may not trade there"
    )
    items.drop(world, (3, STAND, 1), "COAL", 1)
    assert hint(world, visitor, type="GATHER", target_id="IT000001") == (
        f"what is on {claim.id} is for members of A1"
    )
    put(world, (3, STAND, 2), "CHEST")
    world.containers[3, STAND, 2].stock["COAL"] = 1
    take = {"type": "TRANSFER", "src_container": f"CHEST@3,{STAND},2", "dst_container": "SELF"}
    assert hint(world, visitor, **take, item_id="COAL", count=1) == (
        f"what is on {claim.id} is for members of A1"
    )


def test_a_totem_and_a_curfew() -> None:
    world = a_society()
    owner, member = put_agent(world, 1, 1), put_agent(world, 1, 0, STONE=2)
    claim = a_land(world, owner)
    claim.members.append(member.id)
    assert hint(world, member, type="MINE", block_pos=[0, STAND, 0]) == (
        f"it is the totem of {claim.id}; only admins of A1 break it"
    )
    claim.curfew = Curfew(0, MILLION // 4)
    place = {"type": "PLACE", "block_pos": [2, STAND, 0], "item_id": "STONE"}
    assert hint(world, member, **place) == f"a curfew is on in {claim.id} until 06:00"


def test_land_that_overlaps() -> None:
    world = a_society()
    owner = put_agent(world, 1, 1)
    claim = a_land(world, owner)
    settler = put_agent(world, 20, 0, BATTERY=1, CRYSTAL_SHARD=1)
    words = hint(world, settler, type="CLAIM_LAND", anchor=[20, STAND, 1])
    assert words == f"{claim.id} reaches 8 cells to each side of 0 {STAND} 0"
