"""JSON from strangers.

`decode_json` is strict: UTF-8, one JSON value, nothing else, its numbers as JavaScript would hold them.
`find_object` is for models, which like to talk: it takes the first object it can find in a text. Both
raise `DecodeError` and nothing else, whatever they are given, and both do a bounded amount of work.
"""

from __future__ import annotations

import json
import re
from typing import NoReturn

from thorp.kernel.canonical import DEPTH_LIMIT, Json
from thorp.kernel.errors import InvalidError
from thorp.kernel.numbers import whole

SEARCH_LIMIT = 1 << 16
"""How many characters of a model's text are searched: an action stands in a short answer or nowhere."""

CANDIDATE_LIMIT = 100
"""How many opening braces are tried, so that a text made of braces costs no more than a long one."""

_EXACT_DIGITS = 15
# A JSON string holds no raw line feed, so a closing tag alone on its line is never part of one.
_THOUGHTS = re.compile(r"\s*<think>.*?</think>|.*?^</think>[ \t]*$", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"```[A-Za-z0-9]*[ \t]*\r?\n(.*?)```", re.DOTALL)


class DecodeError(InvalidError):
    """What came is no JSON that we take."""

    code = "not_json"


def decode_json(data: bytes) -> Json:
    """The value of a JSON text in UTF-8."""
    try:
        return _decoder.decode(data.decode("utf-8"))
    except RecursionError:
        raise DecodeError(f"nested deeper than {DEPTH_LIMIT} levels", code="depth") from None
    except ValueError as failure:
        raise DecodeError(f"not JSON: {failure}") from None


def find_object(text: str) -> dict[str, Json]:
    """The first JSON object in a model's text: all of it, else a fenced block, else from some brace on.

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
        found = _object_at(block, len(block) - len(block.lstrip()), whole_text=True)
        if found is not None:
            return found
    start = answer.find("{")
    for _ in range(CANDIDATE_LIMIT):
        if start < 0:
            break
        found = _object_at(answer, start, whole_text=False)
        if found is not None:
            return found
        start = answer.find("{", start + 1)
    raise DecodeError("no JSON object")


def _object_at(text: str, start: int, *, whole_text: bool) -> tuple[dict[str, Json], str] | None:
    try:
        value, end = _decoder.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    if whole_text and text[end:].strip():
        return None
    return (value, text[start:end]) if isinstance(value, dict) else None


def _read_integer(text: str) -> float:
    # Python refuses to convert very long digit strings; a double holds no more than 15 of them anyway.
    return int(text) if len(text) <= _EXACT_DIGITS else whole(float(text))


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


_decoder = json.JSONDecoder(parse_int=_read_integer, parse_constant=_refuse_constant)
