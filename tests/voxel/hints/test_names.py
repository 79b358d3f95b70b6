"""Things that are not there, or are called something else."""

from __future__ import annotations

import pytest

from tests.voxel.flat import STAND, put_agent
from tests.voxel.hints.asking import answer, hint, send
from tests.voxel.society.civic import a_land, a_society, an_org
from tests.voxel.working import put
from thorp.protocol.near_names import nearest, quote_name
from thorp.voxel.hints.names import MAX_SEARCHED
from thorp.voxel.state.world import World
from thorp.voxel.systems import items


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("planks", "plank_from_log"),
        ("PLANK", "plank_from_log"),
        ("stick", "stick_from_plank"),
        ("torchs", "torch"),
        ("crafting bench", "crafting_bench"),
        ("stone_pikaxe", "stone_pickaxe"),
    ],
)
def test_the_nearest_recipe(world: World, name: str, meant: str) -> None:
    words = hint(world, put_agent(world), type="CRAFT", recipe_id=name)
    assert words == (f'No recipe "{name}"; did you mean {meant}? The catalog recipes lists all')


def test_no_recipe_is_near_to_nonsense(world: World) -> None:
    words = hint(world, put_agent(world), type="CRAFT", recipe_id="zzz")
    assert words == 'No recipe "zzz". The catalog recipes lists all'


def test_the_nearest_blueprint(world: World) -> None:
    agent = put_agent(world)
    for name, meant in (
        ("hut", "hut_small"),
        ("Cottage", "cottage"),
        ("wacth_tower", "watch_tower"),
    ):
        words = hint(world, agent, type="BUILD_BLUEPRINT", blueprint_id=name, anchor=[0, 23, 0])
        assert words.startswith(f'No blueprint "{name}"; did you mean {meant}?')


def test_what_a_furnace_takes(world: World) -> None:
    words = hint(world, put_agent(world), type="SMELT", item_id="LOG")
    assert words.startswith('No furnace takes "LOG"; it takes ')
    assert "IRON_ORE" in words


def test_a_recipe_of_a_furnace_is_asked_for_with_smelt(world: World) -> None:
    agent = put_agent(world)
    words = hint(world, agent, type="CRAFT", recipe_id="iron_ingot")
    assert words == "send SMELT with item_id IRON_ORE"


def test_items_that_do_not_exist_or_are_no_food(world: World) -> None:
    agent = put_agent(world, BERRIES=2, COAL=1)
    assert hint(world, agent, type="EAT", item_id="berrys").startswith(
        'No item "berrys"; did you mean BERRIES?'
    )
    assert hint(world, agent, type="EAT", item_id="COAL") == "COAL is no food; you carry BERRIES"
    hungry = put_agent(world, 5, 5)
    assert hint(world, hungry, type="EAT", item_id="COAL").startswith(
        "COAL is no food; food is BERRIES, BREAD, "
    )


def test_items_that_cannot_be_placed(world: World) -> None:
    agent = put_agent(world, STICK=1, STONE=1)
    words = hint(world, agent, type="PLACE", block_pos=[1, STAND, 0], item_id="STICK")
    assert words == "STICK is no block; you carry STONE"


def test_an_unknown_item_in_a_list_of_goods(world: World) -> None:
    agent = put_agent(world, COAL=3)
    put_agent(world, 1, 1)
    offer = {"type": "OFFER_TRADE", "to": "A2", "request": [["STONE", 1]]}
    assert hint(world, agent, **offer, offer=[["coal", 1]]).startswith(
        'No item "coal"; did you mean COAL?'
    )
    assert hint(world, agent, **offer, offer=[["COAL", 0]]) == "count of COAL must be positive"


def test_a_channel_that_is_none(world: World) -> None:
    words = hint(world, put_agent(world), type="SAY", text="hi", channel="MARKT")
    assert words == 'No channel "MARKT"; did you mean MARKET?'


def test_agents_are_named_by_their_ids(world: World) -> None:
    agent = put_agent(world)
    other = put_agent(world, 3, 3)
    other.name = "Jory"
    assert hint(world, agent, type="WHISPER", to="jory", text="hi") == ('"jory" is A2; send the id')
    assert hint(world, agent, type="OFFER_TRADE", to="a2") == '"a2" is A2; send the id'
    assert hint(world, agent, type="FOLLOW", target_id="A99") == (
        'No agent "A99" is in this world; an id looks like A3'
    )


