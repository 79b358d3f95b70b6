"""Parses a writer's reply: one JSON object with exactly one key.

    {"tool_request": …}            a question
    {"proposed_write_bundle": …}   a proposal
    {"no_write": …}                deliberate silence

One code fence around the object is tolerated; anything else makes the reply unusable. What a writer may leave
out (its request, its time, ids it cannot know) is filled in from the beat. What it states stays as it is, for
acceptance to judge.
"""

import re
from typing import Final, Literal

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, LimitError
from thorp.kernel.strict_json import StrictJson
from thorp.story.writer.moment import Moment

WORDS_LIMIT: Final = 1 << 18  # Characters of a writer's words: more than a full bundle takes.
NESTING_LIMIT: Final = 32  # Levels of a writer's words; a bundle has six.

Kind = Literal["tool_request", "proposed_write_bundle", "no_write"]
KINDS: Final[tuple[Kind, ...]] = ("tool_request", "proposed_write_bundle", "no_write")
FENCE: Final = "```"
_JSON: Final = StrictJson(bytes_limit=4 * WORDS_LIMIT, depth_limit=NESTING_LIMIT)
_FENCED = re.compile(r"\s*```[A-Za-z]*[ \t]*\r?\n(.*?)\r?\n?```\s*\Z", re.DOTALL)


class ParsedWords(msgspec.Struct, frozen=True):
    """What a writer's words say."""

    kind: Kind
    content: Json


def parse_words(text: str) -> ParsedWords | None:
    """What the words say, or None where they are unusable."""
    fenced = _FENCED.match(text) if FENCE in text else None
    value = read_json(fenced[1] if fenced else text)
    if not isinstance(value, dict) or len(value) != 1:
        return None
    [(kind, content)] = value.items()
    return (
        ParsedWords(kind, content)
        if kind in KINDS and (kind != "no_write" or isinstance(content, dict))
        else None
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
        known = {"request_id": moment.request_id, "created_at_world": moment.created_at_world}
        bundle["entries"] = [
            {"entry_id": None, "bundle_id": None, **known, **entry} if isinstance(entry, dict) else entry
            for entry in bundle["entries"]
        ]
    return bundle


def complete_question(content: Json, request_id: str) -> Json:
    """A tool request with the request it belongs to, if the writer left that out."""
    return {"request_id": request_id, **content} if isinstance(content, dict) else content


def read_json(text: str) -> Json:
    """The value of a JSON text that a model wrote; None if it is none, too long or too deep."""
    if len(text) > WORDS_LIMIT:
        return None
    try:
        return _JSON.read(text)
    except (InvalidError, LimitError):
        return None
