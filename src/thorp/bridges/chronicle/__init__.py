"""The chronicle of a world: what happens in it and matters becomes entries of a story.

    observer    decides after each tick what matters and who saw it, and collects each quarter of
                a day into a page
    digest      turns the most important notices of a page into paragraphs, each with its readers
    publisher   sends a beat for each page: the writer proposes, acceptance decides, the ledger
                remembers
    chronicler  does all of this beside a running world, and recovers unpublished pages from the
                world's journal

See `docs/chronicle.md`.
"""

from thorp.bridges.chronicle.chronicler import Chronicler, catch_up, world_name
from thorp.bridges.chronicle.observer import PageBuilder, WorldObserver
from thorp.bridges.chronicle.publisher import (
    INVOKER,
    WRITER,
    ChronicleWriter,
    Page,
    PublishedPage,
    Publisher,
    chronicle_config,
    demand_chronicle,
    open_chronicle,
    ticks_of,
    why_no_chronicle,
)
from thorp.bridges.chronicle.sentences import Notice

__all__ = [
    "INVOKER",
    "WRITER",
    "ChronicleWriter",
    "Chronicler",
    "Notice",
    "Page",
    "PageBuilder",
    "PublishedPage",
    "Publisher",
    "WorldObserver",
    "catch_up",
    "chronicle_config",
    "demand_chronicle",
    "open_chronicle",
    "ticks_of",
    "why_no_chronicle",
    "world_name",
]
