"""The records of a world's journal (one header a segment, one record a tick), and the epoch that
a header names.

`docs/world-keeping.md` explains every field. Each record confirms the tick before it by its digest,
and names the actions of that tick whose rules failed; so a tick with such actions is never the last
one of a segment. `RULES` grows with every release under which the same inputs could lead to another
state; older epochs are replayed by the release that `RELEASES` names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from thorp.kernel.errors import DamagedError, InvalidError
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.voxel import extension
from thorp.voxel.catalog import Catalogs
from thorp.voxel.inputs import AnyInput
from thorp.voxel.state.world import WorldState
from thorp.voxel.tuning import Tuning

FORMAT: Final = 2  # The version of the records in a journal and of the parts of a snapshot.
RULES: Final = 3
# The first release with each version of the rules.
RELEASES: Final = {1: "0.1.0.dev0", 2: "0.1.0.dev1", 3: "0.1.0"}

# Every reader of JSON keeps integers up to this limit exact.
SEED_LIMIT: Final = 2**53
Seed = Annotated[int, Meta(ge=-SEED_LIMIT, le=SEED_LIMIT)]

# A tick with more bytes is written as several records. A record may have 8 MiB, and one input comes
# from a frame of at most 1 MiB, of which a character can become six in JSON.
PART_BYTES: Final = 1024 * 1024

R = TypeVar("R")
W = TypeVar("W", bound=WorldState)

_encode = msgspec.json.Encoder().encode


def named_release(rules: int) -> str:
    """The first release with these rules, as a user would name it."""
    release = RELEASES.get(rules)
    return f"thorp {release}" if release else "another release"


def check_seed(name: str, seed: int | None) -> None:
    """Refuse a seed that no journal can hold."""
    if seed is not None and not -SEED_LIMIT <= seed <= SEED_LIMIT:
        raise InvalidError(f"the {name} must be in ±{SEED_LIMIT}, not {seed}", code="seed")


def check_format(header: object) -> None:
    """Refuse the header of a format that this release does not know, before its other fields are
    read: they may be anything."""
    match header:
        case {"terms": {"format": int(version)}} if version != FORMAT:
            is_newer = version > FORMAT
            advice = "open it with a later one" if is_newer else "move it aside with --fresh"
            raise InvalidError(
                f"this world has format {version}, and this release reads {FORMAT}; {advice}",
                code="version",
            )


class Epoch(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of ticks that were executed under the same rules, catalogs, extensions and tuning.

    Every segment of the journal and every snapshot carries it in its header, as `terms`.
    """

    format: int = FORMAT
    protocol: str = PROTOCOL_VERSION
    rules: int
    catalogs: str  # The digest of everything that rules could look up.
    extensions: tuple[str, ...] = msgspec.field(default=(), name="annexes")
    """The names of the extensions that took part."""
    seed: Seed
    draw_seed: Seed
    tuning: Tuning
    number: Annotated[int, Meta(ge=1)] = msgspec.field(default=1, name="epoch")
    begin_tick: Annotated[int, Meta(ge=0)] = msgspec.field(default=0, name="epoch_tick")
    """The tick whose state the epoch began with."""
    reason: str = "founded"  # Why the epoch began.
    redraw: Seed | UnsetType = UNSET
    """The seed of all draws since a fork that was given one. The land and its hidden ore still
    follow from `draw_seed`. Left out where there is none, as in every older journal."""

    @property
    def drawn_from(self) -> int:
        """The seed of the draws in this epoch."""
        return self.draw_seed if self.redraw is UNSET else self.redraw

    def begin_world(
        self, make_world: Callable[[int, int, Tuning], W], tuning: Tuning | None = None
    ) -> W:
        """A world at tick 0 with the seeds of this epoch, and its tuning or another."""
        world = make_world(self.seed, self.draw_seed, tuning or self.tuning)
        if self.redraw is not UNSET:
            world.redraw(self.redraw)
        return world

    def successor(
        self,
        world: WorldState,
        reason: str,
        *,
        tuning: Tuning | None = None,
        redraw: int | None = None,
    ) -> Epoch:
        """The epoch in which a world goes on from its tick under our rules, with its own tuning
        or another, and its own draws or others."""
        return Epoch(
            rules=RULES,
            catalogs=world.catalogs.digest(),
            extensions=extension.names(world.extensions),
            seed=self.seed,
            draw_seed=self.draw_seed,
            tuning=tuning or world.tuning,
            number=self.number + 1,
            begin_tick=world.tick,
            reason=reason,
            redraw=self.redraw if redraw is None else redraw,
        )

    def obstacle(self, catalogs: Catalogs, extensions: Iterable[extension.Extension]) -> str | None:
        """Why these catalogs and our rules cannot execute the ticks of this epoch; None if they
        can. Refuses as `annex` if an extension is missing: then no rules can. An extension that
        took no part is left out when the ticks are executed."""
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
    """The first record of a segment, which ties it to the segment before."""

    epoch: Epoch = msgspec.field(name="terms")
    first_tick: int
    digest: str
    previous: str | None
    """The tip of the segment before; None in the first segment of a world or a fork, and after a
    loss that was accepted."""
    began_s: int  # When it was begun, in seconds since 1970. No rule depends on it.


class TickRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """The inputs of one tick, which are enough to execute it again."""

    tick: int
    digest: str = ""  # The digest before this tick.
    parts: int = 1  # How many records the tick has.
    inputs: list[AnyInput] = []
    failed: list[int] = []  # The actions of the tick before whose rules failed.


class _Numbered(msgspec.Struct, frozen=True):
    """A record without its inputs, which may be of rules that this release does not know."""

    tick: int
    digest: str = ""


_read_tick = msgspec.json.Decoder(TickRecord).decode
_read_number = msgspec.json.Decoder(_Numbered).decode


def encode_tick(
    tick: int, digest: str, inputs: Sequence[AnyInput], failed: Sequence[int] = ()
) -> list[bytes]:
    """The records of one tick: nearly always one, more if it is long."""
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
    """The ticks that records hold, with the parts of each put together."""
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
    """The tick that a record belongs to, whatever rules its inputs are for."""
    return _decoded(_read_number, payload).tick


def digest_of(payload: bytes) -> str:
    """The digest before the tick of a record, which must be the first of its tick."""
    return _decoded(_read_number, payload).digest


def _decoded(read: Callable[[bytes], R], payload: bytes) -> R:
    try:
        return read(payload)
    except msgspec.DecodeError as error:
        raise DamagedError(f"a record is not that of a tick: {error}") from None


def decode_header(fields: object) -> SegmentHeader:
    """The header of a segment. Raises DamagedError if it is malformed, and refuses as `version` one
    that only another release can read."""
    check_format(fields)
    try:
        return msgspec.convert(fields, SegmentHeader)
    except msgspec.ValidationError as error:
        raise DamagedError(f"this is not the journal of a world: {error}") from None
