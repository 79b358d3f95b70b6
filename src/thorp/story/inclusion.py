"""Shows that an entry lies on the chain of its ledger: its row is in the record of its beat, and
the links from that beat on lead to a tip that was noted elsewhere.

The request of the beat is checked in the same way, because its notes say what a page of a chronicle
was made from.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.chain import link
from thorp.kernel.errors import DamagedError
from thorp.store import Connection
from thorp.story.ledger import parts_of, row_digest
from thorp.story.schema import COLUMNS
from thorp.story.storage import RequestRow

PAGE: Final = 500  # Beats that are read at a time.

_ENTRY: Final = f"SELECT {', '.join(COLUMNS['story_entry'])} FROM story_entry WHERE seq = ?"
_REQUEST: Final = (
    "SELECT request_id, kind, payload_hash, envelope, status, body FROM story_beat WHERE n = ?"
)
_LINKS: Final = (
    f"SELECT n, record, link FROM story_beat WHERE n >= ? AND n <= ? ORDER BY n LIMIT {PAGE}"
)
_BEAT_COLUMN: Final = COLUMNS["story_entry"].index("beat")


class RecordedEntry(NamedTuple):
    """An entry that is in the record of its beat."""

    beat: int
    digest: str
    """The digest of its row there."""


def link_of(connection: Connection, beat: int) -> str | None:
    """The link of a beat, in hexadecimal; None if there is no such beat."""
    rows = connection.execute("SELECT link FROM story_beat WHERE n = ?", [beat])
    return bytes(rows[0][0]).hex() if rows else None


def check_recorded(connection: Connection, seq: int) -> RecordedEntry:
    """Check that an entry's row, and the request of its beat, are in the record of that beat."""
    [row] = connection.execute(_ENTRY, [seq])
    beat = row[_BEAT_COLUMN]
    [(record,)] = connection.execute("SELECT record FROM story_beat WHERE n = ?", [beat])
    digests: dict[str, list[str]] = msgspec.json.decode(record)["rows"]
    digest = row_digest(row)
    if digest not in digests.get("story_entry", []):
        raise _damaged(f"story_entry {row[0]} is not what beat {beat} stored")
    [request] = connection.execute(_REQUEST, [beat])
    [(_, cells)] = parts_of(beat, RequestRow(*request), ())
    if row_digest(cells) not in digests.get("story_request", []):
        raise _damaged(f"story_beat {beat}: its request is not what it stored")
    return RecordedEntry(beat, digest)


def check_chain(connection: Connection, first: int, last: int, tip: str) -> None:
    """Check that the records from one beat to another lead from link to link, to this tip."""
    [(before,)] = connection.execute("SELECT link FROM story_beat WHERE n = ?", [first - 1])
    reached = bytes(before)
    number = first - 1
    for number, record, stored in _links(connection, first, last):
        reached = link(reached, record.encode())
        if reached != stored:
            raise _damaged(f"story_beat {number} was changed, or one before it is missing")
    if number != last or reached.hex() != tip:
        raise _damaged(f"the chain does not reach {tip[:16]}… with beat {last}")


def _links(connection: Connection, first: int, last: int) -> Iterator[tuple[int, str, bytes]]:
    number = first
    while rows := connection.execute(_LINKS, [number, last]):
        page: list[tuple[int, Any, Json]] = [(row[0], row[1], row[2]) for row in rows]
        for stored_number, record, stored in page:
            if stored_number != number:
                raise _damaged(f"story_beat {number} is missing")
            yield number, record, bytes(stored)
            number = number + 1


def _damaged(what: str) -> DamagedError:
    return DamagedError(f"{what}; `thorp story verify` says more")
