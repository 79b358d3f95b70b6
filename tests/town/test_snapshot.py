"""`snapshot.v1`: every rule broken once, and a hash that only content can change."""

from __future__ import annotations

import copy
import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.town.samples import ABSENT, Document, refusals, snapshot, with_change
from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.identity import digest
from thorp.town import snapshot_hash, validate_snapshot
from thorp.town.document_shape import FINDINGS_LIMIT, Findings
from thorp.town.snapshot import SHAPE, read_snapshot

MISSION = {"id": "m-1", "title": "Hold the ford", "description": "", "reward": 0}

BROKEN: list[tuple[str, Any, str]] = [
    ("schemaVersion", "snapshot.v2", "enum"),
    ("schemaVersion", 1, "enum"),
    ("schemaVersion", ABSENT, "missing"),
    ("day", -1, "range"),
    ("day", 1.5, "not_whole"),
    ("day", "4", "type"),
    ("day", True, "type"),
    ("day", None, "type"),
    ("day", math.nan, "non_finite"),
    ("day", math.inf, "non_finite"),
    ("day", 10**400, "non_finite"),
    ("day", -(10**400), "non_finite"),
    ("day", ABSENT, "missing"),
    ("townId", "", "empty"),
    ("townId", 7, "type"),
    ("townId", ABSENT, "missing"),
    ("mission", ABSENT, "missing"),
    ("mission", [], "type"),
    ("mission.id", "", "empty"),
    ("mission.id", ABSENT, "missing"),
    ("mission.title", None, "type"),
    ("mission.title", ABSENT, "missing"),
    ("mission.description", None, "type"),
    ("mission.reward", None, "type"),
    ("mission.reward", -0.5, "range"),
    ("mission.reward", math.inf, "non_finite"),
    ("mission.reward", False, "type"),
    ("mission.giver", "miller", "unknown_key"),
    ("sideQuests", ABSENT, "missing"),
    ("sideQuests", None, "type"),
    ("sideQuests", {}, "type"),
    ("sideQuests", {"q"}, "type"),
    ("sideQuests", [{"id": f"q{n}", "title": "Q"} for n in range(101)], "limit"),
    ("sideQuests.0", None, "type"),
    ("sideQuests.0", "sq", "type"),
    ("sideQuests.0.id", ABSENT, "missing"),
    ("sideQuests.0.id", "", "empty"),
    ("sideQuests.1.id", "sq-ford", "unique"),
    ("sideQuests.0.title", ABSENT, "missing"),
    ("sideQuests.0.title", "", "empty"),
    ("sideQuests.0.complexity", 10.000000000000002, "range"),
    ("sideQuests.0.complexity", -1, "range"),
    ("sideQuests.0.complexity", None, "type"),
    ("sideQuests.0.complexity", "3", "type"),
    ("sideQuests.0.complexity", math.nan, "non_finite"),
    ("sideQuests.0.reward", 3, "unknown_key"),
    ("pressure", ABSENT, "missing"),
    ("pressure", None, "type"),
    ("pressure.threat", ABSENT, "missing"),
    ("pressure.scarcity", 1.1, "range"),
    ("pressure.hope", -1e-9, "range"),
    ("pressure.dread", "low", "type"),
    ("pressure.dread", True, "type"),
    ("pressure.joy", 0.5, "unknown_key"),
    ("projects", ABSENT, "missing"),
    ("projects", 3, "type"),
    ("projects.0", [], "type"),
    ("projects.0.id", "", "empty"),
    ("projects.1.id", "wall", "unique"),
    ("projects.0.name", ABSENT, "missing"),
    ("projects.0.name", "", "empty"),
    ("projects.0.progress", ABSENT, "missing"),
    ("projects.0.progress", 2, "range"),
    ("projects.0.status", "Active", "enum"),
    ("projects.0.status", ABSENT, "missing"),
    ("projects.0.stage", 2, "unknown_key"),
    ("latestNetherEvent", ABSENT, "missing"),
    ("latestNetherEvent", 3, "type"),
    ("weather", "rain", "unknown_key"),
]

ACCEPTED: list[tuple[str, Any]] = [
    ("day", 0),
    ("day", 5.0),
    ("day", -0.0),
    ("day", 1e21),
    ("day", 9007199254740993),
    ("day", 10**300),
    ("townId", " "),
    ("townId", "\x00"),
    ("townId", "\ud800"),
    ("mission", MISSION),
    ("mission", {"id": "m", "title": "t"}),
    ("mission", {**MISSION, "reward": 1e300}),
    ("sideQuests", []),
    ("sideQuests", [{"id": f"q{n}", "title": "Q"} for n in range(100)]),
    ("sideQuests", ({"id": "a", "title": "A"},)),
    ("sideQuests.0.complexity", 10),
    ("sideQuests.0.complexity", -0.0),
    ("sideQuests.0.complexity", 5e-324),
    ("sideQuests.0.id", "wall"),
    ("pressure.hope", 1),
    ("projects", []),
    ("latestNetherEvent", ""),
    ("latestNetherEvent", "wither\x00"),
]


