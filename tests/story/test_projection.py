"""What a reader gets is what filtering every entry by hand gives; cursors only cut it into
pages."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.story.world import World, bundle, entry, voice
from thorp.kernel.errors import InvalidError
from thorp.store import Connection
from thorp.story import Person, StoryConfig, open_ledger
from thorp.story.config import Stream, Writing
from thorp.story.contracts.write_bundle import entry_of
from thorp.story.ids import IdGenerator
from thorp.story.ledger import RealityLedger
from thorp.story.tables import Tables
from thorp.story.writer import ScriptedWriter

PEOPLE = (Person("REBECCA", label="Rebecca of the ferry"), Person("WREN"))
EVERYBODY = ["GEORGE", "REBECCA", "WREN", "SYSTEM_INVOKER"]
TIMES = ("2020-01-01T00:00:00Z", "2023-01-01T00:00:00Z", "2026-01-01T07:30:00Z")
eyes = st.lists(st.sampled_from(EVERYBODY), unique=True, max_size=3)
beats = st.lists(
    st.tuples(st.lists(eyes, max_size=4), st.sampled_from([None, None, *TIMES])), max_size=8
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
            instants = {row[1]: row[3] for row in rows}
            for reader in (*EVERYBODY, "WORLD", None):
                visible = [row[1] for row in rows if row[6] == "PUBLIC" or f'"{reader}"' in row[7]]
                pages, cursor = [], None
                while entries := (page := world.ledger.page(reader, cursor, size)["stream"])[
                    "entries"
                ]:
                    assert page["cursor_before"] == cursor
                    times = [each["created_at_world"] for each in entries]
                    assert times == sorted(times)
                    pages.append([each["entry_id"] for each in entries])
                    cursor = page["cursor_after"]
                ordered = sorted(
                    visible, key=lambda entry_id: (instants[entry_id], visible.index(entry_id))
                )
                assert pages == [ordered[at : at + size] for at in range(0, len(visible), size)]
            assert world.ledger.verify().difference is None


def pages_of(world: World, size: int, cursor: str | None = None) -> Iterator[dict[str, Any]]:
    """The pages of the operator, one after the other."""
    while (page := world.ledger.page("GEORGE", cursor, size)["stream"])["entries"]:
        yield page
        cursor = page["cursor_after"]


def test_what_comes_while_a_reader_pages_is_delivered_after_the_rest_and_once(
    tmp_path: Path,
) -> None:
    writer = ScriptedWriter()
    with World(open_ledger(tmp_path, StoryConfig(ids="sequential"), writer), writer) as world:
        for number in range(6):
            world.send(f"Now {number}.")
        world.send("Long ago.", declared="2020-01-01T00:00:00Z")
        pages = pages_of(world, 3)
        first = next(pages)
        assert [each["text"] for each in first["entries"]] == ["Long ago.", "Now 0.", "Now 1."]
        assert first["cursor_after"] == "c:00000000-00000007-00000002"
        world.send("Longer ago.", declared="2010-01-01T00:00:00Z")
        texts = [[each["text"] for each in page["entries"]] for page in pages]
        assert texts == [["Now 2.", "Now 3.", "Now 4."], ["Now 5."], ["Longer ago."]]
        assert world.ledger.page("GEORGE", "c:00000008", 3)["stream"]["entries"] == []


def test_a_cursor_of_a_chain_that_makes_no_sense_counts_as_none(tmp_path: Path) -> None:
    writer = ScriptedWriter()
    with World(open_ledger(tmp_path, StoryConfig(ids="sequential"), writer), writer) as world:
        for number in range(4):
            world.send(f"Beat {number}.")
        for numbers in ((0, 9, 1), (2, 4, 2), (0, 2, 3), (3, 2, 1), (0, 0, 0)):
            cursor = "c:" + "-".join(f"{each:08d}" for each in numbers)
            page = world.ledger.page("GEORGE", cursor, 10)["stream"]
            assert (page["cursor_before"], len(page["entries"])) == (None, 4), cursor
        at_the_end = "c:00000000-00000004-00000004"
        page = world.ledger.page("GEORGE", at_the_end, 10)["stream"]
        assert page == {"cursor_before": at_the_end, "cursor_after": at_the_end, "entries": []}


@pytest.mark.parametrize("size", [100, 499])
def test_the_order_of_world_time_holds_across_blocks_of_the_index(
    tmp_path: Path, size: int
) -> None:
    """Entries to others stand between, and the clock is set back in the middle of a block."""
    hours = [("2026", 1), ("2020", 2), ("2031", 3), ("2020", 4), ("2019", 5), ("2031", 6)]
    lines = [
        bundle(
            *(voice(f"{year} {n}.{at}", to=["REBECCA"] if at % 9 == 0 else []) for at in range(450))
        )
        for year, n in hours
    ]
    config = StoryConfig(ids="sequential", writing=Writing(max_entries=500))
    writer = ScriptedWriter(lines)
    with World(open_ledger(tmp_path, config, writer), writer) as world:
        for year, _ in hours:
            assert world.send("", declared=f"{year}-01-01T00:00:00Z")[0] == 200
        rows = sorted(world.rows("story_entry"), key=lambda row: (row[3], row[0]))
        ordered = [row[1] for row in rows if row[6] == "PUBLIC"]
        found = [each["entry_id"] for page in pages_of(world, size) for each in page["entries"]]
        assert found == ordered
        assert len(ordered) == 6 * 400


def test_labels_and_limits(tmp_path: Path) -> None:
    config = StoryConfig(people=PEOPLE, stream=Stream(page_size=2, pocket_available=False))
    writer = ScriptedWriter([bundle(voice(), entry(), entry("Hm.", author="WREN"))])
    with World(open_ledger(tmp_path, config, writer), writer) as world:
        labels = [each["author_label"] for each in world.stream()]
        assert labels == [None, None, "Rebecca of the ferry", "WREN"], (
            "a beat shows all its own entries"
        )
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
def test_what_a_beat_shows_of_itself_is_what_is_stored(
    before: list[list[str]], new: list[list[str]]
) -> None:
    """The answer to a beat is made from its rows as they were handed to the tables, not read
    back."""
    config = StoryConfig(people=PEOPLE, ids="sequential")
    entries = [
        entry_of(
            "r",
            "",
            author_id="REBECCA",
            author_class="PERSON",
            channel="PEOPLE",
            text=f"New {at}.",
            visible_to=to,
        )
        for at, to in enumerate(new)
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
