"""JSON from strangers.

`decode_json` is strict: UTF-8, one JSON value, nothing else, its numbers as JavaScript would hold
them. `find_object` is for models, which like to talk: it takes the first object it can find in a
text. Both raise `DecodeError` and nothing else, whatever they are given, and both do a bounded
amount of work.
"""

import re

from thorp.kernel.canonical import DEPTH_LIMIT, Json
from thorp.kernel.errors import InvalidError, LimitError
from thorp.kernel.strict_json import StrictJson

SEARCH_LIMIT = (
    1 << 16
)  # Characters of a model's text that are searched: an action stands in a short answer.
CANDIDATE_LIMIT = (
    100  # Opening braces that are tried, so that a text of braces costs no more than another.
)
BYTES_LIMIT = (
    64 << 20
)  # The longest text read whole: every caller takes less from its connection or file.

# An action as deep as a log can hold it, inside its message.
_MESSAGE = StrictJson(bytes_limit=BYTES_LIMIT, depth_limit=DEPTH_LIMIT + 1, ecmascript=True)
# Where a model wrote a key twice, the last one counts, as in JavaScript.
_SAID = StrictJson(
    bytes_limit=SEARCH_LIMIT, depth_limit=DEPTH_LIMIT, ecmascript=True, unique_keys=False
)
# A JSON string holds no raw line feed, so a closing tag alone on its line is never part of one.
_THOUGHTS = re.compile(r"\s*<think>.*?</think>|.*?^</think>[ \t]*$", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"```[A-Za-z0-9]*[ \t]*\r?\n(.*?)```", re.DOTALL)


class DecodeError(InvalidError):
    """What came is no JSON that we take."""

    code = "not_json"


def decode_json(data: bytes) -> Json:
    """The value of a JSON text in UTF-8."""
    try:
        return _MESSAGE.read(data)
    except (InvalidError, LimitError) as refusal:
        raise DecodeError(refusal.message, code=refusal.code) from None


def find_object(text: str) -> dict[str, Json]:
    """The first JSON object in a model's text: all of it, else a fenced block, else from some brace
    on.

    What a model thought aloud, up to `</think>`, does not count.
    """
    return _find(text)[0]


def find_object_text(text: str) -> str:
    """The same object as the model wrote it."""
    return _find(text)[1]


def _find(text: str) -> tuple[dict[str, Json], str]:
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
    try:
        value, end = _SAID.read_at(text, start)
    except InvalidError:
        return None
    if whole_text and text[end:].strip():
        return None
    return (value, text[start:end]) if isinstance(value, dict) else None
