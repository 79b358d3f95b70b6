"""Reads JSON from strangers.

`decode_json` is strict: UTF-8, one JSON value, nothing else, with numbers as JavaScript would hold
them. `find_object` is for models, which like to talk: it takes the first object that it can find in
a text. Both raise `DecodeError` and nothing else, whatever they are given, and both do a bounded
amount of work.
"""

import re

from thorp.kernel.canonical import DEPTH_LIMIT, Json
from thorp.kernel.errors import InvalidError, LimitError
from thorp.kernel.strict_json import StrictJson

# How many characters of a model's text are searched: answers with an action are short.
SEARCH_LIMIT = 1 << 16
# How many opening braces are tried, so that a text full of braces costs no more than another.
CANDIDATE_LIMIT = 100
# The longest text that is read whole: every caller takes less from its connection or file.
BYTES_LIMIT = 64 << 20

# An action as deep as a log can hold it, inside its message.
_MESSAGE = StrictJson(bytes_limit=BYTES_LIMIT, depth_limit=DEPTH_LIMIT + 1, ecmascript=True)
# If a model writes a key twice, the last one counts, as in JavaScript.
_SAID = StrictJson(
    bytes_limit=SEARCH_LIMIT, depth_limit=DEPTH_LIMIT, ecmascript=True, unique_keys=False
)
# A JSON string holds no raw line feed, so a closing tag alone on its line is never part of one.
_THOUGHTS = re.compile(r"\s*<think>.*?</think>|.*?^</think>[ \t]*$", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"```[A-Za-z0-9]*[ \t]*\r?\n(.*?)```", re.DOTALL)


class DecodeError(InvalidError):
    """A text is not JSON, or not JSON that we accept."""

    code = "not_json"


def decode_json(data: bytes) -> Json:
    """The value of a JSON text in UTF-8."""
    try:
        return _MESSAGE.read(data)
    except (InvalidError, LimitError) as refusal:
        raise DecodeError(refusal.message, code=refusal.code) from None


def find_object(text: str) -> dict[str, Json]:
    """The first JSON object in a model's text: the whole text, or else a fenced block, or else
    whatever begins at a brace.

    What a model thinks aloud, up to `</think>`, does not count.
    """
    return _find(text)[0]


def find_object_text(text: str) -> str:
    """The text of the object that `find_object` finds, as the model wrote it."""
    return _find(text)[1]


def _find(text: str) -> tuple[dict[str, Json], str]:
    """The first object in a model's text, and its text."""
    answer = text[:SEARCH_LIMIT]
    thoughts = _THOUGHTS.match(answer)
    if thoughts is not None:
        answer = answer[thoughts.end() :]
    for block in [answer, *(fence[1] for fence in _FENCE.finditer(answer))]:
        match = _object_at(block, len(block) - len(block.lstrip()), whole_text=True)
        if match is not None:
            return match
    start = answer.find("{")
    for _ in range(CANDIDATE_LIMIT):
        if start < 0:
            break
        match = _object_at(answer, start, whole_text=False)
        if match is not None:
            return match
        start = answer.find("{", start + 1)
    raise DecodeError("no JSON object")


def _object_at(text: str, start: int, *, whole_text: bool) -> tuple[dict[str, Json], str] | None:
    """The object that begins here, and its text; None if none does, or if `whole_text` and more
    follows it."""
    try:
        value, end = _SAID.read_at(text, start)
    except InvalidError:
        return None
    if whole_text and text[end:].strip():
        return None
    return (value, text[start:end]) if isinstance(value, dict) else None
