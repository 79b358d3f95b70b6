"""Makes what a writer of a story says, as JSON: proposals with their entries, and questions to the
ledger.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from thorp.kernel.canonical import Json
from thorp.story.config import StoryConfig

ENGINE: Final = StoryConfig().identity.writer_engine


def entry(
    text: str = "She nods.",
    *,
    author: str = "REBECCA",
    author_class: str = "PERSON",
    channel: str = "PEOPLE",
    to: Iterable[str] = (),
    **members: Any,
) -> dict[str, Json]:
    """An entry as a writer proposes it; PRIVATE if it is to somebody."""
    listed = list(to)
    return {
        "author": {"author_id": author, "author_class": author_class},
        "visibility": {"scope": "PRIVATE" if listed else "PUBLIC", "visible_to": listed},
        "channel": channel,
        "text": text,
        **members,
    }


def voice(text: str = "Rain falls.", **members: Any) -> dict[str, Json]:
    """An entry of the world."""
    return entry(text, author="WORLD", author_class="WORLD", channel="VOICE", **members)


def bundle(*entries: Any, actor: str = "REBECCA", **members: Any) -> dict[str, Json]:
    """A proposal of a writer, with its entries."""
    content = {
        "proposed_by": {"engine": ENGINE, "actor": actor},
        "entries": list(entries),
        "wrote": bool(entries),
        **members,
    }
    return {"proposed_write_bundle": content}


def question(
    query: str = "",
    *,
    tool: str = "LEDGER_SEARCH",
    actor: str = "WORLD",
    view: str | None = None,
    limit: Any = 5,
    window: dict[str, str | None] | None = None,
    person: str | None = None,
    name: str = "tr_1",
    **members: Any,
) -> dict[str, Json]:
    """A question of a writer to the ledger, as a tool request."""
    content = {
        "tool_request_id": name,
        "requested_by": {
            "engine": ENGINE,
            "actor": actor,
            "knowledge_view": view or f"{actor}_VIEW",
        },
        "tool": {
            "name": tool,
            "query_text": query,
            "constraints": {
                "time_window": window or {"from": None, "to": None},
                "limit": limit,
                "person_id": person,
            },
        },
        **members,
    }
    return {"tool_request": content}
