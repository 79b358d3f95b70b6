"""Projection output: everything that a screen gets. It follows from the ledger and the reader.

It adds no facts and fills no gaps: each text is the text of one entry, to the byte.
"""

import msgspec

from thorp.story.contracts.validation import demand, read_shape
from thorp.story.contracts.write_bundle import Channel
from thorp.story.instants import parse_instant


class StreamEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry as a reader sees it."""

    entry_id: str
    created_at_world: str
    channel: Channel
    author_label: str | None
    text: str


class Stream(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of entries, and the cursors before and after it."""

    cursor_before: str | None
    cursor_after: str | None
    entries: tuple[StreamEntry, ...]


class PocketClock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time of the world on the reader's clock."""

    world_time: str | None
    timezone: str | None


class CalendarItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One appointment."""

    title: str
    time: str | None
    location: str | None
    notes: str | None


class PocketMessage(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"sender": "from"}
):
    """One message, and who sent it."""

    sender: str
    text: str
    time: str | None


class Calendar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The appointments that the reader may see."""

    items: tuple[CalendarItem, ...]


class Messages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The messages that the reader may see."""

    items: tuple[PocketMessage, ...]


class Pocket(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a reader has at hand beside the stream: clock, calendar and messages."""

    is_available: bool
    clock: PocketClock
    calendar: Calendar
    messages: Messages


class Debug(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the beat wrote something, and as which bundle."""

    wrote: bool
    bundle_id: str | None


class ProjectionOutput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the operator sees in answer to a request."""

    request_id: str
    stream: Stream
    pocket: Pocket
    debug: Debug


def read_projection(value: object) -> ProjectionOutput:
    """Read a projection. Refuses with a ContractError."""
    projection = read_shape(ProjectionOutput, value)
    moments = []
    for index, entry in enumerate(projection.stream.entries):
        moments.append(parse_instant(entry.created_at_world))
        fits = (entry.author_label is None) == (entry.channel != "PEOPLE")
        path = f"$.stream.entries[{index}].author_label"
        demand(fits, "author_label", path, "people have a label, and nobody else has one")
    in_order = moments == sorted(moments)
    demand(in_order, "order", "$.stream.entries", "entries stand in the order of world time")
    fits = projection.debug.wrote == (projection.debug.bundle_id is not None)
    demand(fits, "debug", "$.debug", "what wrote has a bundle")
    return projection
