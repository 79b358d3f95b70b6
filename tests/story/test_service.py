"""The ledger as a whole: who writes for whom, who registers, who hears of news, and several at
once."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import Cluster
from tests.story.world import WatchedWriter, World, bundle, entry, question, voice
from thorp.kernel.errors import ConflictError, IllegalError, InvalidError
from thorp.store import open_database
from thorp.story import Part, Person, StoryConfig, open_ledger, read_config, tables
from thorp.story.config import Identities, Time, config_text
from thorp.story.inverted_index import BLOCK_ENTRIES
from thorp.story.readers_writer_lock import ReadersWriterLock
from thorp.story.writer import Moment, ScriptedWriter, Words

SEQUENTIAL = StoryConfig(ids="sequential")


class SlowWriter(ScriptedWriter):
    """A writer that works outside of any transaction."""

    calls_out = True


def world_at(
    home: Path | str, config: StoryConfig | None = None, lines: Any = (), **options: Any
) -> World:
    writer = options.pop("writer", None) or WatchedWriter(lines)
    return World(open_ledger(home, config or SEQUENTIAL, writer, **options), writer)


def test_the_writer_of_a_beat_follows_from_its_invoker(tmp_path: Path) -> None:
    config = StoryConfig(
        people=(Person("REBECCA"), Person("WREN")),
        parts={"WORLD_CHRONICLE": Part("chronicle"), "AS_WREN": Part("wren", view="WREN")},
    )
    chronicle = WatchedWriter([bundle(voice("A wall was built."), actor="WORLD")])
    wren = WatchedWriter([bundle(entry("I whistle.", author="WREN"), actor="WREN")] * 2)
    writers = {"chronicle": chronicle, "wren": wren}
    with world_at(
        tmp_path, config, [bundle(entry("For Wren.", to=["WREN"]))], writers=writers
    ) as world:
        world.stream("Hello.")
        told = world.stream("", invoker="WORLD_CHRONICLE")
        assert [each["text"] for each in told] == ["A wall was built."]
        assert [each["text"] for each in world.stream("", invoker="AS_WREN")] == ["I whistle."]
        world.stream("", invoker="AS_WREN")
        assert (world.writer.calls, chronicle.calls, wren.calls) == (1, 1, 2)
        assert "For Wren." in wren.texts[0]
        assert "For Wren." not in chronicle.texts[0]
        wren.script([bundle(entry("She nods.")), bundle(voice(), actor="WREN")])
        assert world.stream("", invoker="AS_WREN") == []
        assert world.outcome() == "REJECTED VIEW_MIXING"


def test_a_part_needs_a_writer_that_exists(tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="unknown writer"):
        open_ledger(tmp_path, StoryConfig(parts={"X": Part("nobody")}))
    with pytest.raises(InvalidError, match="unknown view"):
        StoryConfig(parts={"X": Part("offline", view="NOBODY")})


def test_new_people_register_where_a_story_is_open(tmp_path: Path) -> None:
    lines = [
        bundle(entry("I come.", author="MIRREN"), actor="MIRREN"),
        bundle(entry("Psst.", to=["ANSEL"])),
        bundle(entry("As the world?", author="PUBLIC"), actor="PUBLIC"),
        bundle(entry("A view?", author="X_VIEW"), actor="X_VIEW"),
        bundle(entry("Spaces?", author="A B"), actor="A B"),
        bundle(entry("The world, nearly?", author="World"), actor="World"),
        bundle(entry("To nearly the operator.", to=["george"])),
        bundle(entry("Nearly public.", author="Public"), actor="Public"),
    ]
    config = StoryConfig(people_open=True, ids="sequential")
    with world_at(tmp_path, config, lines) as world:
        for _ in range(2):
            world.stream()
        assert [row[0] for row in world.rows("story_person")] == ["ANSEL", "MIRREN"]
        texts = [each["text"] for each in world.ledger.page("ANSEL")["stream"]["entries"]]
        assert "Psst." in texts
        world.writer.script([*lines[2:], {"no_write": {}}])
        for _ in range(4):
            world.stream()
        assert len(world.rows("story_person")) == 2
        world.writer.script(
            [question("psst", actor="ANSEL"), lambda moment: found.append(moment.results)]
        )
        found: list[Any] = []
        world.stream()
        assert found[0][0]["results"][0]["verbatim_excerpt"] == "Psst."
        assert world.ledger.verify().difference is None
    with world_at(tmp_path / "closed", None, lines[:1] * 2) as world:
        world.stream("")
        assert world.outcome() == "REJECTED AUTHOR_PAIRING"


def test_a_ledger_keeps_the_configuration_it_was_founded_with(tmp_path: Path) -> None:
    founded = StoryConfig(identity=Identities(operator_id="ALEX"), time=Time(beat_step_seconds=5))
    with open_ledger(tmp_path, founded) as ledger:
        assert ledger.config == founded
    with open_ledger(tmp_path) as ledger:
        assert ledger.config == founded, "without one, the recorded one holds"
    for other in (StoryConfig(), StoryConfig(identity=founded.identity)):
        with pytest.raises(ConflictError, match=r"another configuration: .*time"):
            open_ledger(tmp_path, other)
    assert read_config(json.loads(config_text(founded))) == founded


@pytest.mark.parametrize(
    "wrong",
    [
        {"identity": {"operator_id": "WORLD"}},
        {"identity": {"view_suffix": ""}},
        {"identity": {"invoker_allowlist": ["GEORGE"]}},
        {"identity": {"invoker_allowlist": ["George"]}},
        {"identity": {"invoker_allowlist": ["\uff27EORGE"]}},
        {"identity": {"system_actor": "george"}},
        {"people": [{"person_id": "World"}]},
        {"parts": {"A B": {"writer": "offline"}}},
        {"people": [{"person_id": "A"}, {"person_id": "A"}]},
        {"people": [{"person_id": "A_VIEW"}]},
        {"people": [{"person_id": "a b"}]},
        {"people": [{"person_id": "x" * 65}]},
        {"context": {"budget": 10}},
        {"context": {"ratio_percent": 101}},
        {"context": {"empty_scene": ""}},
        {"time": {"beat_step_seconds": -1}},
        {"time": {"mode": "sundial"}},
        {"tools": {"max_limit": 0}},
        {"writing": {"max_attempts": 0}},
        {"stream": {"page_size": 0}},
        {"unknown": 1},
        {"people": "REBECCA"},
        [],
    ],
)
def test_a_configuration_that_makes_no_sense_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidError):
        read_config(wrong)


def test_a_zone_this_machine_does_not_know_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="tzdata"):
        open_ledger(tmp_path, StoryConfig(time=Time(default_timezone="Mars/Base")))


def test_readers_hear_of_new_beats(tmp_path: Path) -> None:
    with world_at(tmp_path) as world:
        heard: list[int] = []
        with world.ledger.watched(lambda: heard.append(1)):
            world.send(request_id="once")
            assert heard == [1]
            world.send(request_id="once")
            world.refresh()
        assert heard == [1], "neither a replay nor a refresh is news"
        world.send()
        assert heard == [1], "nor is anything to those who watch no more"


def test_quick_and_slow_beats_do_not_cross(tmp_path: Path) -> None:
    config = StoryConfig(ids="sequential", parts={"SLOW": Part("slow")})
    slow = SlowWriter(iter(lambda: bundle(voice(), entry()), None))
    with world_at(tmp_path, config, writer=ScriptedWriter(), writers={"slow": slow}) as world:
        answers: list[int] = []

        def tell(invoker: str, count: int) -> None:
            answers.extend(
                world.send(f"{invoker} speaks.", invoker=invoker)[0] for _ in range(count)
            )

        threads = [threading.Thread(target=tell, args=["SLOW", 5]) for _ in range(2)]
        threads += [threading.Thread(target=tell, args=["QUICK", 10]) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == [200] * 40
        assert world.ledger.verify().difference is None
        assert len(world.texts()) == 10 * 3 + 30


def test_two_processes_on_one_ledger(tmp_path: Path) -> None:
    """Two ledgers on one database are what two processes are; a slow beat that lost the race is
    redone."""
    other: list[World] = []

    class Raced(SlowWriter):
        def write(self, moment: Moment) -> Words:
            if self.calls < 2:
                assert other[0].send("I was first.", request_id=f"other-{self.calls}")[0] == 200
            return super().write(moment)

    raced = Raced(iter(lambda: bundle(voice("At last.")), None))
    with (
        world_at(tmp_path, writer=raced) as world,
        world_at(tmp_path, writer=ScriptedWriter()) as second,
    ):
        other.append(second)
        assert [each["text"] for each in world.stream("Hello.")] == ["Hello.", "At last."]
        assert raced.calls == 3
        assert world.texts() == ["I was first.", "I was first.", "Hello.", "At last."]
        assert world.ledger.verify().difference is None


def test_a_world_that_never_stands_still_is_busy(tmp_path: Path) -> None:
    other: list[World] = []

    class Outrun(SlowWriter):
        def write(self, moment: Moment) -> Words:
            other[0].send("Faster.", request_id=f"other-{self.calls}")
            return super().write(moment)

    with (
        world_at(tmp_path, writer=Outrun()) as world,
        world_at(tmp_path, writer=ScriptedWriter()) as second,
    ):
        other.append(second)
        assert world.send("Hello.") == (503, {"error": "World busy"})
        assert "Hello." not in world.texts()


def test_the_same_slow_request_twice_at_once(tmp_path: Path) -> None:
    class Thinking(SlowWriter):
        def write(self, moment: Moment) -> Words:
            time.sleep(0.05)
            return super().write(moment)

    writer = Thinking([bundle(voice())])
    with world_at(tmp_path, writer=writer) as world:
        envelope, bodies = world.envelope(), []
        threads = [
            threading.Thread(target=lambda: bodies.append(world.ledger.respond(envelope).body))
            for _ in range(5)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert (len(set(bodies)), writer.calls, world.bundles()) == (1, 1, 1)


def test_a_client_that_vanishes_leaves_a_whole_beat(tmp_path: Path) -> None:
    """Nobody waits for the answer; the beat is there all the same, and its id gives the answer."""
    writer = SlowWriter([bundle(voice())])
    with world_at(tmp_path, writer=writer) as world:
        gone = threading.Thread(
            target=world.ledger.respond, args=[world.envelope(request_id="gone")]
        )
        gone.start()
        gone.join()
        answer = world.respond(request_id="gone")
        assert (answer.replayed, len(json.loads(answer.body)["stream"]["entries"])) == (True, 2)


def test_a_writer_that_breaks_breaks_nothing(tmp_path: Path) -> None:
    def broken(moment: Moment) -> Any:
        raise ZeroDivisionError("oops")

    with world_at(tmp_path, None, [broken, broken, "\ud800", '{"no_write": {}}']) as world:
        assert [each["text"] for each in world.stream()] == ["Hello."]
        assert world.outcome() == "FAILED"
        assert [each["text"] for each in world.stream()] == ["Hello."]
        assert world.ledger.verify().difference is None


def test_words_that_no_database_keeps(tmp_path: Path) -> None:
    strange = "a\x00b \ud800"
    lines = [
        bundle(entry(strange)),
        bundle(entry(), actor=strange),
        bundle(entry(author=strange)),
        bundle(entry(to=[strange])),
        question(strange),
        question("x", name=strange),
        question("x", person=strange),
        {"tool_request": {strange: strange}},
        {"no_write": {strange: 1}},
        strange,
    ]
    with world_at(tmp_path, None, [line for line in lines for _ in range(2)]) as world:
        for _ in range(12):
            assert world.send("")[0] == 200
        assert world.texts() == []
        assert world.ledger.verify().difference is None


def test_frozen_reality_has_no_writer(tmp_path: Path) -> None:
    config = StoryConfig(ids="sequential", time=Time(pause_policy="FREEZE_REALITY"))
    with world_at(tmp_path, config, [bundle(voice())] * 3) as world:
        assert [each["text"] for each in world.stream(pause=True)] == ["Hello."]
        assert (world.outcome(), world.writer.calls) == ("ASLEEP", 0)
        assert len(world.stream(pause=False)) == 2


def test_a_closed_ledger_says_so(tmp_path: Path) -> None:
    world = world_at(tmp_path)
    world.ledger.close()
    world.ledger.close()
    with pytest.raises(IllegalError, match="closed"):
        world.send()


def test_a_missing_story_is_not_made_by_looking(tmp_path: Path) -> None:
    with pytest.raises(IllegalError, match="no story here"):
        open_ledger(tmp_path / "nowhere", create=False)
    assert not (tmp_path / "nowhere").exists()
    open_database(f"sqlite:///{tmp_path}/empty.db").close()
    with pytest.raises(IllegalError, match="no story in this database"):
        open_ledger(f"sqlite:///{tmp_path}/empty.db", create=False)


def test_blocks_that_a_crash_left_unindexed_are_indexed_later(tmp_path: Path) -> None:
    lines = [bundle(*(voice(f"Bell {n}.") for n in range(32)))] * 33
    with world_at(tmp_path, None, lines) as world:
        for _ in range(32):
            world.send("")
        world.ledger._database.submit(lambda connection: None).result()
        assert len(world.rows("story_block")) == BLOCK_ENTRIES // 1024
        world.ledger._database.submit(
            lambda connection: connection.execute("DELETE FROM story_block")
        ).result()
        world.ledger._database.submit(
            lambda connection: connection.execute("DELETE FROM story_posting")
        ).result()
    with world_at(tmp_path) as world:
        world.ledger._database.submit(lambda connection: None).result()
        assert len(world.rows("story_block")) == 1
        assert world.ledger.verify().difference is None


def test_a_waiting_writer_goes_before_later_readers() -> None:
    lock, log = ReadersWriterLock(), []

    def exclusive() -> None:
        with lock.exclusive():
            log.append("exclusive")

    def shared() -> None:
        with lock.shared():
            log.append("shared")

    with lock.shared():
        first = threading.Thread(target=exclusive)
        first.start()
        while not lock._writers_waiting:
            time.sleep(0.001)
        second = threading.Thread(target=shared)
        second.start()
        time.sleep(0.02)
        assert log == [], "a waiting writer goes before readers that come later"
    first.join()
    second.join()
    assert sorted(log) == ["exclusive", "shared"]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.real("postgresql"))])
def either_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/story.db"
    cluster: Cluster = request.getfixturevalue("postgres")
    return cluster.make_schema()


def test_the_last_request_of_a_kind(either_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "BEATS_AT_ONCE", 2)
    with world_at(either_url) as world:
        assert world.ledger.last_sealed("a:") is None
        for name in ("a:7", "b:1", "a:3", "B:9", "c", "c2", "c3", "c4"):
            world.send("", request_id=world.ledger.sealed_request(name))
        for forged in ("a:9", f"a:9:{'0' * 32}", world.ledger.sealed_request("a:9")[:-1]):
            world.send("", request_id=forged)
        found = [world.ledger.last_sealed(prefix) for prefix in ("a:", "b:", "a:7", "x", "")]
        assert found == ["a:3", "b:1", "a:7", None, "c4"]


def test_who_may_be_listed(either_url: str) -> None:
    lines = [bundle(entry("Psst.", to=["ANSEL"]))]
    with world_at(either_url, StoryConfig(people_open=True), lines) as world:
        world.send("")
        asked = [
            "GEORGE",
            "SYSTEM_INVOKER",
            "REBECCA",
            "ANSEL",
            "NEWCOMER",
            "WORLD",
            "PUBLIC",
            "X_VIEW",
            "no way",
        ]
        assert world.ledger.admitted(asked) == {*asked[:5]}


def test_nobody_new_may_be_listed_where_a_story_is_closed(tmp_path: Path) -> None:
    with world_at(tmp_path) as world:
        assert world.ledger.admitted(["REBECCA", "ANSEL", "GEORGE"]) == {"REBECCA", "GEORGE"}
