"""Search finds what looking at every entry finds, in the same order."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.postgres import Cluster
from tests.story.memory_store import MemoryStore
from tests.story.world import World, bundle, change, entry, voice
from thorp.story import StoryConfig, open_ledger
from thorp.story.config import Writing
from thorp.story.inverted_index import (
    BLOCK_ENTRIES,
    bitmap,
    bits_with_count,
    block_postings,
    count_planes,
)
from thorp.story.retrieval import Retrieval, TimeSpan
from thorp.story.storage import EntryRow
from thorp.story.tables import SnapshotReads, Tables, index_full_blocks
from thorp.story.text import LONGEST_WORD, STOP_WORDS, excerpt, shared_words, words_of
from thorp.story.writer import ScriptedWriter

CONFIG = StoryConfig()
VOCABULARY = ["red", "lamp", "oil", "Straße", "ferry", "the", "and", "bell", "x" * 100, "naïve"]
RARE = "quill"
EYES = [[], [], [], ["REBECCA"], ["GEORGE"], ["REBECCA", "GEORGE"]]


def make_rows(seed: int, count: int, disorder: float) -> list[EntryRow]:
    draw = random.Random(seed)
    rows, instant = [], 1_000_000
    for seq in range(1, count + 1):
        instant = (
            draw.randrange(2_000_000)
            if draw.random() < disorder
            else instant + draw.choice([0, 0, 7])
        )
        to = draw.choice(EYES)
        text = " ".join(
            draw.choices(VOCABULARY, weights=[1 / n for n in range(1, 11)], k=draw.randrange(1, 6))
        )
        text += f" {RARE}" if draw.random() < 0.01 else ""
        rows.append(
            EntryRow(
                seq,
                f"e:{seq}",
                f"b:{seq // 3}",
                instant,
                draw.choice(["GEORGE", "REBECCA", "WORLD"]),
                "PERSON",
                "PRIVATE" if to else "PUBLIC",
                json.dumps(to),
                "PEOPLE",
                text,
            )
        )
    return rows


def by_looking(
    rows: list[EntryRow],
    reader: str | None,
    question: str,
    limit: int,
    window: TimeSpan,
    author: str | None,
) -> list[int]:
    wanted = set(words_of(question))
    hits = []
    for row in rows:
        shared = len(wanted & set(words_of(row.text)))
        seen = row.scope == "PUBLIC" or reader in (row.visible_to or ())
        if shared and seen and window.has(row.instant) and author in (None, row.author_id):
            hits.append((shared, row.instant, row.seq))
    return [seq for *_, seq in sorted(hits, reverse=True)[:limit]]


questions = st.lists(st.sampled_from([*VOCABULARY, RARE]), min_size=1, max_size=6).map(" ".join)
readers = st.sampled_from([None, "REBECCA", "GEORGE", "WREN"])
windows = st.builds(
    TimeSpan, st.none() | st.integers(0, 2_000_000), st.none() | st.integers(1_000_000, 2_100_000)
)
WORLDS = {
    (count, disorder): MemoryStore(make_rows(count, count, disorder))
    for count in (0, 30, BLOCK_ENTRIES, BLOCK_ENTRIES * 2 + 77)
    for disorder in (0.0, 0.02, 1.0)
}


@given(
    st.sampled_from(sorted(WORLDS)),
    questions,
    readers,
    windows,
    st.sampled_from([1, 3, 20, 50]),
    st.sampled_from([None, None, "REBECCA"]),
)
def test_search_equals_looking_at_everything(
    which: tuple[int, float],
    question: str,
    reader: str | None,
    window: TimeSpan,
    limit: int,
    author: str | None,
) -> None:
    store = WORLDS[which]
    found = Retrieval(store, CONFIG).search(  # type: ignore[arg-type]
        reader, question, limit=limit, window=window, author=author
    )
    assert [each.row.seq for each in found] == by_looking(
        store.rows, reader, question, limit, window, author
    )
    assert all(each.excerpt in each.row.text for each in found)


@given(
    st.sampled_from(sorted(WORLDS)), readers, st.sampled_from([None, "REBECCA"]), st.integers(1, 60)
)
def test_the_latest_of_an_author(
    which: tuple[int, float], reader: str | None, author: str | None, limit: int
) -> None:
    store = WORLDS[which]
    found = Retrieval(store, CONFIG).latest(reader, limit=limit, author=author)  # type: ignore[arg-type]
    seen = [
        row
        for row in store.rows
        if (row.scope == "PUBLIC" or reader in (row.visible_to or ()))
        and author in (None, row.author_id)
    ]
    by_time = seen if author is None else sorted(seen, key=lambda row: (row.instant, row.seq))
    assert found == sorted(by_time[-limit:])


@given(st.lists(st.sets(st.integers(0, 70)), max_size=12))
def test_planes_add_up(sets: list[set[int]]) -> None:
    planes = count_planes([sum(1 << bit for bit in each) for each in sets])
    everything = (1 << 71) - 1
    for count in range(len(sets) + 2):
        expected = sum(1 << bit for bit in range(71) if sum(bit in each for each in sets) == count)
        assert bits_with_count(planes, count, everything) == expected


def test_lists_and_bitmaps_mean_the_same() -> None:
    rows = make_rows(5, BLOCK_ENTRIES, 0.0)
    sealed = block_postings(rows)
    sizes = {len(entries) for entries in sealed.values()}
    assert BLOCK_ENTRIES // 8 in sizes
    assert min(sizes) < BLOCK_ENTRIES // 8
    for term, entries in sealed.items():
        bits = bitmap([(0, entries)], 1)
        found = [row.seq for row in rows if bits >> row.seq - 1 & 1]
        if not term.startswith("@"):
            assert found == [row.seq for row in rows if term in words_of(row.text)]


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=5), max_size=3))
def test_shared_words_are_shared(text: str, others: list[str]) -> None:
    words = words_of(" ".join([*others, text[:10]]))
    assert shared_words(text, words) == len(set(words) & set(words_of(text)))


@given(st.text(max_size=300), st.integers(1, 50))
def test_an_excerpt_is_a_piece_of_the_text(text: str, limit: int) -> None:
    piece = excerpt(text, words_of(text)[-1:], limit)
    assert piece in text
    assert len(piece) <= limit or piece == text
    if len(text) > limit:
        assert len(piece) == limit


def test_words() -> None:
    assert words_of("The RED lamp's oil, 100%_ and Straße!") == [
        "red",
        "lamp",
        "oil",
        "100",
        "strasse",
    ]
    assert words_of("ẞ ß SS") == ["ss"]
    assert [len(word) for word in words_of("y" * 500)] == [LONGEST_WORD]
    assert "lantern" not in STOP_WORDS
    assert {"the", "of", "and", "what"} <= STOP_WORDS


def told(url: str) -> World:
    """A world with some full blocks, private entries and a declared past among them."""
    draw = random.Random(4)
    lines: list[Any] = [
        bundle(
            *(
                draw.choice([voice, entry])(
                    " ".join(draw.choices(VOCABULARY, k=4)), to=draw.choice(EYES)
                )
                for _ in range(32)
            )
        )
        for _ in range(70)
    ]
    writer = ScriptedWriter(lines)
    world = World(open_ledger(url, StoryConfig(ids="sequential"), writer), writer)
    for number in range(70):
        declared = "2020-01-01T00:00:00Z" if number == 40 else None
        assert world.send("", declared=declared)[0] == 200
    return world


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.real("postgresql"))])
def told_world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/story.db"
    else:
        cluster: Cluster = request.getfixturevalue("postgres")
        url = cluster.make_schema()
    with told(url) as world:
        yield world


def test_both_databases_find_the_same_in_indexed_blocks(told_world: World) -> None:
    ledger = told_world.ledger
    ledger._database.submit(lambda connection: None).result()  # whatever was queued before is done

    def look(connection: Any) -> None:
        tables = Tables(connection, ledger.config)
        rows = tables.entries_after(0)
        assert len(tables.blocks()) == len(rows) // BLOCK_ENTRIES == 2
        assert not all(block.in_order for block in tables.blocks())
        retrieval = Retrieval(tables, ledger.config)
        for reader in (None, "REBECCA"):
            for question in ("red lamp oil", "the ferry bell", "Straße x red", "naïve"):
                for window in (TimeSpan(), TimeSpan(end=rows[0].instant + 1_000_000_000)):
                    found = retrieval.search(reader, question, limit=30, window=window)
                    expected = by_looking(rows, reader, question, 30, window, None)
                    assert [each.row.seq for each in found] == expected

    ledger.read(look)
    assert ledger.verify().difference is None


def test_what_everybody_sees_is_read_by_blocks(told_world: World) -> None:
    """Before, in and behind the blocks of the index, and across their borders."""
    ledger = told_world.ledger
    ledger._database.submit(lambda connection: None).result()

    def look(connection: Any) -> None:
        tables = Tables(connection, ledger.config)
        public = [row for row in tables.entries_after(0) if row.scope == "PUBLIC"]
        behind = len([row for row in public if row.seq > 2 * BLOCK_ENTRIES])
        assert 0 < behind < BLOCK_ENTRIES
        for limit in (1, 7, 600, 5_000):
            for place in (*range(0, len(public) + 3, 97), len(public) - behind, len(public)):
                for around in (place - 1, place, place + 1):
                    at = max(0, around)
                    assert tables.visible(None, at, limit) == public[at : at + limit]

    ledger.read(look)


def test_few_public_entries_among_many_private_ones_are_found(tmp_path: Path) -> None:
    """One in two blocks, so that most blocks of the index have none."""
    lines = [
        bundle(
            *(voice(f"{beat}.{at}", to=["REBECCA"] if at or beat % 4 else []) for at in range(500))
        )
        for beat in range(26)
    ]
    config = StoryConfig(ids="sequential", writing=Writing(max_entries=500))
    writer = ScriptedWriter(lines)
    with World(open_ledger(tmp_path, config, writer), writer) as world:
        for _ in lines:
            assert world.send("")[0] == 200
        world.ledger._database.submit(lambda connection: None).result()
        assert world.counts()["story_block"] == 12
        stream = world.ledger.page(None, None, 100)["stream"]
        assert [each["text"] for each in stream["entries"]] == [f"{n}.0" for n in range(0, 26, 4)]
        for place in range(8):
            rest = world.ledger.page(None, f"c:{place:08d}", 3)["stream"]["entries"]
            assert rest == stream["entries"][place : place + 3]


def test_ids_are_found_in_the_index_and_behind_it(told_world: World) -> None:
    ledger = told_world.ledger
    ledger._database.submit(lambda connection: None).result()

    def look(connection: Any) -> None:
        tables = Tables(connection, ledger.config)
        rows = tables.entries_after(0)
        for at in (0, 40, BLOCK_ENTRIES - 1, BLOCK_ENTRIES, 2 * BLOCK_ENTRIES, len(rows) - 1):
            row = rows[at]
            assert tables.entries_named([row.entry_id]) == [row]
            assert tables.entries_named([row.bundle_id]) == [
                each for each in rows if each.bundle_id == row.bundle_id
            ]
            assert [each[0] for each in tables.origins([row.entry_id])] == [row.entry_id]
        assert tables.entries_named(["e:99999999", "b:99999999", "", "red"]) == []
        assert tables.origins([rows[0].bundle_id]) == []
        ends = [rows[-1].entry_id, rows[0].entry_id]
        assert tables.entries_named(ends * 2) == [rows[0], rows[-1]]

    ledger.read(look)


def test_an_id_is_found_while_its_block_is_indexed(told_world: World) -> None:
    """A reader without a transaction looks behind the index first, and then into it."""
    ledger = told_world.ledger
    database = ledger._database
    for table in ("story_block", "story_posting"):
        change(told_world, dict.fromkeys(("sqlite", "postgresql"), f"DELETE FROM {table}"))

    class Meanwhile(SnapshotReads):
        """The blocks are indexed between two statements."""

        def execute(self, sql: str, params: Any = ()) -> Any:
            rows = super().execute(sql, params)
            database.submit(lambda connection: index_full_blocks(connection, CONFIG)).result()
            return rows

    tables = Tables(Meanwhile(database, ledger._dialect), ledger.config)
    assert [row.seq for row in tables.entries_named(["e:00000005"])] == [5]
    assert told_world.counts()["story_block"] == 2
