"""The grammar of a writer's words: one JSON object with exactly one key.

    {"tool_request": …}            a question
    {"proposed_write_bundle": …}   a proposal
    {"no_write": …}                nothing, on purpose

One code fence around it is tolerated; anything else makes the words unusable. What a writer may leave out
(its request, its moment, ids it cannot know) is filled in from the beat. What it says otherwise stays as it
said it, for acceptance to refuse.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, Literal

import msgspec

from thorp.kernel.canonical import Json
from thorp.story.writer.moment import Moment

WORDS_LIMIT: Final = 1 << 18
"""Characters of a writer's words: more than a full bundle takes."""

NESTING_LIMIT: Final = 32
"""Levels of a writer's words; a bundle has six."""

Kind = Literal["tool_request", "proposed_write_bundle", "no_write"]
KINDS: Final[tuple[Kind, ...]] = ("tool_request", "proposed_write_bundle", "no_write")
WHITESPACE: Final = " \t\n\r"
"""What JSON takes for space."""
FENCE: Final = "```"
_FENCED = re.compile(r"\s*```[A-Za-z]*[ \t]*\r?\n(.*?)\r?\n?```\s*\Z", re.DOTALL)


class Said(msgspec.Struct, frozen=True):
    """What a writer's words say."""

    kind: Kind
    content: Json


def parse_words(text: str) -> Said | None:
    """What the words say, or None where they are unusable."""
    fenced = _FENCED.match(text) if FENCE in text else None
    value = _read(fenced[1] if fenced else text)
    if not isinstance(value, dict) or len(value) != 1:
        return None
    [(kind, content)] = value.items()
    return (
        Said(kind, content) if kind in KINDS and (kind != "no_write" or isinstance(content, dict)) else None
    )


def complete_bundle(content: Json, kind: Kind, moment: Moment) -> Json:
    """A proposal with what the writer left out of it."""
    if not isinstance(content, dict):
        return content
    identity = moment.config.identity
    bundle: dict[str, Json] = {
        "bundle_id": None,
        "request_id": moment.request_id,
        "rejection": {"rejected": False, "reason": None},
    }
    if kind == "no_write":
        nobody = {"engine": identity.writer_engine, "actor": identity.system_actor}
        bundle |= {"proposed_by": nobody, "entries": [], "wrote": False}
    bundle |= content
    if isinstance(bundle.get("entries"), list):
        bundle["entries"] = [_complete_entry(entry, moment) for entry in bundle["entries"]]
    return bundle


def complete_question(content: Json, request_id: str) -> Json:
    """A tool request with the request it belongs to, if the writer left that out."""
    return {"request_id": request_id, **content} if isinstance(content, dict) else content


def _complete_entry(entry: Json, moment: Moment) -> Json:
    if not isinstance(entry, dict):
        return entry
    return {
        "entry_id": None,
        "bundle_id": None,
        "request_id": moment.request_id,
        "created_at_world": moment.created_at_world,
        **entry,
    }


def _read(text: str) -> Json:
    if len(text) > WORDS_LIMIT:
        return None
    text = text.strip(WHITESPACE)
    try:
        value, end = _decode(text)
    except (ValueError, RecursionError):
        return None
    if end < len(text):
        return None
    # So few brackets cannot nest too deep; to count them is faster than to look.
    if text.count("[") + text.count("{") < NESTING_LIMIT:
        return value
    return value if _is_shallow(value, NESTING_LIMIT) else None


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key stands twice")
    return members


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _is_shallow(value: Json, levels: int) -> bool:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels > 0 and all(_is_shallow(each, levels - 1) for each in inside)


_decode = json.JSONDecoder(object_pairs_hook=_members, parse_constant=_refuse).raw_decode
