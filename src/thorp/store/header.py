"""The header of a journal: the payload of its record 0.

    {"format":"thorp.journal","version":1,"header":{…what the caller gave…}}

Every version of the format frames the header as `record` says, so that an older release can tell a
newer journal from a damaged one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from thorp.kernel.errors import InvalidError, LimitError

FORMAT: Final = "thorp.journal"
VERSION: Final = 1

# A header names versions and seeds. What is longer belongs into records.
MAX_HEADER_BYTES: Final = 64 * 1024


def encode_header(header: Mapping[str, object]) -> bytes:
    """Return the payload of record 0, or refuse fields that JSON cannot hold."""
    fields = {"format": FORMAT, "version": VERSION, "header": dict(header)}
    try:
        payload = json.dumps(fields, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidError(f"a journal's header is a JSON object: {error}") from None
    if len(payload) > MAX_HEADER_BYTES:
        raise LimitError(
            f"a journal's header may have {MAX_HEADER_BYTES} bytes, this has {len(payload)}; "
            "write the rest as a record",
            code="header_too_long",
        )
    return payload


def decode_header(file: Path, payload: bytes) -> dict[str, object]:
    """Return what the caller gave, or refuse a format or version that this release does not know."""
    match json.loads(payload):
        case {"format": str(name), "version": int(version), "header": dict(header)}:
            if (name, version) == (FORMAT, VERSION):
                return header
            found = f"{name} {version}"
        case _:
            found = "neither format nor version"
    raise InvalidError(
        f"{file}: expected {FORMAT} {VERSION}, found {found}; open it with the release that wrote it",
        code="version",
    )
