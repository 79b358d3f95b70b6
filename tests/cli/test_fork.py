"""`thorp world fork` as a user runs it: the story goes along, or nothing is there."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.accidents import LONGEST_LIFE_S, live_and_die
from tests.bridges.chronicle.test_recovery import life
from tests.cli.command import refused, thorp
from tests.cli.command import run as command
from tests.postgres import Cluster
from thorp.bridges.voxel_town import new_city_world
from thorp.simulator.inline import Inline
from thorp.store import RealDisk
from thorp.store.url import mark_relocated
from thorp.voxel import WorldService
from thorp.voxel.tuning import Tuning

RANGE = 12
AT = 2 * RANGE + 6
LAST = 4 * RANGE
KILLS = 4
LONG_KILLS = 60


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a world and its chronicle."""
    data = tmp_path_factory.mktemp("fork") / "data"
    tuning = Tuning(day_ticks=4 * RANGE, season_length_ticks=40 * RANGE, snapshot_every_ticks=20)
    with WorldService.open(
        RealDisk(),
        data / "world",
        seed=4,
        draw_seed=5,
        tuning=tuning,
        make_world=new_city_world,
        threads=Inline,
    ) as service:
        for _ in range(LAST):
            service.tick(life(service.world)).result()
    assert thorp("story", "chronicle", "--data", data).returncode == 0
    return data


def files(path: Path) -> dict[str, bytes]:
    return {
        each.relative_to(path).as_posix(): each.read_bytes()
        for each in sorted(path.rglob("*"))
        if each.is_file()
    }


def story_rows(data: Path) -> list[str]:
    with sqlite3.connect(data / "story.db") as connection:
        return [*connection.iterdump()]


def fork(data: Path, into: Path, *more: str | Path, at: int = AT) -> dict[str, Any]:
    done = thorp("world", "fork", "--at", str(at), "--into", into, "--data", data, "--json", *more)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_a_fork_takes_the_story_along(data: Path, tmp_path: Path) -> None:
    before = files(data / "world"), story_rows(data)
    into = tmp_path / "what-if"
    forked = fork(data, into)
    assert (files(data / "world"), story_rows(data)) == before
    assert sorted(each.name for each in into.iterdir()) == ["story.db", "world"]
    assert [each.name for each in tmp_path.iterdir()] == ["what-if"]
    story = forked["story"]
    assert (story["beats"], story["told"], story["untold"]) == (2, [2 * RANGE, AT], None)
    for where in (data, into):
        done = thorp("story", "verify", "--rebuild", "--tip", story["tip"], "--data", where)
        assert done.returncode == 0, done.stdout
    assert thorp("world", "verify", "--data", into).returncode == 0
    shown = thorp("story", "show", "--data", into).stdout.decode()
    assert (
        shown.splitlines()[: story["entries"]]
        == (thorp("story", "show", "--data", data).stdout.decode().splitlines()[: story["entries"]])
    )


def test_it_says_so_in_words(data: Path, tmp_path: Path) -> None:
    done = thorp("world", "fork", "--at", str(AT), "--into", tmp_path / "f", "--data", data)
    lines = done.stdout.decode().splitlines()
    assert lines[0].startswith(f"{tmp_path / 'f'}: a world that goes on from tick {AT}, digest ")
    assert lines[1].startswith("its story shares 2 beats and ")
    assert lines[2] == f"ticks {2 * RANGE} to {AT}, which no page of both could have, are told"


def test_the_story_may_stay_behind(data: Path, tmp_path: Path) -> None:
    forked = fork(data, tmp_path / "f", "--without-story")
    assert sorted(forked) == ["digest", "tick"]
    assert [each.name for each in (tmp_path / "f").iterdir()] == ["world"]


def test_a_fork_without_a_story_beside_it_is_as_before(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data / "world", tmp_path / "data" / "world")
    assert sorted(fork(tmp_path / "data", tmp_path / "f")) == ["digest", "tick"]
    assert [each.name for each in (tmp_path / "f").iterdir()] == ["world"]
    url = f"sqlite:///{data}/story.db"
    assert fork(tmp_path / "data", tmp_path / "g", "--url", url)["story"]["beats"] == 2


