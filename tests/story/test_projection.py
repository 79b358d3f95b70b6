"""What a reader gets is what filtering every entry by hand gives; cursors only cut it into pages."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.story.world import World, bundle, entry, voice
from thorp.kernel.errors import InvalidError
from thorp.store import Connection
from thorp.story import Person, StoryConfig, open_ledger
from thorp.story.config import Stream
from thorp.story.contracts.write_bundle import entry_of
from thorp.story.ids import IdGenerator
from thorp.story.ledger import RealityLedger
from thorp.story.tables import Tables
from thorp.story.writer import ScriptedWriter

PEOPLE = (Person("REBECCA", label="Rebecca of the ferry"), Person("WREN"))
EVERYBODY = ["GEORGE", "REBECCA", "WREN", "SYSTEM_INVOKER"]
eyes = st.lists(st.sampled_from(EVERYBODY), unique=True, max_size=3)
beats = st.lists(
    st.tuples(st.lists(eyes, max_size=4), st.sampled_from([None, None, "2020-01-01T00:00:00Z"])), max_size=8
)


@settings(max_examples=20)
@given(beats, st.integers(1, 7))
def test_pages_are_a_partition_of_what_is_visible(
    script: list[tuple[list[list[str]], str | None]], size: int
) -> None:
    lines: list[Any] = [
        bundle(*(entry(f"Said {number}.{at}", to=to) for at, to in enumerate(seen)))
        if seen
        else {"no_write": {}}
        for number, (seen, _) in enumerate(script)
    ]
    config = StoryConfig(people=PEOPLE, ids="sequential", stream=Stream(page_size=50))
    with tempfile.TemporaryDirectory() as home:
        writer = ScriptedWriter(lines)
        with World(open_ledger(Path(home), config, writer), writer) as world:
            for number, (_, declared) in enumerate(script):
                assert world.send(f"Beat {number}.", declared=declared)[0] == 200
            rows = sorted(world.rows("story_entry"))
            for reader in (*EVERYBODY, "WORLD", None):
                visible = [row[1] for row in rows if row[6] == "PUBLIC" or f'"{reader}"' in row[7]]
                pages, cursor = [], None
                while entries := (page := world.ledger.page(reader, cursor, size)["stream"])["entries"]:
                    assert page["cursor_before"] == cursor
                    times = [each["created_at_world"] for each in entries]
                    assert times == sorted(times)
                    pages.append(sorted(each["entry_id"] for each in entries))
                    cursor = page["cursor_after"]
                assert pages == [visible[at : at + size] for at in range(0, len(visible), size)]
            assert world.ledger.verify().difference is None


def test_labels_and_limits(tmp_path: Path) -> None:
    config = StoryConfig(people=PEOPLE, stream=Stream(page_size=2, pocket_available=False))
    writer = ScriptedWriter([bundle(voice(), entry(), entry("Hm.", author="WREN"))])
    with World(open_ledger(tmp_path, config, writer), writer) as world:
        labels = [each["author_label"] for each in world.stream()]
        assert labels == [None, None, "Rebecca of the ferry", "WREN"], "a beat shows all its own entries"
        assert len(world.ledger.page("GEORGE", None, 100)["stream"]["entries"]) == 2
        assert world.ledger.page()["pocket"]["is_available"] is False
        for wrong in (0, -1, True, "5"):
            with pytest.raises(InvalidError):
                world.ledger.page("GEORGE", None, wrong)  # type: ignore[arg-type]


def test_a_beat_that_is_far_behind_gets_one_page(tmp_path: Path) -> None:
    writer = ScriptedWriter()
    config = StoryConfig(stream=Stream(page_size=3))
    with World(open_ledger(tmp_path, config, writer), writer) as world:
        for number in range(5):
            world.send(f"Beat {number}.")
        body = world.send("Late.", cursor="c:00000001")[1]["stream"]
        assert [each["text"] for each in body["entries"]] == ["Beat 1.", "Beat 2.", "Beat 3."]
        rest = world.refresh(body["cursor_after"])["stream"]["entries"]
        assert [each["text"] for each in rest] == ["Beat 4.", "Late."]


class _Undone(Exception):
    """Takes back what a work did."""


@settings(max_examples=20)
@given(st.lists(eyes, max_size=4), st.lists(eyes, max_size=4))
def test_what_a_beat_shows_of_itself_is_what_is_stored(before: list[list[str]], new: list[list[str]]) -> None:
    """The answer to a beat is made from its rows as they were handed to the tables, not read back."""
    config = StoryConfig(people=PEOPLE, ids="sequential")
    entries = [
        entry_of("r", "", "REBECCA", "PERSON", "PEOPLE", f"New {at}.", to) for at, to in enumerate(new)
    ]

    def work(connection: Connection) -> None:
        tables = Tables(connection, config)
        ledger = RealityLedger(tables, config, IdGenerator(config, 1))
        ledger.append_bundle(ledger.head(), entries, 0, {"engine": "ENGINE", "actor": "REBECCA"})
        for reader in (None, *EVERYBODY):
            for place in range(len(before) + len(new) + 2):
                for limit in (1, 2, 100):
                    shown = ledger.visible(reader, place, limit)
                    assert shown == tables.visible(reader, place, limit)
        raise _Undone

    with tempfile.TemporaryDirectory() as home:
        writer = ScriptedWriter([bundle(*(entry(to=to) for to in before))] if before else [])
        with World(open_ledger(Path(home), config, writer), writer) as world:
            assert world.send("")[0] == 200
            with pytest.raises(_Undone):
                world.ledger._database.submit(work).result()