def spoiled(place: str, value: Any) -> Document:
    base = snapshot(mission=MISSION) if place.startswith("mission.") else snapshot()
    return with_change(base, place, value)


def path_of(place: str) -> str:
    steps = place.split(".")
    return "$" + "".join(f"[{step}]" if step.isdigit() else f".{step}" for step in steps)


@pytest.mark.parametrize(("place", "value", "code"), BROKEN)
def test_a_broken_rule_is_named_with_its_path(place: str, value: Any, code: str) -> None:
    document = spoiled(place, value)
    assert refusals(lambda: validate_snapshot(document)) == [(code, path_of(place))]
    assert refusals(lambda: snapshot_hash(document)) == [(code, path_of(place))]


@pytest.mark.parametrize(("place", "value"), ACCEPTED)
def test_what_looks_odd_and_is_valid(place: str, value: Any) -> None:
    validate_snapshot(with_change(snapshot(), place, value))


@pytest.mark.parametrize("nothing", [None, 0, "", [], "snapshot", 7, True, math.nan])
def test_what_is_no_object(nothing: Any) -> None:
    assert refusals(lambda: validate_snapshot(nothing)) == [("type", "$")]


def test_every_violation_is_listed() -> None:
    document = snapshot(day=-1, weather="rain", projects=[{"id": "", "status": "x"}, None])
    document["pressure"] = {"threat": 2, "joy": 1}
    assert refusals(lambda: validate_snapshot(document)) == [
        ("range", "$.day"),
        ("range", "$.pressure.threat"),
        ("missing", "$.pressure.scarcity"),
        ("missing", "$.pressure.hope"),
        ("missing", "$.pressure.dread"),
        ("unknown_key", "$.pressure.joy"),
        ("empty", "$.projects[0].id"),
        ("missing", "$.projects[0].name"),
        ("missing", "$.projects[0].progress"),
        ("enum", "$.projects[0].status"),
        ("type", "$.projects[1]"),
        ("unknown_key", "$.weather"),
    ]


def test_the_report_is_bounded() -> None:
    document = snapshot(sideQuests=[{} for _ in range(100)])
    assert len(refusals(lambda: validate_snapshot(document))) == FINDINGS_LIMIT


def test_the_path_of_an_odd_key() -> None:
    document = {**snapshot(), "a b": 1, "é\n": 2}
    assert refusals(lambda: validate_snapshot(document)) == [
        ("unknown_key", '$["a b"]'),
        ("unknown_key", '$["\\u00e9\\n"]'),
    ]
    assert refusals(lambda: validate_snapshot(dict([*snapshot().items(), (3, 1)]))) == [
        ("not_json", "$")
    ]


@pytest.mark.parametrize(
    ("place", "one", "other"),
    [
        ("day", 5, 5.0),
        ("day", 0, -0.0),
        ("day", 9007199254740992, 9007199254740993),
        ("day", 10**21, 1e21),
        ("sideQuests.0.complexity", 5, 5.0),
        ("sideQuests.0.complexity", 0, -0.0),
        ("pressure.hope", 1, 1.0),
        ("projects.0.progress", 0.1, 0.1000000000000000055),
        ("townId", "\U0001f600", "\ud83d\ude00"),
    ],
)
def test_spellings_of_one_value_hash_alike(place: str, one: Any, other: Any) -> None:
    assert snapshot_hash(with_change(snapshot(), place, one)) == snapshot_hash(
        with_change(snapshot(), place, other)
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [("é", "e\u0301"), ("a", "a\x00"), ("a", "A"), ("1", "١"), ("\ud800", "\ufffd")],
)
def test_strings_are_hashed_as_they_are(one: str, other: str) -> None:
    assert snapshot_hash(snapshot(townId=one)) != snapshot_hash(snapshot(townId=other))


def test_ids_that_collate_as_equal_keep_no_input_order() -> None:
    for one, other in [("é", "e\u0301"), ("a", "a\x00"), ("1", "١"), ("a", "a\u200b")]:
        quests = [{"id": one, "title": "T"}, {"id": other, "title": "T"}]
        assert snapshot_hash(snapshot(sideQuests=quests)) == snapshot_hash(
            snapshot(sideQuests=quests[::-1])
        )


def test_ids_that_collate_as_equal_go_by_the_later_keys_first() -> None:
    def order(*quests: Document) -> list[str]:
        found = Findings()
        read = read_snapshot(snapshot(sideQuests=list(quests)), found)
        assert read is not None
        return [quest.id for quest in read.content.sideQuests]

    assert order({"id": "a", "title": "b"}, {"id": "a\x00", "title": "a"}) == ["a\x00", "a"]
    assert order({"id": "a", "title": "t"}, {"id": "a\x00", "title": "t", "complexity": 9}) == [
        "a\x00",
        "a",
    ]
    assert order({"id": "a\x00", "title": "t"}, {"id": "a", "title": "t"}) == ["a", "a\x00"]