def test_an_open_book_lets_everybody_read_what_is_told(data: Path, tmp_path: Path) -> None:
    counts = []
    for name, options in (("a", []), ("b", ["--open-book"])):
        fork(data, tmp_path / name, *options, at=11)
        shown = thorp("story", "show", "--as", "PUBLIC", "--data", tmp_path / name, "--json")
        counts.append(len(json.loads(shown.stdout)["stream"]["entries"]))
    assert counts[0] <= counts[1]
    fork(data, tmp_path / "c", "--open-book", at=5)
    shown = thorp("story", "show", "--as", "PUBLIC", "--data", tmp_path / "c", "--json")
    assert json.loads(shown.stdout)["stream"]["entries"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--at", "999"], "the last tick is 48"),
        (["--at", str(AT), "--draw-seed", "5"], "this is the world's own draw seed"),
        (["--at", str(AT), "--url", "postgresql://127.0.0.1:1/none"], "127.0.0.1"),
        (["--at", str(AT), "--url", "mysql://x"], "not a kind of database"),
    ],
)
def test_a_refused_fork_leaves_nothing(
    data: Path, tmp_path: Path, options: list[str], said: str
) -> None:
    into = tmp_path / "deep" / "f"
    assert said in refused(thorp("world", "fork", *options, "--into", into, "--data", data))
    assert [*tmp_path.iterdir()] == []


def test_a_place_that_is_taken_is_refused(data: Path, tmp_path: Path) -> None:
    fork(data, tmp_path / "f")
    before = files(tmp_path / "f")
    for place in (tmp_path / "f", data):
        done = thorp("world", "fork", "--at", "3", "--into", place, "--data", data)
        assert "is not empty; choose a new directory" in refused(done)
    assert files(tmp_path / "f") == before


def test_a_story_in_a_database_elsewhere_must_be_named(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data / "world", tmp_path / "data" / "world")
    mark_relocated(tmp_path / "data")
    done = thorp(
        "world", "fork", "--at", "3", "--into", tmp_path / "f", "--data", tmp_path / "data"
    )
    assert "--url postgresql://" in refused(done)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["data"]
    fork(tmp_path / "data", tmp_path / "f", "--without-story")


def test_a_damaged_story_stops_the_fork(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data, tmp_path / "data")
    (tmp_path / "data" / "story.db").write_bytes(b"not a database" * 99)
    done = thorp(
        "world", "fork", "--at", "3", "--into", tmp_path / "f", "--data", tmp_path / "data"
    )
    assert done.returncode == 2
    assert sorted(each.name for each in tmp_path.iterdir()) == ["data"]


@pytest.mark.parametrize("count", [KILLS, pytest.param(LONG_KILLS, marks=pytest.mark.long)])
def test_killed_while_it_forks(data: Path, tmp_path: Path, count: int) -> None:
    """There is a whole fork with its story, or none; and the same command makes it then."""
    before = files(data / "world"), story_rows(data)
    random = Random(count)
    for number in range(count):
        place = tmp_path / f"life-{number}"
        place.mkdir()
        live_and_die(
            "tests.cli.fork_child",
            str(data),
            str(place),
            seconds=random.uniform(0, 2 * LONGEST_LIFE_S),
        )
        left = sorted(place.iterdir())
        assert sum(each.name.startswith(".") for each in left) <= 1
        for each in left:
            if each.name.startswith("."):
                name = each.name.removeprefix(".").removesuffix(".unfinished")
                assert not (place / name).exists()
                fork(data, place / name)
                assert not each.exists()
        whole = sorted(place.iterdir())
        for each in (whole[0], whole[-1]):
            assert {path.name for path in each.iterdir()} - {".unfinished"} == {"story.db", "world"}
            assert thorp("story", "verify", "--rebuild", "--data", each).returncode == 0
            assert thorp("world", "verify", "--data", each).returncode == 0
    assert (files(data / "world"), story_rows(data)) == before


