"""`thorp story …` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.accidents import swap_indexes
from tests.story.cases.projection_cases import SEED
from tests.story.world import WatchedWriter, World, bundle, entry, tamper
from thorp.cli.story import app
from thorp.kernel.errors import ThorpError
from thorp.story import StoryConfig, open_ledger, read_bundle, read_projection


class Command:
    def __init__(self, home: Path) -> None:
        self.home = home

    def __call__(self, *arguments: str, code: int = 0, stdin: str = "") -> str:
        done = CliRunner().invoke(app, [*arguments, "--data", str(self.home)], input=stdin)
        assert done.exit_code == code, (done.output, done.exception)
        return done.stdout

    def refused(self, *arguments: str, stdin: str = "") -> ThorpError:
        done = CliRunner().invoke(app, [*arguments, "--data", str(self.home)], input=stdin)
        assert isinstance(done.exception, ThorpError), done.output
        return done.exception


@pytest.fixture
def story(tmp_path: Path) -> Command:
    return Command(tmp_path / "data")


def test_speak_and_look(story: Command) -> None:
    assert "2026-01-01 07:31  The ferry leaves at nine." in story(
        "beat", "The ferry leaves at nine."
    )
    said = story("beat", "When does the ferry leave?", "--request-id", "r2")
    assert "The record answers from earlier today, at 07:31" in said
    assert story("beat", "Other words.", "--request-id", "r2") == said
    shown = story("show")
    assert shown.count("\n") == 4
    assert story("show", "--limit", "1").count("\n") == 1
    body = json.loads(story("beat", "--json"))
    read_projection(body)
    assert body["debug"]["wrote"] is False
    page = json.loads(story("show", "--json", "--cursor", "c:00000003"))
    assert len(page["stream"]["entries"]) == 1


def test_declare_pause_and_zone(story: Command) -> None:
    arguments = ("--declare", "2026-07-01T12:00:00", "--zone", "Asia/Tokyo", "--pause", "--json")
    clock = json.loads(story("beat", "Noon.", *arguments))["pocket"]["clock"]
    assert clock == {"world_time": "2026-07-01T12:00:00+09:00", "timezone": "Asia/Tokyo"}
    assert json.loads(story("beat", "--json"))["pocket"]["clock"]["world_time"].startswith(
        "2026-07-01T04:00"
    )
    after = json.loads(story("beat", "--resume", "--json"))["pocket"]["clock"]["world_time"]
    assert after.startswith("2026-07-01T04:01")


def test_a_whole_envelope(story: Command, tmp_path: Path) -> None:
    envelope = {
        "request_id": "mine",
        "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
        "operator": {"operator_id": "GEORGE", "input_text": "Hello."},
        "mode": {"kind": "BEAT"},
    }
    body = json.loads(story("beat", "--envelope", "-", "--json", stdin=json.dumps(envelope)))
    assert body["request_id"] == "mine"
    file = tmp_path / "envelope.json"
    file.write_text(
        json.dumps({**envelope, "operator": {"operator_id": "NOBODY", "input_text": ""}})
    )
    error = story.refused("beat", "--envelope", str(file))
    assert "409" not in str(error)
    assert "400 Invalid operator_id at $.operator.operator_id" in str(error)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["beat", "--declare", "soon"], "400 Invalid declared_world_time"),
        (["beat", "--zone", "Mars/Base"], "400 Invalid timezone"),
        (["beat", "--writer", "poet"], "unknown writer"),
        (["show", "--as", "STRANGER"], "nobody of that name"),
        (["export", "--as", "REBECCA", "--all"], "not both"),
        (["pocket", "add"], "--title"),
        (["pocket", "add", "--title", "A", "--message", "B"], "--title"),
        (["pocket", "add", "--title", "Tea", "--text", "No such word."], "literal"),
        (["show", "--url", "sqlite:///x.db"], "not both"),
    ],
)
def test_refusals(story: Command, arguments: list[str], said: str) -> None:
    story("beat", "Hello.")
    before = story("export", "--all")
    assert said in str(story.refused(*arguments))
    assert story("export", "--all") == before


def test_entries_are_dated_by_the_clock_that_is_shown(story: Command) -> None:
    said = story("beat", "Midnight.", "--declare", "2026-06-30T23:20:00Z")
    assert "2026-07-01 00:20  Midnight." in said
    assert "2026-07-01 00:20  Midnight." in story("show")


def test_looking_makes_no_story(story: Command) -> None:
    for command in ("show", "verify", "export"):
        assert story.refused(command).code == "no_story"
    assert not story.home.exists()


def test_verify_names_a_changed_row(story: Command) -> None:
    story("beat", "Hello.")
    assert "all as the chain says" in story("verify", "--rebuild")
    found = json.loads(story("verify", "--json"))
    assert (found["beats"], found["difference"]) == (1, None)
    with World(open_ledger(story.home), WatchedWriter()) as world:
        tamper(world, "UPDATE story_entry SET text = 'Bye.' WHERE seq = 1", "story_entry")
    assert "damaged: story_entry 1" in story("verify", code=1)
    assert json.loads(story("verify", "--json", code=1))["difference"].startswith("story_entry 1")


def test_a_tip_that_was_noted_must_lie_on_the_chain(story: Command) -> None:
    story("beat", "Hello.")
    noted = json.loads(story("verify", "--json"))["tip"]
    story("beat", "And again.")
    assert "all as the chain says" in story("verify", "--rebuild", "--tip", noted.upper())
    assert "the tip you noted" in story("verify", "--tip", "ab" * 32, code=1)
    assert "64 hexadecimal digits" in str(story.refused("verify", "--tip", "abcd"))


def test_the_database_checks_itself(story: Command) -> None:
    story("beat", "Hello.")
    found = json.loads(story("verify", "--json"))
    assert (found["self_check"], found["difference"]) == ("integrity_check", None)
    swap_indexes(story.home / "story.db", "story_beat", "story_refresh")
    assert "damaged: " in story("verify", code=1)
    assert "story_" in json.loads(story("verify", "--json", code=1))["difference"]


def test_export(story: Command, tmp_path: Path) -> None:
    writer = WatchedWriter([bundle(entry("Hidden.", to=["REBECCA"])), bundle(entry("Open."))])
    with World(open_ledger(story.home, StoryConfig(), writer), writer) as world:
        world.stream("")
        world.stream("Hello.")
        tip = world.ledger.tip()[1]

    def lines(*arguments: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in story("export", *arguments).splitlines()]

    header, *bundles = lines()
    assert header == {"format": "thorp.story", "version": 1, "reader": "GEORGE"}
    assert [[each["text"] for each in line["entries"]] for line in bundles] == [["Hello.", "Open."]]
    for line in bundles:
        read_bundle(line, StoryConfig())
    assert len(lines("--as", "REBECCA")) == 3
    assert lines("--as", "PUBLIC")[1:] == bundles
    everything = lines("--all")
    assert [len(line["entries"]) for line in everything[1:]] == [1, 2]
    assert everything[-1]["link"] == tip
    file = tmp_path / "story.jsonl"
    assert story("export", "--out", str(file)) == ""
    assert [json.loads(line) for line in file.read_text("utf-8").splitlines()] == [header, *bundles]


def test_the_pocket(story: Command, tmp_path: Path) -> None:
    story(
        "pocket",
        "add",
        "--title",
        "Tea",
        "--time",
        "2026-01-02T16:00:00Z",
        "--location",
        "the Crown",
    )
    story("pocket", "add", "--message", "Come soon.", "--author", "REBECCA", "--request-id", "m1")
    story("pocket", "add", "--message", "Come soon.", "--author", "REBECCA", "--request-id", "m1")
    story("pocket", "add", "--title", "A secret", "--to", "REBECCA", "--author", "REBECCA")
    pocket = json.loads(story("pocket", "show", "--json"))
    assert [item["title"] for item in pocket["calendar"]["items"]] == ["Tea"]
    assert [item["from"] for item in pocket["messages"]["items"]] == ["REBECCA"]
    shown = story("pocket", "show", "--as", "REBECCA")
    assert "A secret" in shown
    assert "Tea, the Crown" in shown
    assert "Tea. the Crown" in story("show")
    seeds = tmp_path / "seeds.jsonl"
    seeds.write_text(
        json.dumps(SEED) + "\n\n" + json.dumps({**SEED, "request_id": "seed-2"}) + "\n"
    )
    assert story("pocket", "load", str(seeds)).count("kept as b:") == 2
    assert story("pocket", "load", str(seeds)).count("kept as b:") == 2
    titles = [
        item["title"] for item in json.loads(story("pocket", "show", "--json"))["calendar"]["items"]
    ]
    assert titles.count("Supper with Rebecca") == 2
    assert "line 1" in str(story.refused("pocket", "load", "-", stdin="{nonsense"))


def test_a_configuration_from_a_file(story: Command, tmp_path: Path) -> None:
    file = tmp_path / "story.toml"
    file.write_text('people_open = true\n[identity]\noperator_id = "ALEX"\n')
    story("beat", "Hello.", "--config", str(file))
    story("beat", "Hello again.")
    assert '"author_id":"ALEX"' in story("export")
    other = tmp_path / "other.json"
    other.write_text("{}")
    assert story.refused("beat", "--config", str(other)).code == "config"
    other.write_text("{")
    assert story.refused("beat", "--config", str(other)).code == "config"
