"""How villagers say amounts, lists and directions."""

import pytest

from thorp.village.words import (
    amount,
    building_name,
    direction,
    from_plaza,
    goods,
    listing,
)
from thorp.voxel.load import default_catalogs


@pytest.mark.parametrize(
    ("item", "count", "words"),
    [
        ("STONE", 12, "12 stone"),
        ("PLANK", 4, "4 planks"),
        ("STONE_AXE", 1, "1 stone axe"),
        ("TORCH", 8, "8 torches"),
        ("BERRIES", 1, "1 berry"),
        ("BERRIES", 6, "6 berries"),
        ("COOKED_MEAT", 3, "3 cooked meat"),
    ],
)
def test_amounts_are_said_as_people_say_them(item: str, count: int, words: str) -> None:
    assert amount(item, count) == words


def test_goods_are_a_list_without_what_there_is_none_of() -> None:
    assert goods({"COAL": 2, "LOG": 0, "PLANK": 1}) == "2 coal and 1 plank"
    assert goods({}) == "nothing"


def test_a_long_list_of_goods_is_cut_and_says_so() -> None:
    many = {f"ITEM_{number}": 1 for number in range(9)}
    assert goods(many).endswith(" and other things")
    assert goods(many).count("item") == 5


def test_lists_have_one_and() -> None:
    assert listing(["a"]) == "a"
    assert listing(["a", "b"]) == "a and b"
    assert listing(["a", "b", "c"]) == "a, b and c"


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ((20, 9, 0), "20 steps to the east"),
        ((0, 9, -12), "12 steps to the north"),
        ((-9, 9, 9), "18 steps to the south-west"),
        ((1, 30, 1), "right here"),
    ],
)
def test_a_direction_names_steps_and_quarter(target: tuple[int, int, int], words: str) -> None:
    assert direction((0, 9, 0), target) == words


@pytest.mark.parametrize(
    ("spot", "words"),
    [
        ((20, 9, 0), "20 steps east of the plaza"),
        ((-9, 9, 9), "18 steps south-west of the plaza"),
        ((1, 30, 1), "on the plaza"),
    ],
)
def test_a_place_is_told_from_the_plaza(spot: tuple[int, int, int], words: str) -> None:
    assert from_plaza((0, 9, 0), spot) == words


@pytest.mark.parametrize("blueprint", sorted(default_catalogs().blueprints))
def test_a_building_is_called_as_people_call_it(blueprint: str) -> None:
    name = building_name(blueprint)
    assert not {"_", "segment", "pad"} & {*name, *name.split()}
    assert building_name(blueprint.upper()) == name
