"""The chronicle of a world: what happens in it and matters becomes entries of a story, by the normal way in.

    noticing    what of a tick matters, in words, and who saw it          (reads the world, changes nothing)
    reading     a page for each part of a day
    digest      the weightiest of a page, as paragraphs for those who may read them
    telling     a beat for each page: the writer proposes, acceptance decides, the ledger remembers
    chronicler  does all that beside a world that ticks
    recovery    finds again in the journal what was not told

See `docs/chronicle.md`.
"""

from thorp.bridges.chronicle.chronicler import Chronicler
from thorp.bridges.chronicle.identity import world_name
from thorp.bridges.chronicle.notices import Notice
from thorp.bridges.chronicle.publisher import Page, Telling, Told
from thorp.bridges.chronicle.range_reader import Noticing, Reading
from thorp.bridges.chronicle.recovery import catch_up
from thorp.bridges.chronicle.writer import (
    INVOKER,
    WRITER,
    ChronicleWriter,
    chronicle_config,
    open_chronicle,
    why_no_chronicle,
)

__all__ = [
    "INVOKER",
    "WRITER",
    "ChronicleWriter",
    "Chronicler",
    "Notice",
    "Noticing",
    "Page",
    "Reading",
    "Telling",
    "Told",
    "catch_up",
    "chronicle_config",
    "open_chronicle",
    "why_no_chronicle",
    "world_name",
]
