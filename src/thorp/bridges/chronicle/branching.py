"""Lets a story branch with its world: the fork's directory gets a copy of the story up to the fork,
which goes on from there by itself.

    beats of the original | the branch
    … page, page,         | page up to the fork, then pages of the fork
                        ↑ the beat before the first page about a later tick

What the operator said before that page is in both. No page that both share covers the ticks between
the last page and the fork, and the fork has no journal of them. So they are published at once, from
the original's journal, as the first page of the branch. A story that has published nothing of its
world is copied whole.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from thorp.bridges.chronicle.chronicler import Stretch, replay_pages, world_name
from thorp.bridges.chronicle.publisher import (
    WRITER,
    ChronicleWriter,
    Page,
    Publisher,
    forked_at,
    pages_backwards,
    why_no_chronicle,
)
from thorp.bridges.chronicle.wording import TickRange
from thorp.store import Disk
from thorp.story import ForkPoint, Ledger, branch, describe_branches, open_ledger
from thorp.voxel.persistence.copies import Forked
from thorp.voxel.persistence.replay import Watch
from thorp.voxel.persistence.snapshot import WorldMaker


class WorldFork(NamedTuple):
    """The directories of a world and of its fork, and with which state the fork begins."""

    origin: Path
    path: Path
    forked: Forked


class BranchedStory(msgspec.Struct, frozen=True):
    """How a story has branched: what it shares with the original, and what was published at
    once."""

    beats: int
    entries: int
    tip: str  # The last link that both chains have.
    told: TickRange | None
    untold: TickRange | None
    """Ticks that no page covers, because they cannot be executed again."""


def branch_story(
    disk: Disk,
    source: str | Path,
    fork: WorldFork,
    where: str | Path,
    make_world: WorldMaker,
    *,
    open_book: bool = False,
    watch: Watch = lambda _: None,
) -> BranchedStory:
    """Branch the story at `source` into the place `where`, for a fork of its world. The original
    story and world are only read, and may go on. Refuses as `no_story` if there is none.

    With an `open_book` everybody may read what is published at once.
    """
    tick = fork.forked.tick
    at = ForkPoint(
        tick=tick,
        digest=fork.forked.digest,
        world=world_name(disk, fork.origin, keep=False),
        fork=world_name(disk, fork.path),
    )
    with open_ledger(source, create=False) as ledger:
        split, published = _split(ledger, at)
        branch(ledger, where, split, at=at)
    writer = ChronicleWriter()
    pages: list[TickRange] = []
    gaps: list[TickRange] = []
    with open_ledger(where, writers={WRITER: writer}, create=False) as story:
        if published < tick and why_no_chronicle(story.config) is None:
            publisher = Publisher(story, writer, at.fork, open_book=open_book)
            replay_pages(
                disk,
                fork.origin,
                make_world,
                Stretch(published, tick, unfinished=True),
                _telling(publisher, pages),
                gap=lambda first, last: gaps.append(TickRange(first, last)),
                watch=watch,
            )
        shared = describe_branches(story)[-1]
    return BranchedStory(
        beats=shared["beats"],
        entries=shared["entries"],
        tip=shared["tip"],
        told=TickRange(pages[0].first, pages[-1].last) if pages else None,
        untold=gaps[0] if gaps else None,
    )


def _split(ledger: Ledger, at: ForkPoint) -> tuple[int, int]:
    """The last beat that the original and a branch have in common, and the last tick that was
    published by then."""
    split = ledger.head().beat
    for beat, ticks in pages_backwards(ledger, at.world):
        if ticks.last <= at.tick:
            return split, ticks.last
        split = min(split, beat - 1)
    return split, min(forked_at(ledger, at.world), at.tick)


def _telling(publisher: Publisher, pages: list[TickRange]) -> Callable[[Page], None]:
    """Publishes pages, and keeps the ticks of each."""

    def tell(page: Page) -> None:
        pages.append(publisher.tell(page).ticks)

    return tell
