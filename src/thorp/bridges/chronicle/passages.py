"""The passages of a chronicle about a stretch of its world, as the public may read them."""

from typing import Any, Final, Protocol

from thorp.kernel.canonical import Json

PAGE_ENTRIES: Final = 200
# A hundred thousand passages are looked at, which take some seconds: years of a village.
MAX_PAGES: Final = 500
NO_POCKET: Final[dict[str, Json]] = {
    "is_available": False,
    "clock": {"world_time": None, "timezone": None},
    "calendar": {"items": []},
    "messages": {"items": []},
}


class StoryPages(Protocol):
    """A story that can be read page by page."""

    def page(self, reader: str | None, cursor: str | None, limit: int | None) -> dict[str, Json]:
        """A page of the stream after a cursor, as a reader sees it."""

    def ticks(self, page: dict[str, Json]) -> dict[str, Json]:
        """The ticks of a world that the entries of a page are about, by the entries' ids."""


def passages(story: StoryPages, reader: str, first: int, last: int) -> dict[str, Json]:
    """A page with the entries that end within a range of ticks: those published about it by its
    last tick. Entries that are not about ticks, and the pocket, are left out."""
    entries: list[Json] = []
    ticks: dict[str, Json] = {}
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page: dict[str, Any] = story.page(reader, cursor, PAGE_ENTRIES)
        dated: dict[str, Any] = story.ticks(page)
        for entry in page["stream"]["entries"]:
            span = dated.get(entry["entry_id"])
            if span is not None and first <= span["last"] <= last:
                entries.append(entry)
                ticks[entry["entry_id"]] = span
        if not page["stream"]["entries"] or page["stream"]["cursor_after"] == cursor:
            break
        cursor = page["stream"]["cursor_after"]
    return {
        "stream": {"cursor_before": None, "cursor_after": None, "entries": entries},
        "pocket": NO_POCKET,
        "ticks": ticks,
        "declared": [],
    }
