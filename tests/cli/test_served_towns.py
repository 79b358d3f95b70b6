"""`god` and `thorp town` through the server that holds the directory: the same bytes, the same
journal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.bridges.voxel_town.settled import FIRST, FOUNDING, QUIET, SECOND, create_settled_world
from tests.cli.said import Said, said
from tests.cli.serving import served
from tests.town_engine.worlds import handoff_for
from thorp.cli import god
from thorp.cli.location import OpenTowns, Where, open_towns
from thorp.cli.served import ServedTowns
from thorp.server.access.tokens import Role
from thorp.store import open_database
from thorp.town import validate_snapshot
from thorp.town.orders import CreateTown, FailMission
from thorp.town.service import EmbeddedTown

ODD = ["town-1", "..", ".", "a/b", "%2F", "?x=1#y", 'Old "Mill" 🏰', "it's\ta tab", "a b+c&d"]

KEEPING = [
    ("town", "create", "a", "--seed", "9"),
    ("town", "create", "b", "--json"),
    ("town", "create", "c", "--seed", "9"),
    ("town", "create", "d", "--seed", "8"),  # refused: another seed
    ("town", "create", "a"),  # refused: it is there
    ("town", "create", " "),  # refused
    ("town", "create", "x" * 201),  # refused
    ("town", "list"),
    ("town", "list", "--json"),
    ("day", "show", "--json"),
    ("day", "advance", "--days", "4"),
    ("day", "advance", "--json"),
    ("pressure", "set", "a", "hope", "0.735"),
    ("pressure", "set", "a", "joy", "0.5"),  # refused
    ("pressure", "show", "a"),
    ("pressure", "show", "nowhere"),  # refused
    ("quest", "add", "a", 'Find 🐈, it\'s "gone"', "--id", "q 1", "--complexity", "4", "--reward", "7"),
    ("quest", "add", "a", "again", "--id", "q 1"),  # refused
    ("quest", "add", "a", "T", "--complexity", "11"),  # refused
    ("quest", "list", "a"),
    ("quest", "list", "a", "--json"),
    ("project", "add", "b", "Mühle", "--kind", "hall", "--json"),
    ("project", "add", "b", "N", "--kind", "moat"),  # refused
    ("project", "list", "b"),
    ("event", "draw", "a", "--json"),
    ("event", "list", "a"),
    ("mission", "show", "a"),
    ("mission", "complete", "a"),  # refused: there is none
    ("town", "board", "a"),
    ("town", "board", "a", "--json"),
    ("chronicle", "--limit", "7"),
    ("chronicle", "a", "--limit", "3", "--json"),
    ("chronicle", "nowhere"),  # refused
    ("receipt", "retain", "30"),
    ("receipt", "retain", "0"),  # refused
    ("snapshot", "a"),
    ("snapshot", "b", "--json"),
    ("snapshot", "nowhere"),  # refused
]  # fmt: skip


def played(data: Path, *script: tuple[str, ...]) -> list[Said]:
    return [said(*arguments, "--data", str(data), app=god.app) for arguments in script]


def tip_of(data: Path) -> tuple[int, str]:
    with EmbeddedTown(data, create=False) as world:
        assert world.verify().difference is None
        return world.tip()


def test_every_command_says_the_same_and_leaves_the_same_journal(tmp_path: Path) -> None:
    own, kept = tmp_path / "own", tmp_path / "kept"
    kept.mkdir()
    alone = played(own, *KEEPING)
    with served(kept):
        through = played(kept, *KEEPING)
    for command, first, second in zip(KEEPING, alone, through, strict=True):
        assert second == first, command
    assert sum(each.code == 2 for each in alone) == 13
    assert tip_of(own) == tip_of(kept)


def test_the_server_does_it_and_not_this_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path):
        assert played(tmp_path, ("town", "create", "a"))[0].code == 0
        with open_towns(Where(tmp_path)) as towns:
            assert isinstance(towns, ServedTowns)
    with open_towns(Where(tmp_path)) as towns:
        assert not isinstance(towns, ServedTowns)
        assert [each["townId"] for each in towns.summaries()] == ["a"]


def test_looking_makes_nothing(tmp_path: Path) -> None:
    with served(tmp_path):
        for command in (("town", "list"), ("snapshot", "a"), ("day", "advance"), ("chronicle",)):
            answer = played(tmp_path, command)[0]
            assert (answer.code, answer.out) == (2, b"")
            assert "no town world" in str(answer.refusal)
        assert sorted(path.name for path in tmp_path.iterdir()) == [
            "admin-token",
            "serving.json",
            "world",
        ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["admin-token", "world"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenTowns]:
    data = tmp_path_factory.mktemp("kept")
    with served(data), open_towns(Where(data), create=True) as towns:
        yield towns


@given(
    name=st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20
    )
)
@settings(max_examples=60)
def test_a_town_of_any_name(kept: OpenTowns, name: str) -> None:
    if name.strip() and name not in {each["townId"] for each in kept.summaries()}:
        assert kept.execute_order(CreateTown(name)).town_id == name
        assert kept.snapshot(name)["townId"] == kept.town(name).town_id == name
        assert {entry.town for entry in kept.chronicle(name)} == {name}


@pytest.mark.parametrize("name", ODD)
def test_odd_names(kept: OpenTowns, name: str) -> None:
    if name not in {each["townId"] for each in kept.summaries()}:
        kept.execute_order(CreateTown(name))
    snapshot = kept.snapshot(name)
    result = kept.execute(
        handoff_for(snapshot, "MAYOR_ACCEPT_MISSION", snapshot["sideQuests"][0]["id"])
    )
    assert (result["status"], kept.town(name).mission is not None) == ("executed", True)
    assert len(kept.proposals(name)) == 1
    kept.execute_order(FailMission(name))


def test_governors_behind_a_server_do_what_they_do_beside_it(tmp_path: Path) -> None:
    own, kept = tmp_path / "own", tmp_path / "kept"
    kept.mkdir()
    run = ("town", "run", "--days", "4", "--seed", "7", "--town", "a", "--town", "ü b", "--json")
    alone = said(*run, "--data", str(own))
    assert alone.out.count(b"\n") == 8
    with served(kept, leaves_word=False, loopback=Role.ADMIN) as url:
        assert said(*run, "--url", url) == alone
        again = said("town", "run", "--days", "2", "--town", "a", "--json", "--url", url)
        assert json.loads(again.out.splitlines()[-1])["snapshot"]["day"] == 6
        verified = said("town", "verify", "--url", url, "--json")
    said("town", "run", "--days", "2", "--town", "a", "--data", str(own))
    assert tip_of(own) == tip_of(kept)
    assert verified == said("town", "verify", "--data", str(own), "--json")


def batch(data: Path) -> bytes:
    with EmbeddedTown(data, seed=5) as world:
        world.create_town("a")
        handoff = handoff_for(world.snapshot("a"), "MAYOR_ACCEPT_MISSION", "sq-1")
    other: dict[str, Any] = {**handoff, "command": "mission accept a sq-2"}
    unstorable = json.dumps(handoff).replace('"a"', '"a\\u0000"')
    infinite = json.dumps(handoff).replace(
        '"expectedDecisionEpoch": 0', '"expectedDecisionEpoch": 1e999'
    )
    assert infinite != json.dumps(handoff)
    lines = [
        json.dumps(handoff),
        json.dumps(handoff),
        "{",
        "[]",
        "{}",
        json.dumps(other),
        unstorable,
        infinite,
    ]
    return "\n".join(lines).encode() + b"\n"


def test_batches_are_answered_line_by_line_as_beside_it(tmp_path: Path) -> None:
    own, kept = tmp_path / "own", tmp_path / "kept"
    lines = batch(own)
    assert batch(kept) == lines
    alone = said("town", "execute", "--batch", "--data", str(own), stdin=lines)
    with served(kept):
        through = said("town", "execute", "--batch", "--data", str(kept), stdin=lines)
    assert through == alone
    told = [json.loads(line) for line in alone.out.splitlines()]
    assert [each.get("status") for each in told[:2]] == ["executed", "duplicate"]
    assert all("error" in each for each in told[2:])
    assert tip_of(own) == tip_of(kept)


def test_a_city_of_the_voxel_world_is_a_town_too(tmp_path: Path) -> None:
    """It is listed, seen and governed; but no keeper decrees what happens in it."""
    data = ("--data", str(tmp_path))
    with served(
        tmp_path, make_world=create_settled_world, tuning=QUIET, clock="real", inputs=FOUNDING
    ):
        listed = json.loads(said("town", "list", "--json", *data, app=god.app).out)
        assert [(each["townId"], each["population"]) for each in listed] == [
            (FIRST, 2),
            (SECOND, 2),
        ]
        assert said("town", "list", *data, app=god.app).out.startswith(
            b"ORG000001 (Millbrook)  day "
        )
        assert said("town", "create", "a", *data, app=god.app).code == 0
        seen = said("snapshot", FIRST, "--json", *data, app=god.app).out
        validate_snapshot(json.loads(seen))
        handoff = handoff_for(json.loads(seen), "MAYOR_ACCEPT_MISSION", "C000001")
        done = said("town", "execute", *data, stdin=json.dumps(handoff).encode())
        assert done.code == 0, done.refusal
        assert json.loads(done.out)["status"] == "executed"
        assert said("pressure", "show", FIRST, *data, app=god.app).code == 0
        both = said("snapshot", "Millbrook", *data, app=god.app)
        assert f"2 towns are called Millbrook: {FIRST}, {SECOND}; give an id" in str(both.refusal)
        for order in (
            ("town", "create", FIRST),
            ("town", "board", FIRST),
            ("event", "draw", FIRST),
            ("pressure", "set", FIRST, "hope", "1"),
            ("chronicle", FIRST),
        ):
            refused = said(*order, *data, app=god.app)
            assert (refused.code, refused.out) == (2, b"")
            assert "is a city of the voxel world" in str(refused.refusal)
        run = said("town", "run", "--town", FIRST, "--days", "1", *data)
        assert "is a city of the voxel world" in str(run.refusal)
        assert said("town", "run", "--town", "a", "--days", "1", *data).code == 0


def test_a_city_is_found_by_its_name(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path))
    with served(
        tmp_path, make_world=create_settled_world, tuning=QUIET, clock="real", inputs=FOUNDING[:1]
    ):
        assert said("snapshot", "Millbrook", *data, app=god.app).out.startswith(b"ORG000001, day ")
        assert "no town 'Millbrok'" in str(said("snapshot", "Millbrok", *data, app=god.app).refusal)


def test_damage_is_found_through_the_server(tmp_path: Path) -> None:
    with EmbeddedTown(tmp_path) as world:
        world.create_town("a")
    with open_database(f"sqlite:///{tmp_path}/town.db") as database:
        database.submit(lambda each: each.execute("UPDATE town_world SET day = 7")).result()
    alone = said("town", "verify", "--data", str(tmp_path))
    with served(tmp_path):
        assert said("town", "verify", "--data", str(tmp_path)) == alone
    assert (alone.code, alone.out[:9]) == (1, b"damaged: ")
