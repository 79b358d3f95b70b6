"""The records of a world's journal (one header a segment, one record a tick), and the terms of an
epoch.

`docs/world-keeping.md` explains every field. Each record confirms the tick before it by its digest,
and names the actions of that tick that failed inside; so a tick with such actions is never the last
one of a segment. `RULES` grows with every release under which the same inputs could lead to another
state; older epochs are replayed by the release that `RELEASES` names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta

from thorp.kernel.errors import DamagedError, InvalidError
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.voxel import extension
from thorp.voxel.catalog import Catalogs
from thorp.voxel.inputs import AnyInput
from thorp.voxel.state.world import WorldState
from thorp.voxel.tuning import Tuning

FORMAT: Final = 2  # Of the records in a journal and of the parts of a snapshot.
RULES: Final = 3
# The first release with each version of the rules.
RELEASES: Final = {1: "0.1.0.dev0", 2: "0.1.0.dev1", 3: "0.1.0"}

# What every reader of JSON keeps exact.
SEED_LIMIT: Final = 2**53
Seed = Annotated[int, Meta(ge=-SEED_LIMIT, le=SEED_LIMIT)]

# A journal's record may have 8 MiB. One input has at most the 1 MiB of a frame, written anew: a
# character of it can become six.
PART_BYTES: Final = 1024 * 1024

R = TypeVar("R")

_encode = msgspec.json.Encoder().encode


def named_release(rules: int) -> str:
    """The first release with these rules, as a user would name it."""
    release = RELEASES.get(rules)
    return f"thorp {release}" if release else "another release"


def check_format(header: object) -> None:
    """Refuse the header of a format that this release does not know, before its fields are looked
    at."""
    match header:
        case {"terms": {"format": int(found)}} if found != FORMAT:
            way = "open it with a later one" if found > FORMAT else "move it aside with --fresh"
            told = f"this world has format {found}, and this release reads {FORMAT}; {way}"
            raise InvalidError(told, code="version")


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The head of every journal segment and snapshot."""

    format: int = FORMAT
    protocol: str = PROTOCOL_VERSION
    rules: int
    catalogs: str  # Digest of everything the rules could look up.
    extensions: tuple[str, ...] = msgspec.field(default=(), name="annexes")
    """The names of rules from outside that took part."""
    seed: Seed
    draw_seed: Seed
    tuning: Tuning
    epoch: Annotated[int, Meta(ge=1)] = 1
    epoch_tick: Annotated[int, Meta(ge=0)] = 0  # The tick whose state the epoch began with.
    reason: str = "founded"  # Why the epoch began.

    def next_epoch(self, world: WorldState, reason: str, *, tuning: Tuning | None = None) -> Terms:
        """The terms of a world that goes on from its tick under our rules, with its own tuning or
        another."""
        return Terms(
            rules=RULES,
            catalogs=world.catalogs.digest(),
            extensions=extension.names(world.extensions),
            seed=self.seed,
            draw_seed=self.draw_seed,
            tuning=tuning or world.tuning,
            epoch=self.epoch + 1,
            epoch_tick=world.tick,
            reason=reason,
        )

    def foreign(self, catalogs: Catalogs, extensions: Iterable[extension.Extension]) -> str | None:
        """Why these catalogs and our rules cannot execute what was executed under these terms.
        Refuses as `annex` if an extension is missing: then no rules can. One that took no part is
        left out when the ticks are executed."""
        extension.check(extension.names(extensions), self.extensions)
        if self.rules != RULES:
            return (
                f"it has rules {self.rules}, which {named_release(self.rules)} can replay; "
                f"these are rules {RULES}"
            )
        if self.catalogs != catalogs.digest():
            return "its catalogs are not those of this release"
        return None


class SegmentHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first record of a journal file, which ties it to the file before."""

    terms: Terms
    first_tick: int
    digest: str
    previous: str | None
    """The tip of the segment before; None in the first one of a world, a fork, or what retention
    left."""
    began_s: int  # When it was begun, in seconds since 1970. No rule looks at it.


class TickRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one tick took in; enough to execute it again."""

    tick: int
    digest: str = ""
    parts: int = 1
    inputs: list[AnyInput] = []
    failed: list[int] = []


class _Numbered(msgspec.Struct, frozen=True):
    tick: int
    digest: str = ""


_read_tick = msgspec.json.Decoder(TickRecord).decode
_read_number = msgspec.json.Decoder(_Numbered).decode


def encode_tick(
    tick: int, digest: str, inputs: Sequence[AnyInput], failed: Sequence[int] = ()
) -> list[bytes]:
    """The records of one tick; nearly always one."""
    whole = _encode(TickRecord(tick=tick, digest=digest, inputs=list(inputs), failed=list(failed)))
    if len(whole) <= PART_BYTES:
        return [whole]
    texts = [msgspec.Raw(_encode(entry)) for entry in inputs]
    first, *rest = _portions(texts)
    failures = {"failed": failed} if failed else {}
    whole = _encode(
        {"tick": tick, "digest": digest, "parts": 1 + len(rest), "inputs": first, **failures}
    )
    return [whole, *(_encode({"tick": tick, "inputs": portion}) for portion in rest)]


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
    records = (_decoded(_read_tick, payload) for payload in payloads)
    for record in records:
        inputs = record.inputs
        for _ in range(record.parts - 1):
            more = next(records, None)
            if more is None or more.tick != record.tick:
                raise DamagedError(f"tick {record.tick} should have {record.parts} records")
            inputs += more.inputs
        yield record


def tick_of(payload: bytes) -> int:
    """The tick a record belongs to, whatever rules its inputs are for."""
    return _decoded(_read_number, payload).tick


def digest_of(payload: bytes) -> str:
    """The digest before the tick of a record that is the first of its tick."""
    return _decoded(_read_number, payload).digest


def _decoded(read: Callable[[bytes], R], payload: bytes) -> R:
    try:
        return read(payload)
    except msgspec.DecodeError as error:
        raise DamagedError(f"a record is none of a tick: {error}") from None


def decode_header(fields: object) -> SegmentHeader:
    """Read the header of a segment, or refuse what is none, and what only a later release can
    read."""
    check_format(fields)
    try:
        return msgspec.convert(fields, SegmentHeader)
    except msgspec.ValidationError as error:
        raise DamagedError(f"this is not the journal of a world: {error}") from None