def test_a_large_world_is_not_searched_for_a_name(world: World) -> None:
    agent = put_agent(world)
    for number in range(MAX_SEARCHED):
        put_agent(world, number % 30, number // 30).name = "Jory"
    words = hint(world, agent, type="WHISPER", to="Jory", text="hi")
    assert words.startswith('No agent "Jory" is in this world')


def test_a_container_that_is_not_there(world: World) -> None:
    agent = put_agent(world)
    put(world, (2, STAND, 0), "CHEST")
    assert hint(world, agent, type="OPEN", target_id=f"CHEST@1,{STAND},0") == (
        f"AIR is at 1 {STAND} 0; in sight is CHEST@2,{STAND},0"
    )
    move = {"type": "TRANSFER", "item_id": "COAL", "count": 1}
    words = hint(world, agent, **move, src_container="SELF", dst_container="chest")
    assert words == 'dst_container: "chest" is no id of a block; one looks like CHEST@4,20,-9'
    words = hint(world, agent, **move, src_container="self", dst_container=f"CHEST@2,{STAND},0")
    assert words.endswith("Your own inventory is SELF")


def test_what_is_out_of_sight_is_not_told(world: World) -> None:
    agent = put_agent(world)
    put(world, (30, STAND, 0), "FURNACE")
    words = hint(world, agent, type="OPEN", target_id=f"CHEST@30,{STAND},0")
    assert words == "it is not there"


def test_an_item_that_was_taken_and_what_still_lies_there(world: World) -> None:
    agent = put_agent(world)
    assert hint(world, agent, type="GATHER", target_id="IT000009") == (
        '"IT000009" does not lie anywhere; it was taken'
    )
    items.drop(world, (1, STAND, 0), "COAL", 2)
    assert hint(world, agent, type="GATHER", target_id="IT000009").endswith(
        "; in sight: IT000001 (COAL)"
    )


def test_boards(world: World) -> None:
    agent = put_agent(world)
    search = {"type": "SEARCH_BOARD", "text": "x"}
    assert hint(world, agent, **search, board_id="markt") == (
        'No board "markt"; POST_BOARD begins one'
    )
    answer(world, agent, type="POST_BOARD", board_id="market", title="Coal", body="Two.")
    assert hint(world, agent, **search, board_id="markt") == (
        'No board "markt"; did you mean market? There are market'
    )
    assert hint(world, agent, **search, board_id=f"CHEST@1,{STAND},0").startswith(
        f'"CHEST@1,{STAND},0" is no board'
    )
    remove = {"type": "REMOVE_POST", "board_id": "market", "post_id": "P9"}
    assert hint(world, agent, **remove) == 'No post "P9" on "market"'


def test_signs_are_named_by_their_block(world: World) -> None:
    agent = put_agent(world)
    assert hint(world, agent, type="SET_SIGN", target_id="sign", text="x") == (
        'you sent "sign"; the entities of an OBS have the id'
    )
    assert hint(world, agent, type="SET_SIGN", target_id=f"SIGN@1,{STAND},0", text="x") == (
        f"AIR is at 1 {STAND} 0"
    )


def test_land_that_may_have_been_meant() -> None:
    world = a_society()
    owner, stranger = put_agent(world, 1, 1), put_agent(world, 40, 0)
    wish = {"type": "LEAVE_LAND", "land_id": "home"}
    assert hint(world, stranger, **wish) == 'No land "home"; an id looks like LAND_A1_001'
    claim = a_land(world, owner)
    assert hint(world, owner, **wish) == f'No land "home"; yours: {claim.id}'
    visitor = put_agent(world, 2, 2)
    assert hint(world, visitor, **wish) == f'No land "home"; you stand on {claim.id}'


def test_organisations_that_may_have_been_meant() -> None:
    world = a_society()
    leader, guest = put_agent(world), put_agent(world, 1, 1)
    wish = {"type": "JOIN_ORG", "org_id": "town"}
    assert hint(world, guest, **wish) == 'No organisation "town"; an id looks like ORG000001'
    org = an_org(world, leader)
    assert hint(world, leader, **wish) == f'No organisation "town"; yours is {org.id}'
    org.invited.append(guest.id)
    assert hint(world, guest, **wish) == f'No organisation "town"; you are invited by {org.id}'


def test_offers_laws_and_tasks_that_are_not_there(world: World) -> None:
    agent = put_agent(world)
    ticks = world.tuning.trade_expiry_ticks
    assert hint(world, agent, type="ACCEPT_TRADE", trade_id="TR1") == (
        f'No offer "TR1"; it was answered or withdrawn, or its {ticks} ticks are over'
    )
    assert hint(world, agent, type="VOTE", law_id="LAW1", choice="YES") == 'No law "LAW1"'
    (told,) = send(world, agent, cancel=["T000009"])
    assert told["hint"] == 'No task "T000009"; running: none'
    answer(world, agent, type="MOVE_TO", target=[20, STAND, 0])
    (told,) = send(world, agent, cancel=["T000009"])
    assert told["hint"] == 'No task "T000009"; running: T000001 (MOVE_TO)'


# The search itself


def test_the_nearest_name() -> None:
    names = ("MOVE_TO", "MINE", "SAY", "STOP")
    assert nearest("move_to", names) == "MOVE_TO"
    assert nearest("mov", names) == "MOVE_TO"
    assert nearest("m", names) == ""
    assert nearest("SAYS", names) == "SAY"
    assert nearest("", names) == ""
    assert nearest("MINE" * 30, names) == ""


def test_a_quoted_name_is_one_short_line() -> None:
    assert quote_name("MOVE") == '"MOVE"'
    assert quote_name('a"b\nc') == '"a\'b c"'
    assert quote_name("é" * 1_000) == '"' + "é" * 20 + '…"'
