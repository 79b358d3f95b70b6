"""A branch has the past of the story that it left, to the byte, and nothing else of it."""

from __future__ import annotations

import gzip
import itertools
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.accidents import LONGEST_LIFE_S, live_and_die
from tests.postgres import Cluster
from tests.story.test_upgrade import TIPS, put_golden
from tests.story.test_verify import CONFIG, told
from tests.story.world import WatchedWriter, World, bundle, change, entry, question, tamper, voice
from thorp.kernel.errors import (
    ConflictError,
    DamagedError,
    InvalidError,
    LimitError,
    ThorpError,
    UnavailableError,
)
from thorp.store import Connection
from thorp.story import StoryConfig, branch, describe_branches, open_ledger, rebuild
from thorp.story import branch_beat as branch_beat_module
from thorp.story.config import Time
from thorp.story.creation import recorded_config
from thorp.story.fork_point import ForkPoint
from thorp.story.ids import IdGenerator
from thorp.story.schema import APPEND_ONLY, COLUMNS, find_branches
from thorp.story.writer import ScriptedWriter

SPLIT = 4
"""The beat up to which the stories of these tests are shared."""
AT = ForkPoint(tick=3000, digest="d1", world="e52a6d16c6e5d9ad", fork="0123456789abcdef")
SECRET_WORDS = "The heron sleeps under the pier."
RANDOM_IDS = StoryConfig(people_open=True)
KILLS = 3
LONG_KILLS = 60


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.real("postgresql"))])
def fresh_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Addresses of databases in which there is no story yet."""
    urls: Iterator[str] = (f"sqlite:///{tmp_path}/{n}/story.db" for n in range(100))
    if request.param == "sqlite":

        def on_sqlite() -> str:
            url = next(urls)
            Path(url.removeprefix("sqlite:///")).parent.mkdir()
            return url

        return on_sqlite
    cluster: Cluster = request.getfixturevalue("postgres")
    return cluster.make_schema


def opened(where: str | Path, config: StoryConfig | None = None, *lines: Any) -> World:
    """A world at a place, whose writer says these lines; its requests have ids that no beat has."""
    writer = WatchedWriter(lines)
    world = World(open_ledger(where, config, writer), writer)
    world._numbers = itertools.count(100 * world.ledger.tip()[0] + 1)
    return world


def everything(world: World) -> dict[str, list[tuple[Any, ...]]]:
    return {table: world.rows(table) for table in COLUMNS}


def shared(world: World, table: str, last: int) -> list[tuple[Any, ...]]:
    """The rows of a table that belong to the beats up to one."""
    columns = COLUMNS[table]
    beats = {row[0]: row for row in world.rows("story_beat")}
    seq = beats[last][COLUMNS["story_beat"].index("seq")]
    if table == "story_beat":
        return [row for row in world.rows(table) if row[0] <= last]
    if table == "story_audience":
        return [row for row in world.rows(table) if row[columns.index("seq")] <= seq]
    return [row for row in world.rows(table) if row[columns.index("beat")] <= last]


BY_BEAT = [each for each in APPEND_ONLY if each not in ("story_world", "story_refresh")]


def test_a_branch_has_the_past_to_the_byte_and_leaves_the_original_alone(
    fresh_url: Callable[[], str],
) -> None:
    with told(fresh_url()) as world:
        before = everything(world)
        url = fresh_url()
        branch(world.ledger, url, SPLIT, at=AT)
        assert everything(world) == before
        with opened(url) as other:
            assert other.rows("story_world") == before["story_world"]
            for table in BY_BEAT:
                ours = shared(world, table, SPLIT)
                assert shared(other, table, SPLIT) == ours, table
                extra = {"story_beat": 1, "story_branch": 1}.get(table, 0)
                assert len(other.rows(table)) == len(ours) + extra, table
            assert [other.rows(table) for table in ("story_refresh", "story_window")] == [[], []]
            found = other.ledger.verify()
            assert (found.difference, found.beats) == (None, SPLIT + 1)


def test_both_go_on_and_each_is_its_own(fresh_url: Callable[[], str]) -> None:
    with told(fresh_url()) as world:
        url = fresh_url()
        branch(world.ledger, url, SPLIT, at=AT)
        [split] = describe_of(url)
        with opened(url) as other:
            for one, text in ((world, "The mill burns."), (other, "The mill stands.")):
                one.writer.script([bundle(voice(text), entry(text, to=["REBECCA"]))])
                one.stream("What of the mill?", request_id="after")
                assert one.ledger.verify(split["tip"]).difference is None
            tips = [one.ledger.tip()[1] for one in (world, other)]
            assert tips[0] != tips[1]
            for one, tip in ((world, tips[1]), (other, tips[0])):
                assert one.ledger.verify(tip).difference is not None
            assert "The mill burns." not in other.texts()
            assert "The mill stands." not in world.texts()


def describe_of(url: str | Path) -> list[dict[str, Any]]:
    with open_ledger(url, create=False) as ledger:
        return describe_branches(ledger)


def test_it_says_by_itself_where_and_from_what(fresh_url: Callable[[], str]) -> None:
    url = fresh_url()
    with told(fresh_url()) as world:
        assert len(describe_branches(world.ledger)) == 1, "this one has left another"
        branch(world.ledger, url, SPLIT, at=AT)
        row = next(row for row in world.rows("story_beat") if row[0] == SPLIT)
    expected = {
        "beats": SPLIT,
        "entries": row[7],
        "tip": bytes(row[12]).hex(),
        "at": {"tick": 3000, "digest": "d1", "world": AT.world, "fork": AT.fork},
    }
    assert describe_of(url) == [expected]
    with opened(url) as other:
        secret = other.rows("story_branch")[0][1]
        assert secret not in str(describe_branches(other.ledger))


def test_a_story_that_is_no_branch_says_so(tmp_path: Path) -> None:
    with opened(tmp_path) as world:
        assert world.stream("Hello.")
        assert describe_branches(world.ledger) == []


@pytest.mark.parametrize("config", [CONFIG, RANDOM_IDS], ids=["sequential", "random"])
def test_no_id_of_one_is_an_id_of_the_other(tmp_path: Path, config: StoryConfig) -> None:
    """Both do the same from the split on; a third is a second branch at the same beat."""
    lines = [
        question("hello", tool="SCENE_PACK_BUILD", name="1"),
        bundle(voice(), entry("Quiet.", to=["REBECCA"])),
    ]
    with opened(tmp_path / "a", config, *lines) as world:
        world.stream("Hello.")
        world.stream("Hello.")
        for name in "bc":
            branch(world.ledger, tmp_path / name, 1)
        past = ids(world, 1)
        found = [ids(world)]
        for name in "bc":
            with opened(tmp_path / name, None, *lines) as other:
                other.stream("Hello.", request_id="request-2")
                other.stream("Hello.", request_id="request-3")
                assert ids(other, 1) == past
                found.append(ids(other))
                assert other.ledger.verify().difference is None
        for one in found:
            assert past < one
        for first, second in ((0, 1), (0, 2), (1, 2)):
            assert found[first] & found[second] == past


def ids(world: World, last: int = 999) -> set[str]:
    """Every id that the ledger has assigned, up to a beat."""
    entries = COLUMNS["story_entry"]
    beats = COLUMNS["story_beat"]
    return {
        *(row[entries.index("entry_id")] for row in world.rows("story_entry") if row[2] <= last),
        *(
            row[beats.index("bundle_id")]
            for row in world.rows("story_beat")
            if row[0] <= last and row[beats.index("bundle_id")] is not None
        ),
        *(row[0] for row in world.rows("story_pack") if row[1] <= last),
    }


def test_a_seal_holds_in_the_story_that_made_it_alone(tmp_path: Path) -> None:
    """Who sends a sealed request of one story to the other has sent an ordinary one."""
    with opened(tmp_path / "a", RANDOM_IDS) as world:
        old = world.ledger.sealed_request("page:1")
        world.stream("One.", request_id=old)
        branch(world.ledger, tmp_path / "b", 1)
        sealed = world.ledger.sealed_request("page:2")
        world.stream("Two.", request_id=sealed)
        with opened(tmp_path / "b") as other:
            assert other.ledger.last_sealed("page:") == "page:1"
            own = other.ledger.sealed_request("page:2")
            assert own != sealed
            theirs = [other.stream("Two.", request_id=sealed)[-1]["entry_id"]]
            assert other.ledger.last_sealed("page:") == "page:1", "nothing of it is evidence here"
            world.stream("Two.", request_id=own)
            assert world.ledger.last_sealed("page:") == "page:2"
            mine = [other.stream("Three.", request_id=own)[-1]["entry_id"]]
            assert other.ledger.last_sealed("page:") == "page:2"
            assert [*other.ledger.sealed_backwards("page:")] == [(4, "page:2"), (1, "page:1")]
            origins = other.ledger.origins([*theirs, *mine])
            assert [origins[each].sealed for each in (*theirs, *mine)] == [False, True]
            # A seal of the time before the split is none for a beat after it.
            late = IdGenerator(RANDOM_IDS, int(world.rows("story_world")[0][3])).request("page:9")
            other.stream("Nine.", request_id=late)
            assert other.ledger.last_sealed("page:") == "page:2"


def test_requests_before_the_split_are_answered_as_they_were(tmp_path: Path) -> None:
    with told(tmp_path / "a") as world:
        branch(world.ledger, tmp_path / "b", SPLIT)
        answers = [(row[1], row[16]) for row in world.rows("story_beat") if row[2] == "BEAT"]
        free = 0
        with opened(tmp_path / "b") as other:
            for request_id, body in answers:
                answer = other.respond("Other words.", request_id=request_id)
                assert answer.status == 200
                if answer.replayed:
                    assert answer.body == body
                else:
                    free += 1
            assert free == len(answers) - (SPLIT - 1), "one of the beats is a seed"
            assert other.ledger.verify().difference is None


def test_what_a_refresh_has_shown_stays_with_the_original(tmp_path: Path) -> None:
    """It moved nothing, so nothing says before which beat it was."""
    with opened(tmp_path / "a") as world:
        world.stream("One.")
        branch(world.ledger, tmp_path / "b", 1)
        world.stream("Two.")
        world.send("", kind="NO_OP", request_id="look")
        with opened(tmp_path / "b") as other:
            status, body = other.send("", kind="NO_OP", request_id="look")
            assert status == 200
            assert [each["text"] for each in body["stream"]["entries"]] == ["One."]


def test_nothing_that_came_after_the_split_is_in_its_files(tmp_path: Path) -> None:
    """Neither as a row, nor in the index, in a window, in a prompt, or left over in a page."""
    with opened(tmp_path / "a", RANDOM_IDS) as world:
        for number in range(3):
            world.stream(f"Before {number}.")
        world.writer.script([question("heron"), bundle(voice(SECRET_WORDS))])
        world.stream("What sleeps?")
        branch(world.ledger, tmp_path / "b", 3)
    with opened(tmp_path / "b") as other:
        other.writer.script([question("heron"), bundle(voice("Nothing."))])
        other.stream("What sleeps?")
        assert isinstance(other.writer, WatchedWriter)
        assert "heron sleeps" not in "".join(other.writer.texts)
        results = [row for row in other.rows("story_tool") if "heron" in row[4]]
        assert len(results) == 1
    data = b"".join(path.read_bytes() for path in (tmp_path / "b").iterdir())
    assert b"Before 2." in data
    assert SECRET_WORDS.encode() not in data
    assert SECRET_WORDS.encode() in (tmp_path / "a" / "story.db").read_bytes()


def test_a_branch_at_every_beat_is_sound_and_plays_again(tmp_path: Path) -> None:
    with told(tmp_path / "a") as world:
        beats, _ = world.ledger.tip()
        for beat in range(beats + 1):
            home = tmp_path / str(beat)
            branch(world.ledger, home, beat)
            with opened(home) as other:
                other.writer.script(
                    [question("hello"), bundle(entry("Still here.", to=["REBECCA"]))]
                )
                for text in ("On.", "x" * 1100, ""):
                    assert other.send(text)[0] == 200
                assert other.ledger.verify().difference is None, beat
                with rebuild(other.ledger, tmp_path / f"{beat}-again") as again:
                    assert again.tip() == other.ledger.tip()
                    for table in COLUMNS:
                        assert World(again, WatchedWriter()).rows(table) == other.rows(table)


def test_a_branch_of_a_branch_knows_all_that_lie_behind_it(fresh_url: Callable[[], str]) -> None:
    first = fresh_url()
    second = fresh_url()
    third = fresh_url()
    with opened(first, RANDOM_IDS) as world:
        world.stream("One.")
        world.stream("Two.")
        branch(world.ledger, second, 1, at=AT)
    with opened(second) as world:
        world.stream("Another two.")
        branch(world.ledger, third, 3)
        before_it_left = world.ledger.tip()[1]
    with opened(third) as world:
        world.stream("Another three.")
        assert world.texts() == ["One.", "Another two.", "Another three."]
        assert world.ledger.verify(before_it_left).difference is None
        shown = describe_branches(world.ledger)
        assert [(each["beats"], each["at"] is None) for each in shown] == [(1, False), (3, True)]
        assert shown[0] == describe_of(second)[0]
        assert shown[1]["tip"] == before_it_left
        with opened(first) as original:
            assert original.ledger.verify(shown[0]["tip"]).difference is None
            assert original.ledger.verify(shown[1]["tip"]).difference is not None


def test_a_branch_before_the_split_of_its_original_does_not_know_of_it(tmp_path: Path) -> None:
    with opened(tmp_path / "a", RANDOM_IDS) as world:
        world.stream("One.")
        branch(world.ledger, tmp_path / "b", 1)
    with opened(tmp_path / "b") as world:
        world.stream("Two.")
        branch(world.ledger, tmp_path / "c", 1)
        branch(world.ledger, tmp_path / "d", 2)
    assert [each["beats"] for each in describe_of(tmp_path / "c")] == [1]
    assert [each["beats"] for each in describe_of(tmp_path / "d")] == [1, 2]


@pytest.mark.real("postgresql")
def test_a_story_may_branch_from_one_kind_of_database_into_the_other(
    tmp_path: Path, postgres: Cluster
) -> None:
    url = postgres.make_schema()
    with told(tmp_path / "a") as world:
        branch(world.ledger, url, SPLIT, secret=7)
        branch(world.ledger, tmp_path / "b", SPLIT, secret=7)
    with opened(url) as other:
        rows = everything(other)
        assert other.ledger.verify().difference is None
        branch(other.ledger, tmp_path / "c", SPLIT + 1, secret=8)
        assert other.send("On.")[0] == 200
    with opened(tmp_path / "b") as same:
        assert everything(same) == rows
    with opened(tmp_path / "c") as back:
        assert back.send("On.")[0] == 200
        assert back.ledger.verify().difference is None


@pytest.mark.parametrize("name", TIPS)
def test_a_story_of_an_earlier_release_branches(tmp_path: Path, name: str) -> None:
    """Its blocks of the index are made anew. What was begun under older rules is not played
    again."""
    put_golden(name, tmp_path / "old")
    with opened(tmp_path / "old") as world:
        beats, tip = world.ledger.tip()
        assert tip == TIPS[name]
        branch(world.ledger, tmp_path / "new", beats)
        with opened(tmp_path / "new") as other:
            other.ledger._database.submit(lambda connection: None).result()
            assert other.counts()["story_block"] == world.counts()["story_block"]
            assert other.rows("story_evidence") == world.rows("story_evidence")
            assert other.send("On.")[0] == 200
            assert other.ledger.verify(TIPS[name]).difference is None


def test_the_clock_goes_on_in_both(tmp_path: Path) -> None:
    wall = [1_000_000.0]
    config = StoryConfig(time=Time(mode="coupled"))
    writer = ScriptedWriter()
    with World(open_ledger(tmp_path / "a", config, writer, wall=lambda: wall[0]), writer) as world:
        world.send("One.")
        branch(world.ledger, tmp_path / "b", 1)
        wall[0] += 50
        world.send("Two.", request_id="two")
        other_writer = ScriptedWriter()
        ledger = open_ledger(tmp_path / "b", writer=other_writer, wall=lambda: wall[0])
        with World(ledger, other_writer) as other:
            other.send("Two.", request_id="two")
            assert other.ledger.head().beat == 3
            assert other.ledger.head().clock == world.ledger.head().clock


def test_the_original_may_go_on_while_it_is_copied(tmp_path: Path) -> None:
    with opened(tmp_path / "a", RANDOM_IDS) as world:
        for number in range(20):
            world.stream(f"{number}.")
        done = threading.Event()

        def talk() -> None:
            while not done.is_set():
                world.stream("Meanwhile.")

        talker = threading.Thread(target=talk)
        talker.start()
        try:
            for name in "bcd":
                branch(world.ledger, tmp_path / name, 20)
        finally:
            done.set()
            talker.join()
        for name in "bcd":
            with opened(tmp_path / name) as other:
                assert other.texts() == [f"{number}." for number in range(20)]
                assert other.ledger.verify().difference is None


# What goes wrong


def test_a_failure_leaves_no_story_and_the_original_as_it_was(
    fresh_url: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with told(fresh_url()) as world:
        before = everything(world)
        url = fresh_url()

        def cut_short(*_: object, **__: object) -> tuple[Any, ...]:
            raise UnavailableError("the disk is gone")

        with monkeypatch.context() as patch:
            patch.setattr(branch_beat_module, "beat_row", cut_short)
            with pytest.raises(UnavailableError):
                branch(world.ledger, url, SPLIT)
        with pytest.raises(ThorpError) as refused:
            open_ledger(url, create=False)
        assert refused.value.code == "no_story"
        assert everything(world) == before
        branch(world.ledger, url, SPLIT)
        with opened(url) as other:
            assert other.ledger.verify().difference is None


def test_a_story_is_not_written_over(tmp_path: Path) -> None:
    with opened(tmp_path / "a") as world, opened(tmp_path / "b") as other:
        world.stream("One.")
        other.stream("Another.")
        before = everything(other)
        for place in (tmp_path / "a", tmp_path / "b"):
            with pytest.raises(ConflictError) as refused:
                branch(world.ledger, place, 1)
            assert refused.value.code == "exists"
        assert everything(other) == before
    older = put_golden("layout 2", tmp_path / "old")
    before_it = _dump(older)
    with opened(tmp_path / "a") as world, pytest.raises(ConflictError):
        branch(world.ledger, tmp_path / "old", 1)
    assert _dump(older) == before_it


def _dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [*connection.iterdump()]


@pytest.mark.parametrize("beat", [-1, 2])
def test_a_beat_that_is_not_there_is_refused(tmp_path: Path, beat: int) -> None:
    with opened(tmp_path / "a") as world:
        world.stream("One.")
        with pytest.raises(InvalidError, match=r"the last beat is 1; there is no beat"):
            branch(world.ledger, tmp_path / "b", beat)
    assert not (tmp_path / "b").exists()


def test_forks_of_forks_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thorp.story.branches.BRANCHES_LIMIT", 2)
    with opened(tmp_path / "0") as world:
        world.stream("One.")
    for number in range(2):
        with opened(tmp_path / str(number)) as world:
            branch(world.ledger, tmp_path / str(number + 1), world.ledger.tip()[0])
    with opened(tmp_path / "2") as world:
        with pytest.raises(LimitError) as refused:
            branch(world.ledger, tmp_path / "3", world.ledger.tip()[0])
        assert refused.value.code == "branch_limit"
        branch(world.ledger, tmp_path / "3", 1)
    assert len(describe_of(tmp_path / "3")) == 1


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE story_branch SET secret = '-1'", "story_branch 2 has no secret"),
        ("UPDATE story_branch SET secret = x'ff'", "story_branch 2 has no secret"),
        (f"UPDATE story_branch SET secret = '{'9' * 5000}'", "story_branch 2 has no secret"),
        (
            "INSERT INTO story_branch WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 "
            "FROM n WHERE i < 1100) SELECT i, '1', NULL FROM n",
            None,
        ),
    ],
)
def test_a_branch_that_cannot_be_read_is_refused(
    tmp_path: Path, statement: str, named: str | None
) -> None:
    with opened(tmp_path / "a") as world:
        world.stream("One.")
        branch(world.ledger, tmp_path / "b", 1, at=AT)
    with opened(tmp_path / "b") as other:
        for _ in range(1100 if named is None else 0):
            other.respond("")
        tamper(other, statement, "story_branch")
    with pytest.raises(DamagedError) as refused:
        open_ledger(tmp_path / "b", create=False)
    assert (named or "more than 1000 rows in story_branch") in str(refused.value)


@pytest.mark.parametrize(
    "text", ["'{}'", "'[1'", "x'ff'", '\'{"tick":-1,"digest":"","world":"","fork":""}\'']
)
def test_a_fork_point_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    with opened(tmp_path / "a") as world:
        world.stream("One.")
        branch(world.ledger, tmp_path / "b", 1, at=AT)
    with opened(tmp_path / "b") as other:
        tamper(other, f"UPDATE story_branch SET fork_point = {text}", "story_branch")
        assert "story_branch 2 is not what beat 2 stored" in str(other.ledger.verify().difference)
        with pytest.raises(DamagedError, match="story_branch 2 has no fork point"):
            describe_branches(other.ledger)


def test_a_founding_that_was_made_up_or_taken_away_is_named(tmp_path: Path) -> None:
    """Who gives a beat of another kind a row of a branch, or a founding none, is found out even if
    every digest is right."""
    with opened(tmp_path) as world:
        world.stream("One.")

        def found_without_a_row(connection: Connection) -> None:
            branch_beat_module.found_branch(connection, world.ledger.config, 5, None)
            connection.execute("DROP TRIGGER story_branch_delete")
            connection.execute("DROP TRIGGER story_beat_update")

        world.ledger._database.submit(found_without_a_row).result()
    with opened(tmp_path) as world:
        assert world.ledger.verify().difference is None
        change(world, {"sqlite": "DELETE FROM story_branch"})
        assert "story_branch: a row that beat 2 stored is missing" in str(
            world.ledger.verify().difference
        )


# Real kills


@pytest.mark.parametrize("count", [KILLS, pytest.param(LONG_KILLS, marks=pytest.mark.long)])
def test_killed_while_it_branches(tmp_path: Path, count: int) -> None:
    """What was said to be a branch is one, what was not is a whole one or none, and the original is
    as it was."""
    home = tmp_path / "a"
    home.mkdir()
    data = Path(__file__).parents[1] / "golden" / "story-layout-1" / "story.db.gz"
    (home / "story.db").write_bytes(gzip.decompress(data.read_bytes()))
    with opened(home) as world:
        before = everything(world)
    random = Random(count)
    unfinished = 0
    for life in range(count):
        done = live_and_die(
            "tests.story.branch_child",
            str(home),
            str(tmp_path / f"life-{life}"),
            seconds=random.uniform(0, LONGEST_LIFE_S),
        )
        for place in sorted((tmp_path / f"life-{life}").iterdir()):
            if recorded_config(place) is None:
                assert place.name not in done
                unfinished += 1
                continue
            with open_ledger(place, create=False) as other:
                [split] = other.read(find_branches)
                assert split.beat == 43
                assert other.verify(TIPS["rules 2"]).difference is None
    assert unfinished <= count, "at most the last one of each life"
    with opened(home) as world:
        assert everything(world) == before
