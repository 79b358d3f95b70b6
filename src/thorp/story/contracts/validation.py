"""Checks that the contracts share: strict conversion to a type, JSON Schemas, and what counts as
prose.

The types give the shape; each contract adds the rules that no type can express. Prose is text that
a writer may be given as a description of the world. It may have numerals, such as the time of day,
but not JSON or a piece of it, fenced blocks, tables, variables, meters, bracketed markers, talk of
the machinery or stage directions. A text is judged as a whole, before any of it is cut off: half an
object does not parse as JSON any more, and is not prose either.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ROOT, contract_error
from thorp.story.config import Phrases
from thorp.story.text import find_phrase

T = TypeVar("T", bound=msgspec.Struct)
SCHEMA_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
HALF_CHARACTER: Final = "a text or a key holds half of a surrogate pair"
_PLACE = re.compile(r"(.*) - at `(.*)`\Z", re.DOTALL)

_SETTING = re.compile(
    r"^[ \t]*[^\W\d][\w \t-]{0,40}[:=][ \t]*[-+]?\d+(?:[.,]\d+)?[ \t]*%?[ \t]*$", re.MULTILINE
)
"""A line that sets a label to a number: `HP: 10`."""
_SETTINGS = re.compile(
    r"^[ \t]*(?:[^\W\d]\w{0,40}[ \t]*:[ \t]*[-+]?\d+(?:[.,]\d+)?%?[ \t]*[;,|][ \t]*)+"
    r"[^\W\d]\w{0,40}[ \t]*:[ \t]*[-+]?\d+(?:[.,]\d+)?%?[ \t]*[;,|.]?[ \t]*$",
    re.MULTILINE,
)
"""A line of several: `hp: 10; mp: 20`."""
_ASSIGNMENT = re.compile(r"[\w\])][ \t]{0,3}=[ \t]{0,3}[\w\"'\[{(+.-]")
"""`hp=10`, `mood = calm`: people do not talk in equals signs."""
_METER = re.compile(r"\b\d+[ \t]?/[ \t]?\d+\b|\d[ \t]?%")
_MARKER = re.compile(r"[\[{<][A-Z][A-Z0-9_ :-]*[\]}>]|</[A-Za-z]\w{0,40}>")
_FENCE = re.compile(r"^[ \t]{0,3}(?:```|~~~)", re.MULTILINE)
_MEMBER = re.compile(
    r"[{,][ \t\r\n]{0,80}(?:\"[^\"\n]{1,80}\"|'[\w -]{1,80}')[ \t]{0,8}:"  # {"hp": or , 'hp':
    r"|^[ \t]*\"[^\"\n]{1,80}\"[ \t]{0,8}:[ \t]*[\w\"\[{-]",  # "hp": 10, at the beginning of a line
    re.MULTILINE,
)
"""A member of an object, the rest of which may have been cut off."""
_TABLE = re.compile(
    r"^[^|\n]*\|[^|\n]+\|[^\n]*$"  # two bars in a line
    r"|[\u2500-\u257f]{2}"  # lines drawn with box characters
    r"|^[^\t\n]+\t[^\n]+\n[^\t\n]+\t"  # two lines with columns
    # two lines of a CSV file
    r"|^[^,\s][^,\n]*(?:,[^,\s][^,\n]*){2,}\n[^,\s][^,\n]*(?:,[^,\s][^,\n]*){2,}$",
    re.MULTILINE,
)


def read_shape(kind: type[T], value: object) -> T:
    """Convert a document to its type, or raise a ContractError of code `shape`."""
    try:
        return msgspec.convert(value, kind)
    except UnicodeError:
        raise contract_error("text", ROOT, HALF_CHARACTER) from None
    except msgspec.ValidationError as error:
        place = _PLACE.match(str(error))
        message, path = (place[1], place[2]) if place else (str(error), ROOT)
        raise contract_error("shape", path, message) from None


def demand(fits: bool, code: str, path: str, message: str) -> None:
    """Raise a ContractError unless a rule is kept."""
    if not fits:
        raise contract_error(code, path, message)


def value_at(value: object, *keys: str) -> Any:
    """The value under some keys of a document, one inside the other; None if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def schema_of(name: str, kind: type[msgspec.Struct]) -> Callable[[], dict[str, Json]]:
    """A function that builds the JSON Schema of a contract."""

    def build() -> dict[str, Json]:
        schema = msgspec.json.schema(kind)
        for part in schema["$defs"].values():
            # msgspec puts the docstring of a class here. It speaks to readers of this code, and a
            # better wording must not change the published contract.
            part.pop("description", None)
        return {"$schema": SCHEMA_DIALECT, "title": name, **schema}

    return build


_NOT_PROSE: Final[tuple[tuple[str, Callable[[str, Phrases], object]], ...]] = (
    ("it is empty", lambda text, _: not text.strip()),
    ("it is JSON", lambda text, _: _is_json(text)),
    ("it holds a fenced block", lambda text, _: _FENCE.search(text)),
    ("it holds JSON", lambda text, _: _MEMBER.search(text) or _has_json_line(text)),
    ("it holds a table", lambda text, _: _TABLE.search(text)),
    (
        "it holds a number posing as a state",
        lambda text, _: _SETTING.search(text) or _METER.search(text),
    ),
    ("it sets variables", lambda text, _: _ASSIGNMENT.search(text) or _SETTINGS.search(text)),
    ("it holds a bracketed marker", lambda text, _: _MARKER.search(text)),
    ("it talks of the machinery", lambda text, phrases: find_phrase(text, phrases.meta)),
    ("it gives stage directions", lambda text, phrases: find_phrase(text, phrases.directive)),
)
"""Why a text is not prose. `docs/story.md` has examples of each."""


def why_not_prose(text: str, phrases: Phrases) -> str | None:
    """The first reason why a text is not natural language; None if it is."""
    return next((reason for reason, applies in _NOT_PROSE if applies(text, phrases)), None)


def demand_prose(text: str, path: str, phrases: Phrases) -> None:
    """Refuse a text that is not natural language, with a ContractError of code `prose`."""
    reason = why_not_prose(text, phrases)
    demand(reason is None, "prose", path, f"expected natural language; {reason}")


def _has_json_line(text: str) -> bool:
    """Whether a line by itself is a JSON object or list. A line that is a JSON string does not
    count: quotation marks may be somebody's speech."""
    lines = (line.strip() for line in text.splitlines())
    return any(
        line[:1] in ("{", "[") and line[-1:] in ("}", "]") and _is_json(line) for line in lines
    )


def _is_json(text: str) -> bool:
    """Whether a text is a JSON object, list or string. A bare number or word does not count."""
    if text.lstrip()[:1] not in ("{", "[", '"'):
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
