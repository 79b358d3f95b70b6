"""Renders what a reader sees of the ledger. It changes no word, fills no gap and adds no fact.

Entries are in the order of world time, across pages too, and a reader who pages through them misses
nothing that is committed meanwhile; `world_order` explains how. A cursor counts visible entries,
which reveals nothing about invisible ones. A malformed cursor is ignored.
"""

from typing import Final, NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.story.clock import Clock
from thorp.story.config import StoryConfig
from thorp.story.contracts.invocation_envelope import Zones, shown_time
from thorp.story.instants import instant_text, parse_instant
from thorp.story.knowledge import Surface, allows, surface_of
from thorp.story.ledger import RealityLedger
from thorp.story.storage import PocketRow
from thorp.story.world_order import StreamPosition, read_cursor, read_page

_LAST_OF_ALL: Final = 2**63  # Sorts after every instant.


class StreamSlice(NamedTuple):
    """Which entries an answer shows: those after the cursor, or without one after a place."""

    after: int
    cursor: str | None = None
    at_least: int = 0  # A page is not cut below this, so that a beat always shows its own entries.


class Projector(msgspec.Struct, frozen=True):
    """Renders one state of the ledger."""

    _ledger: RealityLedger
    _config: StoryConfig
    _zones: Zones

    def render(
        self,
        request_id: str,
        clock: Clock,
        bundle_id: str | None,
        entries: StreamSlice,
        timezone: str | None = None,
    ) -> dict[str, Json]:
        """The projection that answers a request: the stream and the pocket as the operator sees
        them."""
        surface = self._surface(self._config.identity.operator_id)
        limit = max(self._config.stream.page_size, entries.at_least)
        return {
            "request_id": request_id,
            "stream": self._stream(surface, entries.cursor, entries.after, limit),
            "pocket": self._pocket(surface, clock, timezone or self._config.time.default_timezone),
            "debug": {"wrote": bundle_id is not None, "bundle_id": bundle_id},
        }

    def page(self, reader: str | None, cursor: str | None, limit: int) -> dict[str, Json]:
        """A page of the stream and the pocket, for a reader outside of any beat."""
        surface = self._surface(reader)
        clock = self._ledger.head().clock
        zone = self._config.time.default_timezone
        return {
            "stream": self._stream(surface, cursor, 0, min(limit, self._config.stream.page_size)),
            "pocket": self._pocket(surface, clock, zone),
        }

    def behind(self, reader: str | None, count: int) -> str | None:
        """The cursor before a reader's last `count` entries; None if the reader sees no others."""
        place = self._ledger.visible_count(self._surface(reader).own) - count
        return StreamPosition(place).cursor if place > 0 else None

    def _surface(self, reader: str | None) -> Surface:
        # Neither everybody (None) nor the operator is a person: no need to ask the ledger.
        no_persons = (None, self._config.identity.operator_id)
        is_person = reader not in no_persons and self._ledger.is_person(reader)
        return surface_of(reader, self._config, is_person=is_person)

    def _stream(
        self, surface: Surface, cursor: str | None, after: int, limit: int
    ) -> dict[str, Json]:
        """A page of at most `limit` entries, after a cursor or else after a place."""
        given = read_cursor(cursor, self._ledger.visible_count(surface.own))
        before = None if given is None else given.cursor
        rows, place = read_page(self._ledger, surface, given or StreamPosition(after), limit)
        visible = [row for row in rows if allows(surface, row.scope, row.visible_to)]
        return {
            "cursor_before": before,
            "cursor_after": place.cursor if rows else before,
            "entries": [
                {
                    "entry_id": row.entry_id,
                    "created_at_world": instant_text(row.instant),
                    "channel": row.channel,
                    "author_label": self._config.label(row.author_id)
                    if row.channel == "PEOPLE"
                    else None,
                    "text": row.text,
                }
                for row in visible
            ],
        }

    def _pocket(self, surface: Surface, clock: Clock, zone: str) -> dict[str, Json]:
        rows = [row for row in self._ledger.pocket() if allows(surface, row.scope, row.visible_to)]
        return {
            "is_available": self._config.stream.pocket_available,
            "clock": {"world_time": shown_time(clock.instant, zone, self._zones), "timezone": zone},
            "calendar": {"items": _items(rows, "calendar")},
            "messages": {"items": _items(rows, "message")},
        }


def _items(rows: list[PocketRow], kind: str) -> list[dict[str, Json]]:
    """The records of one kind in the order of world time; those without a time come last."""
    items: list[tuple[int, int, dict[str, Json]]] = []
    for row in rows:
        if row.kind == kind:
            fields = msgspec.json.decode(row.fields)
            moment = _LAST_OF_ALL if fields["time"] is None else parse_instant(fields["time"])
            items.append((moment, row.seq, fields))
    return [fields for *_, fields in sorted(items, key=lambda item: item[:2])]
