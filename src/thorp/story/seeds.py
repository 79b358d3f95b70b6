"""Seeds: entries that a keeper puts into the world outside of beats, such as a first scene or a
calendar note.

A seed commits in one transaction under its own request id. The pocket shows nothing that the entry
does not say: title, place and notes are literal pieces of the entry's text, a message is its text,
and the sender of a message is the author of the entry.
"""

from typing import Final

import msgspec

from thorp.kernel.canonical import Json, canonical_text
from thorp.kernel.errors import InvalidError, LimitError, contract_error
from thorp.kernel.identity import digest
from thorp.kernel.strict_json import is_storable
from thorp.story.acceptance import ProposalContext, judge_operator_entries
from thorp.story.answer import OK, Answer, OtherPayload
from thorp.story.beat import BeatContext
from thorp.story.config import StoryConfig
from thorp.story.contracts.invocation_envelope import REQUEST_ID_LIMIT
from thorp.story.contracts.validation import demand, read_shape, value_at
from thorp.story.contracts.write_bundle import bundle_of, entry_of
from thorp.story.instants import instant_text, parse_instant
from thorp.story.projection import StreamSlice
from thorp.story.storage import Insert, RequestRow

ENGINE: Final = "ENGINE_1_INVOCATION"
POCKET_LIMIT: Final = 1000  # Records of a pocket: all of it is part of every projection.


class CalendarNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An appointment that the pocket's calendar shows of a seed's entry."""

    title: str
    time: str | None = None
    location: str | None = None
    notes: str | None = None


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message that the pocket shows of a seed's entry."""

    text: str
    time: str | None = None


class Seed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One entry to be put into the world, and what the pocket shows of it."""

    request_id: str
    author_id: str
    text: str
    visible_to: tuple[str, ...] = ()
    calendar: CalendarNote | None = None
    message: Message | None = None


def read_seed(value: object, config: StoryConfig) -> Seed:
    """Read a seed. Refuses with a ContractError, also if the pocket would show something that the
    entry does not say."""
    seed = read_shape(Seed, value)
    demand(bool(seed.request_id.strip()), "request_id", "$.request_id", "a seed has a request id")
    demand(len(seed.request_id) <= REQUEST_ID_LIMIT, "request_id", "$.request_id", "it is too long")
    mute = (config.identity.system_actor, config.identity.operator_id)
    demand(
        seed.author_id not in mute,
        "author",
        "$.author_id",
        "neither the system nor the operator is seeded: USER is what the operator typed in a beat",
    )
    named = [
        ("$.request_id", seed.request_id),
        ("$.author_id", seed.author_id),
        ("$.text", seed.text),
    ]
    for path, text in (
        *named,
        *(("$.visible_to", each) for each in seed.visible_to),
        *_pieces(seed),
    ):
        demand(is_storable(text), "text", path, "it holds NUL or half of a surrogate pair")
    for path, piece in _pieces(seed):
        demand(piece in seed.text, "literal", path, "expected a literal piece of the entry's text")
    try:
        for part in (seed.calendar, seed.message):
            if part is not None and part.time is not None:
                parse_instant(part.time)
    except InvalidError as error:
        raise contract_error("time", "$.time", error.message) from None
    return seed


def commit_seed(context: BeatContext, seed: Seed) -> Answer:
    """Commit a seed. The clock does not move, and no writer is called."""
    text = canonical_text(msgspec.to_builtins(seed))
    payload_hash = digest(text.encode())
    stored = context.ledger.stored_answer(seed.request_id)
    if stored is not None:
        if stored.payload_hash != payload_hash:
            raise OtherPayload("this request_id was used for something else")
        return Answer(status=stored.status, body=stored.body, replayed=True)
    head = context.ledger.head()
    entry = _accepted(context, seed, head.clock.instant)
    before = context.ledger.visible_count(context.config.identity.operator_id)
    proposer = {"engine": ENGINE, "actor": context.config.identity.system_actor}
    appended = context.ledger.append_bundle(head, [entry], head.clock.instant, proposer)
    rows = _pocket_rows(context, seed, head.beat + 1, appended.seq)
    context.ledger.insert(rows)
    bundle_id = appended.bundle.bundle_id
    entries = StreamSlice(before, at_least=1)
    body = context.projector.render(seed.request_id, head.clock, bundle_id, entries)
    answer = msgspec.json.encode(body).decode()
    request = RequestRow(
        request_id=seed.request_id,
        kind="SEED",
        payload_hash=payload_hash,
        envelope=text,
        status=OK,
        body=answer,
    )
    context.ledger.close_beat(
        head, appended, head.clock, outcome="SOWN", rows=[], request=request, stored=rows
    )
    return Answer(status=OK, body=answer)


def _accepted(context: BeatContext, seed: Seed, instant: int) -> dict[str, Json]:
    """The entry of a seed. Acceptance judges it like any other, and may refuse it."""
    is_world = seed.author_id == context.config.identity.world_actor
    author_class, channel = ("WORLD", "VOICE") if is_world else ("PERSON", "PEOPLE")
    entry = entry_of(
        seed.request_id,
        instant_text(instant),
        author_id=seed.author_id,
        author_class=author_class,
        channel=channel,
        text=seed.text,
        visible_to=list(seed.visible_to),
    )
    bundle = bundle_of(seed.request_id, ENGINE, context.config.identity.system_actor, [entry])
    beat = ProposalContext(
        request_id=seed.request_id,
        instant=instant,
        config=context.config,
        is_somebody=context.ledger.is_somebody,
    )
    verdict = judge_operator_entries(bundle, beat, seed.text)
    if not verdict.accepted:
        raise contract_error(verdict.code or "", "$", f"this cannot be written: {verdict.code}")
    return entry


def _pocket_rows(context: BeatContext, seed: Seed, beat: int, seq: int) -> list[Insert]:
    """The records that the pocket gets from a seed. Refuses if it has too many already."""
    fields: list[tuple[str, Json]] = []
    if seed.calendar is not None:
        fields.append(("calendar", msgspec.structs.asdict(seed.calendar)))
    if seed.message is not None:
        message = {"from": seed.author_id, "text": seed.message.text, "time": seed.message.time}
        fields.append(("message", message))
    count = len(context.ledger.pocket()) if fields else 0
    if count + len(fields) > POCKET_LIMIT:
        raise LimitError(
            f"the pocket has {POCKET_LIMIT} records; that is the most", code="pocket_limit"
        )
    return [
        ("story_pocket", (count + number, beat, seq, kind, msgspec.json.encode(record).decode()))
        for number, (kind, record) in enumerate(fields, start=1)
    ]


def _pieces(seed: Seed) -> list[tuple[str, str]]:
    """The texts that the pocket will show, each with its path in the seed."""
    value = msgspec.to_builtins(seed)
    names = ("calendar.title", "calendar.location", "calendar.notes", "message.text")
    pieces = [(f"$.{name}", value_at(value, *name.split("."))) for name in names]
    return [(path, piece) for path, piece in pieces if piece is not None]
