"""Reads the audit of writers: what they proposed and asked in each beat, and why it was refused.

Only for the keeper: it has private text, even of proposals that were refused.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from thorp.kernel.canonical import Json
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.store import Connection
from thorp.story.instants import instant_text
from thorp.story.ledger import read_calls
from thorp.story.outcomes import REASONS, TROUBLES, report_of
from thorp.story.service import Ledger
from thorp.story.storage import CallRow, read_listed
from thorp.story.tables import writer_failure

BEATS_LIMIT: Final = 1_000  # Most beats of one list: more lines than anybody reads.
DEFAULT_BEATS: Final = 20

_LISTED: Final = (
    "SELECT n, request_id, outcome, instant, bundle_id FROM story_beat WHERE kind = 'BEAT'"
)
_TROUBLED: Final = " OR ".join(f"outcome LIKE '{name}%'" for name in TROUBLES)


def list_beats(
    ledger: Ledger, last: int = DEFAULT_BEATS, *, troubled: bool = False
) -> list[dict[str, Json]]:
    """The last beats, oldest first, and how their writers fared; only those that were rejected,
    failed or looped if `troubled`."""
    if not 1 <= last <= BEATS_LIMIT:
        raise InvalidError(f"expected 1 to {BEATS_LIMIT} beats", code="range", path="$.last")
    where = f" AND ({_TROUBLED})" if troubled else ""
    sql = f"{_LISTED}{where} ORDER BY n DESC LIMIT ?"

    def look(connection: Connection) -> list[dict[str, Json]]:
        return [_beat(connection, row) for row in reversed(connection.execute(sql, [last]))]

    return ledger.read(look)


def describe_beat(ledger: Ledger, number: int) -> dict[str, Json]:
    """One beat: each call of its writer with words and verdict, each question, and each entry."""
    description = ledger.read(lambda connection: _describe(connection, number))
    if description is None:
        beats, _ = ledger.tip()
        advice = (
            f"there are {beats}, the first is 1; seeds have no writer"
            if beats
            else "there was none yet"
        )
        raise IllegalError(f"there is no beat {number}: {advice}", code="no_beat")
    return description


def _describe(connection: Connection, number: int) -> dict[str, Json] | None:
    rows = connection.execute(f"{_LISTED} AND n = ?", [number])
    if not rows:
        return None
    [(text,)] = connection.execute("SELECT calls FROM story_beat WHERE n = ?", [number])
    calls = read_calls(text)
    asked = connection.execute(
        "SELECT verdict, reader, request FROM story_tool WHERE beat = ? ORDER BY number", [number]
    )
    entries = connection.execute(
        "SELECT e.entry_id, e.author_id, e.author_class, e.scope, e.visible_to, e.channel, e.text "
        "FROM story_beat b JOIN story_beat before ON before.n = b.n - 1 "
        "JOIN story_entry e ON e.seq > before.seq AND e.seq <= b.seq WHERE b.n = ? ORDER BY e.seq",
        [number],
    )
    return {
        **_beat(connection, rows[0]),
        "writer": calls[0].writer if calls else None,
        "calls": [_call(each) for each in calls],
        "questions": [
            {"verdict": verdict, "view": reader, "request": json.loads(request)}
            for verdict, reader, request in asked
        ],
        "entries": [_entry(row) for row in entries],
    }


def _beat(connection: Connection, row: Sequence[Any]) -> dict[str, Json]:
    number, request_id, outcome, instant, bundle_id = row
    report = report_of(outcome, number, writer_failure(connection, number, outcome))
    return {
        "beat": number,
        "request_id": request_id,
        "created_at_world": instant_text(instant),
        "outcome": report.outcome,
        "code": report.code,
        "reason": report.reason,
        "bundle_id": bundle_id,
    }


def _call(call: CallRow) -> dict[str, Json]:
    """One call of a writer. A rejected proposal has the broken rule, its place and its reason."""
    words = json.loads(call.said)
    name, _, rest = call.verdict.partition(" ")
    code, _, path = rest.partition(" at ")
    return {
        "kind": call.kind,
        "verdict": name,
        "code": code or words.get("code"),
        "path": path or None,
        "reason": REASONS.get(code) if name == "REJECTED" else words.get("message"),
        "said": words.get("text"),
    }


def _entry(row: Sequence[Any]) -> dict[str, Json]:
    entry_id, author_id, author_class, scope, listed, channel, text = row
    from_envelope = author_class in ("OPERATOR", "SYSTEM")
    return {
        "entry_id": entry_id,
        "proposed_by": "invocation" if from_envelope else "writer",
        "author_id": author_id,
        "scope": scope,
        "visible_to": read_listed(listed),
        "channel": channel,
        "text": text,
    }
