"""One JSON document from bytes that nobody vouches for: strict, bounded, and refused with a reason.

Refused are: more than 1 MiB, what is not UTF-8 or not JSON (NaN and the infinities included), nesting deeper
than 64 levels, and an object with one key twice, which two readers could read in two ways.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ContractError, InvalidError, LimitError, ThorpError

LINE_BYTES_LIMIT: Final = 1 << 20
DEPTH_LIMIT: Final = 64

_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')


def read_document(data: bytes) -> Json:
    """The value of one JSON text."""
    if len(data) > LINE_BYTES_LIMIT:
        raise LimitError(f"longer than {LINE_BYTES_LIMIT} bytes", code="too_long")
    if _depth(data) > DEPTH_LIMIT:
        raise LimitError(f"nested deeper than {DEPTH_LIMIT} levels", code="depth")
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_members, parse_constant=_refuse_constant)
    except ThorpError:
        raise
    except (ValueError, RecursionError) as error:
        raise InvalidError(f"not JSON: {error}", code="not_json") from None


def error_document(error: ThorpError) -> dict[str, Json]:
    """What a batch answers in the place of a bad line."""
    violations = (
        [{"code": each.code, "path": each.path, "message": each.message} for each in error.violations]
        if isinstance(error, ContractError)
        else [{"code": error.code, "path": error.path, "message": error.message}]
    )
    return {"error": {"code": error.code, "path": error.path, "violations": violations}}


def _depth(data: bytes) -> int:
    """How deep brackets nest outside strings. Of what is not JSON it may say anything; the reader refuses."""
    depth = deepest = 0
    for byte in _STRING.sub(b"", data):
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: list[str] = []
        for key, _ in pairs:
            if key in seen:
                raise InvalidError(f"the key {key!r} stands twice in one object", code="duplicate_key")
            seen.append(key)
    return members


def _refuse_constant(name: str) -> Any:
    raise InvalidError(f"{name} is not a JSON number", code="not_json")