def test_two_spellings_of_one_id_are_one_id() -> None:
    quests = [{"id": "\ud83d\ude00", "title": "T"}, {"id": "\U0001f600", "title": "T"}]
    assert refusals(lambda: validate_snapshot(snapshot(sideQuests=quests))) == [
        ("unique", "$.sideQuests[1].id")
    ]


def code_units_of(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


texts = st.text(st.characters(codec=None, exclude_categories=()), max_size=6)
names = st.text(min_size=1, max_size=6) | texts.filter(bool)
units = st.floats(0, 1) | st.sampled_from([0, 1, 1.0, -0.0, 0.0001, 9.99e-5, 1e-7, 5e-324])
complexities = (
    st.floats(0, 10)
    | st.integers(0, 10)
    | st.integers(0, 10).map(float)
    | st.sampled_from([-0.0, 0.0001, 9.99e-5, 5e-324, 9.999999999999998])
)
snapshots = st.fixed_dictionaries(
    {
        "schemaVersion": st.just("snapshot.v1"),
        "day": st.integers(0, 2**70) | st.integers(0, 2**70).map(float),
        "townId": names,
        "mission": st.none()
        | st.fixed_dictionaries(
            {"id": names, "title": names},
            optional={"description": texts, "reward": st.floats(0, allow_infinity=False)},
        ),
        "sideQuests": st.lists(
            st.fixed_dictionaries(
                {"id": names, "title": names},
                optional={"complexity": complexities},
            ),
            max_size=6,
            unique_by=lambda quest: code_units_of(str(quest["id"])),
        ),
        "pressure": st.fixed_dictionaries(
            dict.fromkeys(("threat", "scarcity", "hope", "dread"), units)
        ),
        "projects": st.lists(
            st.fixed_dictionaries(
                {
                    "id": names,
                    "name": names,
                    "progress": units,
                    "status": st.sampled_from(["planning", "active", "blocked", "complete"]),
                }
            ),
            max_size=6,
            unique_by=lambda project: code_units_of(str(project["id"])),
        ),
        "latestNetherEvent": st.none() | texts,
    }
)


@given(snapshots, st.randoms(use_true_random=False))
def test_order_of_keys_and_lists_never_shows(document: Document, chance: random.Random) -> None:
    before = copy.deepcopy(document)
    members = list(document.items())
    chance.shuffle(members)
    other = dict(members)
    for name in ("sideQuests", "projects"):
        other[name] = chance.sample(document[name], len(document[name]))
    assert snapshot_hash(document) == snapshot_hash(other)
    assert document == before


@given(snapshots)
def test_the_fast_text_is_the_canonical_text(document: Document) -> None:
    found = Findings()
    read = read_snapshot(document, found)
    assert read is not None
    plain = copy.deepcopy(document)
    for name in ("sideQuests", "projects"):
        items = getattr(read.content, name)
        by_id = {code_units_of(item["id"]): item for item in plain[name]}
        assert len(items) == len(by_id)
        plain[name] = [by_id[code_units_of(item.id)] for item in items]
    assert digest(canonical_bytes(plain)) == read.hash


JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        1.5,
        2,
        "",
        "x",
        [],
        {},
        [{}],
        math.nan,
        math.inf,
        10**400,
        {"id": "a"},
        b"x",
        {1},
        (1,),
    ]
)


@given(snapshots, st.randoms(use_true_random=False), JUNK)
def test_the_fast_reader_accepts_only_what_the_rules_accept(
    document: Document, chance: random.Random, junk: Any
) -> None:
    place = [document]
    while isinstance(place[-1], (dict, list)) and place[-1] and chance.random() < 0.8:
        inner = place[-1]
        key = (
            chance.choice(list(inner)) if isinstance(inner, dict) else chance.randrange(len(inner))
        )
        if isinstance(inner[key], (dict, list)) and chance.random() < 0.7:
            place.append(inner[key])
            continue
        inner[key] = junk
        break
    by_rules = Findings()
    SHAPE.check(document, "$", by_rules)
    found = Findings()
    read = read_snapshot(document, found)
    assert (read is None) == (len(by_rules) > 0)
    assert len(found) == len(by_rules)


def test_collation_is_what_orders_the_lists() -> None:
    rising = ["ährE", "Ähre", "sq_1", "sq-10", "sq-2", "SQ-2", "zebra"]
    quests = [{"id": id, "title": "T"} for id in sorted(rising)]
    read = read_snapshot(snapshot(sideQuests=quests), Findings())
    assert read is not None
    assert [quest.id for quest in read.content.sideQuests] == rising
