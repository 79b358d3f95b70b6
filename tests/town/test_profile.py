"""`profile.v1` and the memory of the last decision: every rule broken once."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.town.samples import ABSENT, profile, refusals, snapshot, with_change
from thorp.town import built_in_profile, propose, validate_profile

BROKEN: list[tuple[str, Any, str]] = [
    ("schemaVersion", "profile.v2", "enum"),
    ("schemaVersion", ABSENT, "missing"),
    ("id", "", "empty"),
    ("id", 3, "type"),
    ("id", ABSENT, "missing"),
    ("role", "Mayor", "enum"),
    ("role", None, "enum"),
    ("role", ABSENT, "missing"),
    ("townId", "", "empty"),
    ("townId", ABSENT, "missing"),
    ("traits", ABSENT, "missing"),
    ("traits", [], "type"),
    ("traits.authority", ABSENT, "missing"),
    ("traits.pragmatism", 1.5, "range"),
    ("traits.courage", True, "type"),
    ("traits.prudence", math.nan, "non_finite"),
    ("traits.prudence", -(10**400), "non_finite"),
    ("goals", ABSENT, "missing"),
    ("goals", None, "type"),
    ("goals", [True], "type"),
    ("goals", {}, "empty"),
    ("goals.growTown", 1, "type"),
    ("goals.growTown", None, "type"),
]

ACCEPTED: list[tuple[str, Any]] = [
    ("motto", {"deep": [[[[object()]]]]}),
    ("traits.greed", "much"),
    ("goals.plantTrees", False),
    ("traits.authority", 1),
    ("traits.authority", -0.0),
    ("id", "\ud800\x00"),
]


@pytest.mark.parametrize(("place", "value", "code"), BROKEN)
def test_a_broken_rule_is_named_with_its_path(place: str, value: Any, code: str) -> None:
    document = with_change(profile(), place, value)
    assert refusals(lambda: validate_profile(document)) == [(code, f"$.{place}")]
    assert refusals(lambda: propose(snapshot(), document)) == [(code, f"$.profile.{place}")]


@pytest.mark.parametrize(("place", "value"), ACCEPTED)
def test_what_looks_odd_and_is_valid(place: str, value: Any) -> None:
    document = with_change(profile(), place, value)
    validate_profile(document)
    propose(snapshot(), document)


@pytest.mark.parametrize("nothing", [None, 0, "", [], False])
def test_what_is_no_object(nothing: Any) -> None:
    assert refusals(lambda: validate_profile(nothing)) == [("type", "$")]


def test_a_goal_under_a_key_that_is_no_string() -> None:
    assert refusals(lambda: validate_profile(profile(goals={3: True}))) == [("not_json", "$.goals")]


@pytest.mark.parametrize("role", ["mayor", "captain", "warden"])
def test_a_built_in_profile_is_valid_and_belongs_to_the_town(role: str) -> None:
    document = built_in_profile(role, "mill-town")
    validate_profile(document)
    assert propose(snapshot(townId="mill-town"), document)["actorId"] == f"{role}-1"
    assert built_in_profile(role)["goals"] is not built_in_profile(role)["goals"]


def test_a_profile_governs_only_its_own_town() -> None:
    found = refusals(lambda: propose(snapshot(townId="Town-1"), profile()))
    assert found == [("town_mismatch", "$.profile.townId")]


def test_all_inputs_are_judged_together() -> None:
    found = refusals(
        lambda: propose(snapshot(day=-1), profile(id=""), {"repeatCount": "2"}, policy="bold")
    )
    assert found == [
        ("range", "$.snapshot.day"),
        ("empty", "$.profile.id"),
        ("type", "$.memory.repeatCount"),
        ("enum", "$.policy"),
    ]


MEMORY_BROKEN: list[tuple[Any, str, str]] = [
    (7, "type", "$.memory"),
    ("TOWNSFOLK_TALK", "type", "$.memory"),
    ([], "type", "$.memory"),
    (False, "type", "$.memory"),
    ({"lastType": 3}, "type", "$.memory.lastType"),
    ({"lastTarget": ["casual"]}, "type", "$.memory.lastTarget"),
    ({"repeatCount": "2"}, "type", "$.memory.repeatCount"),
    ({"repeatCount": True}, "type", "$.memory.repeatCount"),
    ({"repeatCount": math.nan}, "non_finite", "$.memory.repeatCount"),
    ({"repeatCount": math.inf}, "non_finite", "$.memory.repeatCount"),
    ({"repeatCount": 10**400}, "non_finite", "$.memory.repeatCount"),
]


@pytest.mark.parametrize(("memory", "code", "path"), MEMORY_BROKEN)
def test_a_memory_that_is_none(memory: Any, code: str, path: str) -> None:
    assert refusals(lambda: propose(snapshot(), profile(), memory)) == [(code, path)]


TALK = {"lastType": "TOWNSFOLK_TALK"}


@pytest.mark.parametrize(
    ("memory", "taken"),
    [
        (None, 0),
        ({}, 0),
        ({"lastType": None}, 0),
        ({"lastType": ""}, 0),
        ({"lastType": "SALVAGE_PLAN"}, 0),
        ({"lastType": "UNKNOWN", "repeatCount": 3}, 0),
        (TALK, 0.1),
        ({**TALK, "mood": object()}, 0.1),
        ({**TALK, "lastTarget": None}, 0.1),
        ({**TALK, "lastTarget": ""}, 0.1),
        ({**TALK, "lastTarget": "casual"}, 0.1),
        ({**TALK, "lastTarget": "Casual"}, 0),
        ({**TALK, "repeatCount": None}, 0.1),
        ({**TALK, "repeatCount": 0}, 0.1),
        ({**TALK, "repeatCount": -3}, 0.1),
        ({**TALK, "repeatCount": 1.5}, 0.1 * 1.5),
        ({**TALK, "repeatCount": 1e308}, 0.2),
    ],
)
def test_what_memory_takes_from_a_chat(memory: Any, taken: float) -> None:
    quiet = snapshot(sideQuests=[], projects=[])
    assert propose(quiet, profile(), memory)["priority"] == max(0, 0.2 - taken)
