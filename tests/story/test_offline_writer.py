"""The writer that needs no model: readable, the same every time, and nothing that was not told."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.story.world import World
from thorp.story import Part, StoryConfig, open_ledger
from thorp.story.writer import ScriptedWriter
from thorp.story.writer.session import NOTHING, QUIET, parse_words

TOLD = [
    "The lantern in the mill is lit.",
    "Rebecca said the ferry leaves at nine.",
    "When does the ferry leave?",
    "Is there any bread?",
    "",
    "I put the lantern out.",
    "Later that day the lantern burns again.",
    "Who lit the lantern?",
]
CHRONICLE = """\
> The lantern in the mill is lit.
Your words stand by themselves; nothing told before touches them.
> Rebecca said the ferry leaves at nine.
Your words stand by themselves; nothing told before touches them.
> When does the ferry leave?
The record answers from earlier today, at 07:32: “Rebecca said the ferry leaves at nine.”
> Is there any bread?
The question stands; nothing told before answers it.
> I put the lantern out.
Your words touch what was told earlier today, at 07:31: “The lantern in the mill is lit.”
> Later that day the lantern burns again.
Your words touch what was told earlier today, at 07:36: “I put the lantern out.”
> Who lit the lantern?
The record answers from earlier today, at 07:31: “The lantern in the mill is lit.”
"""


def chronicle(world: World) -> str:
    lines = []
    for entry in world.ledger.page("GEORGE", None, 500)["stream"]["entries"]:
        lines.append(("> " if entry["channel"] == "USER" else "") + entry["text"])
    return "\n".join(lines) + "\n"


def told(home: Path) -> World:
    world = World(open_ledger(home, StoryConfig(), "offline"), ScriptedWriter())
    for text in TOLD:
        assert world.send(text)[0] == 200
    return world


def test_it_reads_as_a_story_of_what_was_told(tmp_path: Path) -> None:
    with told(tmp_path) as world:
        assert chronicle(world) == CHRONICLE
        assert {*world.outcomes()} == {"ACCEPTED", "NO_WRITE"}


def test_every_quotation_stands_in_the_ledger(tmp_path: Path) -> None:
    with told(tmp_path) as world:
        spoken = [row[9] for row in world.rows("story_entry") if row[8] == "USER"]
        quoted = re.findall(r"“(.*?)”", chronicle(world))
        assert quoted
        assert all(quote in spoken for quote in quoted)


def test_what_may_not_be_written_is_not_quoted(tmp_path: Path) -> None:
    with World(open_ledger(tmp_path), ScriptedWriter()) as world:
        world.stream("Meanwhile the lantern glows, says the system prompt.")
        assert len(world.stream("Where is the lantern?")) == 1, "its only evidence cannot be quoted"
        assert world.outcome() == "NO_WRITE"


def test_long_words_and_days_ago(tmp_path: Path) -> None:
    with World(open_ledger(tmp_path), ScriptedWriter()) as world:
        world.stream("The heron " + "waits in the reeds " * 60)
        last = world.stream("Where is the heron?", declared="2026-02-03T10:00:00Z")[-1]["text"]
        assert "on 1 January 2026, at 07:31: “The heron waits" in last
        assert last.endswith(" …”")
        assert len(last) < 400
        world.stream("word " + " ".join(f"word{number}" for number in range(500)))
        assert world.outcome() == "ACCEPTED"


def test_what_quotes_a_private_entry_is_private(tmp_path: Path) -> None:
    config = StoryConfig(parts={"AS_REBECCA": Part("offline", view="REBECCA")})
    with World(open_ledger(tmp_path, config), ScriptedWriter()) as world:
        seed = {
            "request_id": "s",
            "author_id": "WORLD",
            "text": "The brass key is under the stone.",
        }
        world.ledger.seed({**seed, "visible_to": ["REBECCA"]})
        shown = world.stream("Where is the brass key?", invoker="AS_REBECCA")
        assert [each["text"] for each in shown] == ["Where is the brass key?"]
        assert world.outcome() == "ACCEPTED"
        assert "under the stone" not in json.dumps(world.ledger.page())
        assert "The record answers" in json.dumps(world.ledger.page("REBECCA"))


def test_one_persons_beat_is_that_persons(tmp_path: Path) -> None:
    config = StoryConfig(parts={"AS_REBECCA": Part("offline", view="REBECCA")})
    with World(open_ledger(tmp_path, config), ScriptedWriter()) as world:
        world.stream("The lantern is lit.")
        shown = world.stream("Who lit the lantern?", invoker="AS_REBECCA")
        assert [each["author_label"] for each in shown] == [None, "REBECCA"]


def test_times_are_told_by_the_clock_that_is_shown(tmp_path: Path) -> None:
    with World(open_ledger(tmp_path, StoryConfig(), "offline"), ScriptedWriter()) as world:
        _, body = world.send("The ferry has come.", declared="2026-06-30T23:20:00+00:00")
        assert body["pocket"]["clock"]["world_time"] == "2026-07-01T00:20:00+01:00"
        near = world.stream("Where is the ferry?", declared="2026-07-03T12:00:00+00:00")[-1]["text"]
        assert "on 1 July 2026, at 00:20: “The ferry has come.”" in near
        same = world.stream("I heard it come.", declared="2026-07-01T22:00:00+00:00")[-1]["text"]
        assert "earlier today, at 00:20: “The ferry has come.”" in same
    with World(open_ledger(tmp_path / "far", StoryConfig(), "offline"), ScriptedWriter()) as world:
        world.stream("The ferry has come.", declared="2026-06-30T23:20:00+00:00")
        far = world.stream("Where is the ferry?", zone="America/New_York")[-1]["text"]
        assert "earlier today, at 19:20: “The ferry has come.”" in far


@pytest.mark.parametrize("text", QUIET)
def test_known_words_of_silence_say_what_they_are_parsed_to(text: str) -> None:
    assert parse_words(text) == NOTHING
