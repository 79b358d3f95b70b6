"""Judges the pages of a chronicle, one after the other, while the journal of its world is executed
again.

The entries are those of one view, so no finding shows a reader an entry that it may not read. In a
view other than the operator's, counts may be smaller than the world's: its reader saw a part.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from thorp.bridges.chronicle.check.facts import WorldFacts
from thorp.bridges.chronicle.check.reading import Hour, Reader, split_hour
from thorp.bridges.chronicle.check.rules import RULES, judge
from thorp.bridges.chronicle.chronicler import CHECK_EVERY
from thorp.bridges.chronicle.passages import PAGE_ENTRIES, StoryPages
from thorp.bridges.chronicle.wording import TickRange
from thorp.kernel.errors import DamagedError, IllegalError
from thorp.store import Disk
from thorp.story.lookup import sentences_of
from thorp.voxel import World
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.persistence.replay import History, Watch
from thorp.voxel.persistence.snapshot import WorldMaker

MOST_ENTRIES: Final = 1_000_000  # Of one story: centuries of a village.
FINDINGS_LIMIT: Final = 1_000  # More cannot be read; they are counted.


class Finding(msgspec.Struct, kw_only=True):
    """A sentence that contradicts its world."""

    entry_id: str
    number: int
    """Which sentence of the entry, from 1, as `thorp story why --sentence` counts them."""
    sentence: str
    tick: int
    rule: str
    must: str
    """What the rule says must be so."""
    instead: str
    """What the world says."""


class Checked(msgspec.Struct, kw_only=True):
    """What was judged, and what was found."""

    view: str
    pages: int = 0
    entries: int = 0
    sentences: int = 0
    read: int = 0
    """How many of the sentences could be read as claims about deeds."""
    first: int | None = None
    last: int | None = None
    """The ticks that were executed for it."""
    skipped: int = 0
    """Pages whose ticks cannot be executed any more, or have not come."""
    findings: list[Finding]
    findings_total: int = 0


class _Sentence(NamedTuple):
    """One sentence of an entry: its number from 1, and the tick since which it is true."""

    number: int
    tick: int
    text: str


class _Passage(NamedTuple):
    """One entry of a page."""

    entry_id: str
    text: str
    ticks: TickRange
    ends: list[tuple[int, int]]
    """Where each sentence ends, and since when it is true."""

    def sentences(self) -> Iterator[_Sentence]:
        """The sentences in their order."""
        begin = 0
        for number, (end, tick) in enumerate(self.ends, 1):
            yield _Sentence(number, tick, self.text[begin:end].strip())
            begin = end
        rest = self.text[begin:].strip()
        for number, text in enumerate(sentences_of(rest), len(self.ends) + 1):
            yield _Sentence(number, self.ticks.first, text)


def check_chronicle(
    story: StoryPages,
    reader: str,
    disk: Disk,
    path: Path,
    make_world: WorldMaker,
    *,
    is_whole: bool,
    watch: Watch = lambda _: None,
) -> Checked:
    """Judge every page of the chronicle of a world, as a reader sees the story. `is_whole` says
    whether it is told of everything."""
    passages = _passages(story, reader)
    checked = Checked(view=reader, findings=[])
    pages = [(ticks, [*each]) for ticks, each in groupby(passages, key=lambda one: one.ticks)]
    WorldDirectory(disk, path).require()
    if not pages:
        return checked
    history = _history(disk, path, make_world, pages[0][0].first - 1)
    start = history.world.tick
    later = [page for page in pages if page[0].first > start]
    checked.skipped = len(pages) - len(later)
    checked.first = start + 1
    facts = WorldFacts(history.world)
    page = _Pages(facts, later, checked, is_whole=is_whole)

    def look(tick: int) -> None:
        watch(tick)
        page.look(history.world)

    last_tick = WorldDirectory(disk, path).segments()[-1].end().tick
    until = min(later[-1][0].last, last_tick) if later else start
    history.go(to_tick=until, check_every=CHECK_EVERY, watch=look)
    checked.skipped += page.left
    checked.last = history.world.tick
    return checked


class _Pages:
    """The pages that are still to be judged."""

    def __init__(
        self,
        facts: WorldFacts,
        pages: list[tuple[TickRange, list[_Passage]]],
        checked: Checked,
        *,
        is_whole: bool,
    ) -> None:
        self._facts = facts
        self._pages = pages
        self._checked = checked
        self._is_whole = is_whole
        self._next = 0

    @property
    def left(self) -> int:
        """How many pages were not reached."""
        return len(self._pages) - self._next

    def look(self, world: World) -> None:
        """Take a tick in, and judge the page that ends with it."""
        facts = self._facts
        facts.follow(world)
        if self._next < len(self._pages) and world.tick == self._pages[self._next][0].first:
            facts.restart()
        facts.look()
        while self._next < len(self._pages) and world.tick == self._pages[self._next][0].last:
            self._judge(self._pages[self._next][1])
            self._next += 1

    def _judge(self, passages: list[_Passage]) -> None:
        reader = Reader(self._facts)
        self._checked.pages += 1
        for passage in passages:
            self._checked.entries += 1
            opening: tuple[Hour, ...] = ()
            for sentence in passage.sentences():
                if sentence.number == 1:
                    _, opening = split_hour(sentence.text.removesuffix("."))
                self._judge_one(reader, passage, sentence, opening)

    def _judge_one(
        self, reader: Reader, passage: _Passage, sentence: _Sentence, opening: tuple[Hour, ...]
    ) -> None:
        checked = self._checked
        checked.sentences += 1
        checked.read += any(claim.kind for claim in reader.read(sentence.text, opening))
        contradiction = judge(
            self._facts,
            sentence.text,
            day_ticks=self._facts.world.tuning.day_ticks,
            opening=opening,
            is_whole=self._is_whole,
            reader=reader,
        )
        if contradiction is None:
            return
        checked.findings_total += 1
        if len(checked.findings) < FINDINGS_LIMIT:
            checked.findings.append(
                Finding(
                    entry_id=passage.entry_id,
                    number=sentence.number,
                    sentence=sentence.text,
                    tick=sentence.tick,
                    rule=contradiction.rule,
                    must=next(rule.sentence for rule in RULES if rule.name == contradiction.rule),
                    instead=contradiction.instead,
                )
            )


def _passages(story: StoryPages, reader: str) -> list[_Passage]:
    """The passages of a chronicle in the order of their ticks; those of the newest world, if the
    story goes on with another after it."""
    passages: list[_Passage] = []
    cursor: str | None = None
    for _ in range(MOST_ENTRIES // PAGE_ENTRIES):
        page: dict[str, Any] = story.page(reader, cursor, PAGE_ENTRIES)
        dated: dict[str, Any] = story.ticks(page)
        for entry in page["stream"]["entries"]:
            span = dated.get(entry["entry_id"])
            if span is None:
                continue
            ticks = TickRange(span["first"], span["last"])
            if passages and ticks.first < passages[-1].ticks.first:
                passages = []  # another world began
            ends = [(sentence[0], sentence[1]) for sentence in span["sentences"]]
            passages.append(_Passage(entry["entry_id"], entry["text"], ticks, ends))
        if not page["stream"]["entries"] or page["stream"]["cursor_after"] == cursor:
            break
        cursor = page["stream"]["cursor_after"]
    return passages


def _history(disk: Disk, path: Path, make_world: WorldMaker, at_most: int) -> History:
    """A history from before the first page, or from the first snapshot after it."""
    try:
        return History.begin(disk, path, make_world, at_most=at_most)
    except (DamagedError, IllegalError):
        directory = WorldDirectory(disk, path)
        for tick in directory.snapshots():
            if tick > at_most:
                return History.at_snapshot(directory, tick, make_world)
        raise
