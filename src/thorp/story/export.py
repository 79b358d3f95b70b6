"""Exports a story as JSON lines: a header, then every bundle with the entries that a reader may
see.

An export of everything also holds private entries and chain links. Only the keeper of the database
should have it.
"""

from collections.abc import Iterator
from functools import partial
from typing import Final

from thorp.kernel.canonical import Json
from thorp.store import Connection, Row
from thorp.story.config import PUBLIC, StoryConfig
from thorp.story.contracts.write_bundle import bundle_of, entry_of
from thorp.story.instants import instant_text
from thorp.story.knowledge import allows, surface_of
from thorp.story.service import Ledger
from thorp.story.storage import read_listed
from thorp.story.tables import Tables

FORMAT: Final = "thorp.story"
VERSION: Final = 1
PAGE: Final = 500  # Bundles that are read at a time.

_BUNDLES: Final = (
    "SELECT n, bundle_id, request_id, engine, actor, link FROM story_beat "
    f"WHERE n > ? AND bundle_id IS NOT NULL ORDER BY n LIMIT {PAGE}"
)
_ENTRIES: Final = (
    "SELECT beat, entry_id, instant, author_id, author_class, scope, visible_to, channel, text "
    "FROM story_entry WHERE seq > ? AND beat <= ? ORDER BY seq"
)


def export_lines(
    ledger: Ledger, name: str | None, *, everything: bool = False
) -> Iterator[dict[str, Json]]:
    """The lines of an export: as the reader of this name sees the story, or `everything`, with the
    link of each beat."""
    config = ledger.config
    reader = reader_named(name, config)
    is_person = ledger.read(
        lambda connection: reader is not None and Tables(connection, config).is_person(reader)
    )
    surface = None if everything else surface_of(reader, config, is_person=is_person)
    yield {"format": FORMAT, "version": VERSION, "reader": surface and surface.name}
    for bundle, link in _bundles(ledger):
        if surface is None:
            yield {**bundle, "link": link}
        elif visible := [
            entry for entry in bundle["entries"] if allows(surface, **entry["visibility"])
        ]:
            yield {**bundle, "entries": visible}


def reader_named(name: str | None, config: StoryConfig) -> str | None:
    """The reader that a keeper names: the operator if no name is given, and None, which is
    everybody, for PUBLIC."""
    if name is None:
        return config.identity.operator_id
    return None if name == PUBLIC else name


def _bundles(ledger: Ledger) -> Iterator[tuple[dict[str, Json], str]]:
    beat = seq = 0
    while page := ledger.read(partial(_read_page, beat=beat, seq=seq)):
        bundles, seq = page
        beat = bundles[-1][0][0]
        for row, entries in bundles:
            yield _bundle(row, entries), bytes(row[5]).hex()


def _read_page(
    connection: Connection, beat: int, seq: int
) -> tuple[list[tuple[Row, list[Row]]], int] | None:
    bundles = connection.execute(_BUNDLES, [beat])
    if not bundles:
        return None
    entries: dict[int, list[Row]] = {}
    rows = connection.execute(_ENTRIES, [seq, bundles[-1][0]])
    for row in rows:
        entries.setdefault(row[0], []).append(row)
    return [(row, entries.get(row[0], [])) for row in bundles], seq + len(rows)


def _bundle(row: Row, entries: list[Row]) -> dict[str, Json]:
    _, bundle_id, request_id, engine, actor, _ = row
    written = []
    for _, entry_id, instant, author_id, author_class, scope, listed, channel, text in entries:
        ids = {"entry_id": entry_id, "bundle_id": bundle_id}
        proposed = entry_of(
            request_id,
            instant_text(instant),
            author_id=author_id,
            author_class=author_class,
            channel=channel,
            text=text,
            visible_to=[],
        )
        visibility = {"scope": scope, "visible_to": read_listed(listed)}
        written.append({**proposed, **ids, "visibility": visibility})
    return {**bundle_of(request_id, engine, actor, written), "bundle_id": bundle_id}