def branches(where: Path, *more: str) -> list[dict[str, Any]]:
    done = thorp("story", "branch", "--data", where, "--json", *more)
    assert done.returncode == 0, done.stderr
    listed: list[dict[str, Any]] = json.loads(done.stdout)["branches"]
    return listed


def texts(where: Path) -> str:
    return thorp("story", "show", "--data", where).stdout.decode()


def test_a_branch_says_where_it_left_and_what_wherever_the_original_went(
    data: Path, tmp_path: Path
) -> None:
    original = shutil.copytree(data, tmp_path / "original")
    forked = fork(original, tmp_path / "fork")
    moved = original.rename(tmp_path / "elsewhere")
    [split] = branches(tmp_path / "fork")
    assert (split["tip"], split["beats"]) == (forked["story"]["tip"], forked["story"]["beats"])
    assert split["at"]["tick"] == AT
    assert split["at"]["digest"] == forked["digest"]
    shutil.rmtree(moved)
    assert branches(tmp_path / "fork") == [split]
    lines = thorp("story", "branch", "--data", tmp_path / "fork").stdout.decode().splitlines()
    assert lines[0] == f"split 1: shares 2 beats and {split['entries']} entries with the story" + (
        " that it left"
    )
    assert f"forked after tick {AT} as " in lines[2]
    assert thorp("story", "verify", "--rebuild", "--data", tmp_path / "fork").returncode == 0


def test_a_story_that_never_branched_says_so_and_none_is_refused(
    data: Path, tmp_path: Path
) -> None:
    done = thorp("story", "branch", "--data", data)
    assert done.stdout.decode() == "this story is no branch: it begins with itself\n"
    assert branches(data) == []
    assert refused(thorp("story", "branch", "--data", tmp_path))


def test_a_fork_of_a_fork_has_both_splits_and_each_reads_its_own(
    data: Path, tmp_path: Path
) -> None:
    first = tmp_path / "first"
    fork(data, first)
    with WorldService.open(
        RealDisk(), first / "world", make_world=new_city_world, threads=Inline
    ) as service:
        for _ in range(2 * RANGE):
            service.tick(life(service.world)).result()
    assert thorp("story", "chronicle", "--data", first).returncode == 0
    second = tmp_path / "second"
    forked = fork(first, second, at=AT + RANGE)
    listed = branches(second)
    assert [split["at"]["tick"] for split in listed] == [AT, AT + RANGE]
    assert listed[0] == branches(first)[0]
    assert listed[1]["at"]["world"] == listed[0]["at"]["fork"]
    assert listed[1]["tip"] == forked["story"]["tip"]
    for where in (data, first, second):
        assert thorp("story", "verify", "--rebuild", "--data", where).returncode == 0
        assert texts(where)
    # The tip of one after the split is on no other chain.
    verified = json.loads(thorp("story", "verify", "--data", first, "--json").stdout)
    done = thorp("story", "verify", "--tip", verified["tip"], "--data", second)
    assert done.returncode == 1


@pytest.mark.real("postgresql")
def test_a_story_in_postgresql_branches_and_the_branch_may_move_there(
    data: Path, tmp_path: Path, postgres: Cluster
) -> None:
    original = shutil.copytree(data, tmp_path / "original")
    url = postgres.make_schema()
    moved = command(
        "thorp", "config", "copy-database", "--data", original, environment={"THORP_DATABASE": url}
    )
    assert moved.returncode == 0, moved.stderr
    fork(original, tmp_path / "fork", "--url", url)
    [split] = branches(tmp_path / "fork")
    there = postgres.make_schema()
    done = command(
        "thorp",
        "config",
        "copy-database",
        "--data",
        tmp_path / "fork",
        environment={"THORP_DATABASE": there},
    )
    assert done.returncode == 0, done.stderr
    done = thorp("story", "branch", "--url", there, "--json")
    assert json.loads(done.stdout)["branches"] == [split]
