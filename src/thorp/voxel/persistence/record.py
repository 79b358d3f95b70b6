"""The records of a world's journal: one header a segment, and one record a tick.

    header   {"terms":{…},"first_tick":3001,"digest":"…","previous":"…","began_s":1767225600}
    record   {"tick":3001,"digest":"…","inputs":[…]}

`digest` is that of the state before the tick, so each record confirms the tick before it, and the header
of a segment confirms the last one of the segment before. `previous` is the hash of that segment's last
record: the segments of a world are one chain.

`failed`, where there is one, are the numbers of those actions of the tick before whose rules failed inside.
A tick with such actions is never the last one of a segment.

The inputs of a tick that are too long for one record continue in others of the same batch, which have the
same tick and no digest; `parts` says how many records there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from thorp.kernel.errors import DamagedError
from thorp.voxel.epoch import Terms, check_format
from thorp.voxel.inputs import AnyInput

# A journal's record may have 8 MiB. One input has at most the 1 MiB of a frame, written anew: a character of
# it can become six.
PART_BYTES: Final = 1024 * 1024

_encode = msgspec.json.Encoder().encode


class SegmentHeader(msgspec.Struct, frozen=True, kw_only=True):
    """What a segment of the journal begins with."""

    terms: Terms
    first_tick: int
    digest: str
    previous: str | None
    """The tip of the segment before; None in the first one of a world, a fork, or what retention left."""
    began_s: int
    """When it was begun, in seconds since 1970. No rule looks at it."""


class TickRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    tick: int
    digest: str = ""
    parts: int = 1
    inputs: list[AnyInput] = []
    failed: list[int] = []


class _Raw(msgspec.Struct, frozen=True, omit_defaults=True):
    tick: int
    digest: str = ""
    parts: int = 1
    inputs: list[msgspec.Raw] = []
    failed: list[int] = []


class _Numbered(msgspec.Struct, frozen=True):
    tick: int
    digest: str = ""


_decode = msgspec.json.Decoder(TickRecord).decode


def encode_tick(
    tick: int, digest: str, inputs: Sequence[AnyInput], failed: Sequence[int] = ()
) -> list[bytes]:
    """The records of one tick; nearly always one."""
    whole = _encode(TickRecord(tick, digest, inputs=list(inputs), failed=list(failed)))
    if len(whole) <= PART_BYTES:
        return [whole]
    texts = [msgspec.Raw(_encode(entry)) for entry in inputs]
    first, *rest = _portions(texts)
    return [
        _encode(_Raw(tick, digest, 1 + len(rest), first, list(failed))),
        *(_encode(_Raw(tick, inputs=portion)) for portion in rest),
    ]


def _portions(texts: list[msgspec.Raw]) -> list[list[msgspec.Raw]]:
    portions: list[list[msgspec.Raw]] = [[]]
    size = 0
    for text in texts:
        length = memoryview(text).nbytes
        if size and size + length > PART_BYTES:
            portions.append([])
            size = 0
        portions[-1].append(text)
        size += length
    return portions


def decode_ticks(payloads: Iterable[bytes]) -> Iterator[TickRecord]:
    """The ticks that records stand for, each whole."""
    records = map(_decode_one, payloads)
    for record in records:
        inputs = record.inputs
        for _ in range(record.parts - 1):
            more = next(records, None)
            if more is None or more.tick != record.tick:
                raise DamagedError(f"tick {record.tick} should have {record.parts} records")
            inputs += more.inputs
        yield record


def _decode_one(payload: bytes) -> TickRecord:
    try:
        return _decode(payload)
    except msgspec.DecodeError as error:
        raise DamagedError(f"a record is none of a tick: {error}") from None


def tick_of(payload: bytes) -> int:
    """The tick a record belongs to, whatever rules its inputs are for."""
    return _numbered(payload).tick


def digest_of(payload: bytes) -> str:
    """The digest before the tick of a record that is the first of its tick."""
    return _numbered(payload).digest


def _numbered(payload: bytes) -> _Numbered:
    try:
        return msgspec.json.decode(payload, type=_Numbered)
    except msgspec.DecodeError as error:
        raise DamagedError(f"a record is none of a tick: {error}") from None


def decode_header(fields: object) -> SegmentHeader:
    """Read the header of a segment, or refuse what is none, and what only a later release can read."""
    check_format(fields)
    try:
        return msgspec.convert(fields, SegmentHeader)
    except msgspec.ValidationError as error:
        raise DamagedError(f"this is not the journal of a world: {error}") from None


def encode_header(header: SegmentHeader) -> dict[str, object]:
    fields: dict[str, object] = msgspec.to_builtins(header)
    return fields
