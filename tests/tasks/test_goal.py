"""Goals as data: what can be read, and that a score never falls as one comes nearer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.kernel.errors import InvalidError
from thorp.tasks.goal import LEAVES, MAX_DEPTH, Leaf, Plan, leaves, read_goal, resolve, score, share

LOG = {"have": {"LOG": 3}}
COAL = {"have": {"COAL": 2}}


def measured(**values: str) -> Any:
    """Measures each leaf by the item that it is about."""
    return lambda _, argument: Fraction(values[next(iter(argument))])


@pytest.mark.parametrize(
    ("tree", "value"),
    [
        (LOG, "1/3"),
        ({"all": [LOG, COAL]}, "5/12"),
        ({"all": [LOG, COAL], "weights": [3, 1]}, "3/8"),
        ({"any": [LOG, COAL]}, "1/2"),
        ({"all": [LOG, COAL], "partial": False}, "0"),
        ({"all": [{**LOG, "partial": False}, COAL]}, "1/4"),
    ],
)
def test_a_tree_combines_what_its_leaves_measure(tree: Any, value: str) -> None:
    assert score(read_goal(tree), measured(LOG="1/3", COAL="1/2")) == Fraction(value)


def test_what_is_measured_stays_between_nothing_and_all() -> None:
    goal = read_goal({"all": [LOG, COAL]})
    assert score(goal, measured(LOG="-5", COAL="7")) == Fraction(1, 2)


def deep(levels: int) -> Any:
    return {"all": [deep(levels - 1)]} if levels else LOG


@pytest.mark.parametrize(
    ("tree", "path"),
    [
        ([], "$"),
        ({}, "$"),
        ({"have": {"LOG": 1}, "lasted": 5}, "$"),
        ({"won": True}, "$"),
        ({"have": {}}, "$.have"),
        ({"have": {"LOG": 0}}, "$.have"),
        ({"have": {"LOG": "many"}}, "$.have"),
        ({"all": []}, "$.all"),
        ({"all": [LOG, {"nothing": 1}]}, "$.all[1]"),
        ({"all": [LOG], "any": [LOG]}, "$"),
        ({"any": [LOG], "weights": [1]}, "$"),
        ({"all": [LOG], "weights": [1, 2]}, "$.weights"),
        ({"all": [LOG], "weights": [True]}, "$.weights"),
        ({"all": [LOG], "weights": [0]}, "$.weights"),
        ({**LOG, "partial": 1}, "$.partial"),
        ({"answered": "nine"}, "$.answered"),
        ({"plan": {"at": [0, 0, 0], "layers": [["XY"]], "key": {"X": "LOG"}}}, "$.plan"),
        ({"plan": {"at": [0, 0, 0], "layers": [[". "]], "key": {"X": "LOG"}}}, "$.plan"),
    ],
)
def test_a_goal_that_cannot_be_read_is_refused_with_its_place(tree: Any, path: str) -> None:
    with pytest.raises(InvalidError) as refused:
        read_goal(tree)
    assert (refused.value.code, refused.value.path) == ("goal", path.replace("$", "$.goal", 1))
    assert "\n" not in str(refused.value)


def test_goals_nest_so_deep_and_no_deeper() -> None:
    read_goal(deep(MAX_DEPTH - 1))
    with pytest.raises(InvalidError, match="deep"):
        read_goal(deep(MAX_DEPTH + 1))


def test_places_become_absolute_once_the_land_is_known() -> None:
    tree = {"cells": [{"at": [1, -1, 0], "from": "site", "block": "STONE"}]}
    assert resolve(tree, {"site": (10, 20, 30)}) == {
        "cells": [{"at": [11, 19, 30], "block": "STONE"}]
    }
    assert tree["cells"][0]["from"] == "site", "the template stays as it was"


@pytest.mark.parametrize(
    "cell", [{"at": [1, 2, 3], "from": "moon"}, {"at": [1, 2], "from": "site"}]
)
def test_a_place_from_nowhere_is_refused(cell: Any) -> None:
    with pytest.raises(InvalidError) as refused:
        resolve({"cells": [cell]}, {"site": (0, 0, 0)})
    assert refused.value.path == "$.goal.cells[0].from"


def test_a_plan_is_drawn_from_the_ground_up_from_north_to_south_from_west_to_east() -> None:
    tree = {"at": [5, 6, 7], "layers": [["P.", " P"], ["S "]], "key": {"P": "PLANK", "S": "STONE"}}
    (leaf,) = leaves(read_goal({"plan": tree}))
    assert isinstance(leaf, Leaf)
    assert isinstance(leaf.argument, Plan)
    assert list(leaf.argument.cells()) == [
        ((5, 6, 7), "PLANK"),
        ((6, 6, 7), "AIR"),
        ((6, 6, 8), "PLANK"),
        ((5, 7, 7), "STONE"),
    ]


counts = st.dictionaries(st.sampled_from(["LOG", "COAL", "STICK"]), st.integers(1, 9), min_size=1)
leaf_trees = counts.map(lambda wanted: {"have": wanted})
trees = st.recursive(
    leaf_trees,
    lambda parts: st.builds(
        lambda kind, inner, partial: {kind: inner, "partial": partial},
        st.sampled_from(["all", "any"]),
        st.lists(parts, min_size=1, max_size=3),
        st.booleans(),
    ),
    max_leaves=6,
)


@given(tree=trees, have=counts, more=counts)
def test_a_score_never_falls_as_one_comes_nearer(
    tree: Any, have: dict[str, int], more: dict[str, int]
) -> None:
    goal = read_goal(tree)
    nearer = {item: have.get(item, 0) + more.get(item, 0) for item in {**have, **more}}
    before = score(goal, lambda _, wanted: share(wanted, have))
    after = score(goal, lambda _, wanted: share(wanted, nearer))
    assert 0 <= before <= after <= 1
    assert score(goal, lambda *_: Fraction(1)) == 1
    assert score(goal, lambda *_: Fraction(0)) == 0


def test_every_kind_of_leaf_has_a_form() -> None:
    for kind in LEAVES:
        with pytest.raises(InvalidError):
            read_goal({kind: None})
