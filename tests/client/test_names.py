"""A wrong name is answered with the right one."""

from __future__ import annotations

import pytest

from thorp.client import UnknownName
from thorp.client.names import require_name
from thorp.voxel.load import default_catalogs

BLUEPRINTS = list(default_catalogs().blueprints)


def test_a_right_name_is_returned() -> None:
    assert require_name("blueprint", "hut_small", BLUEPRINTS) == "hut_small"


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("hut", "hut_small"),
        ("HUT_SMALL", "hut_small"),
        ("cotage", "cottage"),
        ("longhouses", "longhouse"),
    ],
)
def test_the_nearest_name_is_named(wrong: str, right: str) -> None:
    with pytest.raises(UnknownName) as refusal:
        require_name("blueprint", wrong, BLUEPRINTS)
    assert str(refusal.value) == f'no blueprint "{wrong}"; did you mean {right}?'


def test_if_none_is_near_they_are_listed() -> None:
    with pytest.raises(UnknownName, match=r'no sort "qqq"; it is one of a, b$'):
        require_name("sort", "qqq", ["b", "a"])
    with pytest.raises(UnknownName, match=r"it is one of brick_house, .*, …$"):
        require_name("blueprint", "qqq", BLUEPRINTS)
    with pytest.raises(UnknownName, match="none is known here"):
        require_name("contract", "C000001", [])


def test_no_name_is_no_name() -> None:
    with pytest.raises(UnknownName, match="it is one of"):
        require_name("sort", "", ["b", "a"])
