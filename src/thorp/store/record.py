"""One line of a journal: a JSON object that frames one payload. `docs/store.md` describes its
fields.

The order of the keys and the absence of spaces belong to the format, so that a line can be checked
by slicing. Every line begins with a brace and a tab, which no payload can contain: after damage
later records are found by that, even without line breaks.

A line can be checked without its neighbours, because `prev` is in it: a single sound line says how
far the file had been durable before it. Journals of version 1 have links of 32 digits, and are read
and continued as they are. All versions frame the header the same way, so that an older release can
tell a newer journal from a damaged one.
"""

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from thorp.kernel.errors import InvalidError, LimitError, item

GENESIS: Final = b"0" * 64
MARK: Final = b'{\t"hash":"'

# The largest body the servers take is 1 MiB; a tick's inputs of a thousand agents stay below 2 MiB.
MAX_RECORD_BYTES: Final = 8 * 1024 * 1024
MAX_UNSYNCED_BYTES: Final = 64 * 1024 * 1024  # What a crash can tear; recovery holds it in memory.

_FRAME: Final = re.compile(
    MARK.replace(b"{", rb"\{")
    + rb'([0-9a-f]{64}|[0-9a-f]{32})","prev":"([0-9a-f]{64}|[0-9a-f]{32})",'
    rb'"n":(0|[1-9][0-9]{0,17}),"synced":(0|[1-9][0-9]{0,17}),"left":(0|[1-9][0-9]{0,17}),"data":'
)
MAX_FRAME_BYTES: Final = 256
MAX_LINE_BYTES: Final = MAX_RECORD_BYTES + MAX_FRAME_BYTES

_json = msgspec.json.Decoder(msgspec.Raw)

FORMAT: Final = "thorp.journal"
VERSION: Final = 2
KNOWN_VERSIONS: Final = (1, VERSION)
# A header names versions and seeds. Longer things belong in records.
MAX_HEADER_BYTES: Final = 64 * 1024


class Record(NamedTuple):
    """A line whose hash is right, taken apart."""

    hash: bytes
    prev: bytes
    n: int
    synced: int
    left: int
    data: bytes


def check_payload(payload: bytes, index: int) -> None:
    """Refuse a payload that is not one JSON value on one line, within the limit."""
    path = item("$", index)
    if len(payload) > MAX_RECORD_BYTES:
        raise LimitError(
            f"a record may have {MAX_RECORD_BYTES} bytes, this has {len(payload)}; split it",
            code="record_too_long",
            path=path,
        )
    if b"\n" in payload or b"\t" in payload or b"\r" in payload:
        raise InvalidError(
            "a record is one line: write JSON without line breaks and tabs", path=path
        )
    try:
        _json.decode(payload)
        if not payload.isascii():
            payload.decode()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidError(f"a record is one JSON value in UTF-8: {error}", path=path) from None


def encode_batch(
    payloads: Sequence[bytes], *, first: int, synced: int, prev: bytes
) -> tuple[bytes, bytes]:
    """Return the lines of one batch, joined, and the hash of the last one. Links are as long as
    `prev`."""
    lines = []
    left = len(payloads)
    for n, payload in enumerate(payloads, first):
        left -= 1
        hashed = b'"prev":"%b","n":%d,"synced":%d,"left":%d,"data":%b}' % (
            prev,
            n,
            synced,
            left,
            payload,
        )
        prev = sha256(hashed).hexdigest()[: len(prev)].encode()
        lines.append(b'%b%b",%b\n' % (MARK, prev, hashed))
    return b"".join(lines), prev


def decode_line(line: bytes) -> Record | None:
    """Return the record of a line with its line break, or None if its hash is not right."""
    frame = _FRAME.match(line)
    if frame is None or not line.endswith(b"}\n"):
        return None
    stored, prev, n, synced, left = frame.groups()
    hashed = line[frame.end(1) + len(b'",') : -1]
    if len(prev) != len(stored) or sha256(hashed).hexdigest()[: len(stored)].encode() != stored:
        return None
    return Record(
        hash=stored,
        prev=prev,
        n=int(n),
        synced=int(synced),
        left=int(left),
        data=line[frame.end() : -2],
    )


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
    """Return the header that the journal was made with, or refuse a format or version that this
    release does not know."""
    match json.loads(payload):
        case {"format": str(name), "version": int(version), "header": dict(header)}:
            if name == FORMAT and version in KNOWN_VERSIONS:
                return header
            actual = f"{name} {version}"
        case _:
            actual = "neither format nor version"
    raise InvalidError(
        f"{file}: expected {FORMAT} {VERSION}, found {actual}; open it with the release that wrote "
        "it",
        code="version",
    )
