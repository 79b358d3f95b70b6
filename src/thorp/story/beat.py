"""Runs one beat: the only step in which the story changes. `docs/story.md` tells its steps.

    decide_beat   clock → operator's entries → scene → writer and its tools → acceptance   (may take
                                                                                           long)
    store_beat    bundle, entries, clock, packs, audit and answer, in one transaction      (short)

`decide_beat` stores nothing, so an abandoned beat leaves no trace.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ConflictError, StaleError, ThorpError
from thorp.story import scene
from thorp.story.acceptance import (
    PrivateEntry,
    ProposalContext,
    judge_operator_entries,
    judge_proposal,
    proposer_of,
)
from thorp.story.capsules import Capsules
from thorp.story.clock import Clock, advance, declaration_text, demand_same_time
from thorp.story.config import Person, StoryConfig
from thorp.story.contracts.invocation_envelope import InvocationEnvelope, Zones, local_text
from thorp.story.contracts.write_bundle import bundle_of, entry_of
from thorp.story.ids import IdGenerator
from thorp.story.instants import instant_text
from thorp.story.ledger import RealityLedger
from thorp.story.outcomes import BeatReport, report_of
from thorp.story.projection import Projector
from thorp.story.retrieval import Retrieval
from thorp.story.storage import Head, Insert, SceneWindow
from thorp.story.tools import ToolGate
from thorp.story.writer.moment import NO_SETTING, Moment, Writer
from thorp.story.writer.session import Call, Failure, WriterSession, summarise

OK = 200
FAILED = "FAILED"  # The outcome of a beat whose writer could not be asked, or said nothing usable.

_encode = msgspec.json.Encoder().encode


class WriterGaveUp(ThorpError):
    """The writer failed, and the configuration says to abort. Nothing was written."""

    code = "writer_failed"

    def __init__(self, trouble: Failure) -> None:
        super().__init__(
            f"the writer failed, and this story does not go on without it: {trouble.message}"
        )
        self.trouble = trouble


class OtherPayload(ConflictError):
    """This request id was used for something else."""

    code = "request_mismatch"


class AssignedWriter(msgspec.Struct, frozen=True):
    """The writer of a beat, and the person whose view it has; None is the public view."""

    writer: Writer
    view: str | None


class Request(msgspec.Struct, frozen=True):
    """A validated envelope, its canonical text as it is stored, and the digest of that text."""

    envelope: InvocationEnvelope
    text: str
    payload_hash: str


class Answer(NamedTuple):
    """The answer to a request: a status as of HTTP, and the text of the body."""

    status: int
    body: str
    replayed: bool = False  # The same request id was answered before; this is that answer.
    mismatch: bool = False  # That earlier request had another payload.
    outcome: str | None = (
        None  # The audit's verdict on a beat: ACCEPTED, NO_WRITE, REJECTED and the rule, …
    )
    trouble: Failure | None = None  # Why the writer failed, if it did.
    beat: int | None = None  # The number of the beat.

    @property
    def report(self) -> BeatReport | None:
        """What became of the writer, as an operator is told; None if this was no beat."""
        if self.outcome is None:
            return None
        failure = None if self.trouble is None else (self.trouble.code, self.trouble.message)
        return report_of(self.outcome, self.beat, failure)


class DecidedBeat(msgspec.Struct, frozen=True):
    """A beat that is decided and not yet stored."""

    request: Request
    assigned: AssignedWriter
    base: Head
    clock: Clock
    operator_entries: list[dict[str, Json]]
    proposal: dict[str, Json] | None
    outcome: str
    place: int
    opened: scene.OpenedWindow
    session: WriterSession

    @property
    def trouble(self) -> Failure | None:
        """Why the writer failed, if it did."""
        return self.session.trouble if self.outcome == FAILED else None


class Engines(msgspec.Struct, frozen=True):
    """The engines of a beat, over one state of the ledger."""

    config: StoryConfig
    ids: IdGenerator
    zones: Zones
    ledger: RealityLedger
    projector: Projector
    retrieval: Retrieval
    capsules: Capsules


def refresh(engines: Engines, request: Request) -> Answer:
    """Answer a NO_OP: show what is visible, and store only the answer. Refuses to change the
    clock."""
    envelope = request.envelope
    clock = engines.ledger.head().clock
    demand_same_time(envelope, clock)
    body = _project(engines, envelope, clock, 0, None)
    engines.ledger.store_answer(
        (envelope.request_id, "NO_OP", request.payload_hash, request.text, OK, body)
    )
    return Answer(status=OK, body=body)


def decide_beat(
    engines: Engines, request: Request, assigned: AssignedWriter, wall_us: int | None
) -> DecidedBeat:
    """Decide everything about a beat, so that only storing it is left."""
    envelope = request.envelope
    ledger = engines.ledger
    config = engines.config
    base = ledger.head()
    clock = advance(base.clock, envelope, config, engines.zones, wall_us)
    context = ProposalContext(
        request_id=envelope.request_id,
        instant=clock.instant,
        config=config,
        is_somebody=ledger.is_somebody,
    )
    operator_entries = _operator_entries(context, envelope)
    view = assigned.view
    beat = base.beat + 1
    created_at = instant_text(clock.instant)
    place = ledger.visible_count(view)
    assigned.writer.begin()
    calls: list[Call] = []
    retell = partial(summarise, assigned.writer, calls)
    retrieval = engines.retrieval
    capsules = engines.capsules
    ids = engines.ids
    scenes = scene.Scenes(
        _config=config,
        _request_id=envelope.request_id,
        _created_at=created_at,
        _retrieval=retrieval,
        _capsules=capsules,
        _summarise=retell,
    )
    opened = scenes.open(ledger.window(view), view, place, ids, beat)
    moment = _moment(engines, envelope, assigned, created_at, scenes, opened)
    name = partial(ids.anchor, beat)
    gate = partial(ToolGate, config, envelope.request_id, retrieval, capsules, scenes, name, view)
    session = WriterSession(_writer=assigned.writer, _moment=moment, _open_gate=gate, calls=calls)
    asleep = clock.paused and config.time.pause_policy == "FREEZE_REALITY"
    judged_by = partial(_with_private_entries, context, engines, view, scenes, opened, session)
    proposal, outcome = (None, "ASLEEP") if asleep else _ask_writer(engines, session, judged_by)
    return DecidedBeat(
        request=request,
        assigned=assigned,
        base=base,
        clock=clock,
        operator_entries=operator_entries,
        proposal=proposal,
        outcome=outcome,
        place=place,
        opened=opened,
        session=session,
    )


def store_beat(engines: Engines, decided: DecidedBeat) -> Answer:
    """Store a decided beat and what belongs to it, or raise StaleError if another beat was stored
    since."""
    ledger = engines.ledger
    envelope = decided.request.envelope
    clock = decided.clock
    if ledger.head().link != decided.base.link:
        raise StaleError("another beat came first", code="moved")
    before = ledger.visible_count(engines.config.identity.operator_id)
    entries = list(decided.operator_entries)
    if decided.proposal is not None:
        entries += decided.proposal["entries"]
    proposer = proposer_of(engines.config, decided.operator_entries, decided.proposal)
    appended = ledger.append_bundle(decided.base, entries, clock.instant, proposer)
    body = _project(engines, envelope, clock, before, appended.bundle.bundle_id, len(entries))
    beat = decided.base.beat + 1
    rows = [*_pack_rows(decided, beat), *_audit_rows(decided, beat)]
    request = (
        envelope.request_id,
        "BEAT",
        decided.request.payload_hash,
        decided.request.text,
        OK,
        body,
    )
    windows = _windows(engines, decided, entries, appended.public - decided.base.public)
    ledger.close_beat(
        decided.base, appended, clock, "BEAT", decided.outcome, rows, request, windows=windows
    )
    return Answer(status=OK, body=body, outcome=decided.outcome, trouble=decided.trouble, beat=beat)


def _project(
    engines: Engines,
    envelope: InvocationEnvelope,
    clock: Clock,
    otherwise: int,
    bundle_id: str | None,
    at_least: int = 0,
) -> str:
    body = engines.projector.render(
        envelope.request_id,
        clock,
        otherwise,
        bundle_id,
        at_least,
        envelope.stream_cursor,
        envelope.timezone,
    )
    return _encode(body).decode()


# The steps of a beat.


def _operator_entries(
    context: ProposalContext, envelope: InvocationEnvelope
) -> list[dict[str, Json]]:
    identity = context.config.identity
    request_id = context.request_id
    words = envelope.operator.input_text
    created_at = instant_text(context.instant)
    system = identity.system_actor
    entries = []
    if envelope.declared_world_time is not None:
        text = declaration_text(context.instant)
        entries.append(entry_of(request_id, created_at, system, "SYSTEM", "VOICE", text, [system]))
    if words:
        entries.append(
            entry_of(request_id, created_at, identity.operator_id, "OPERATOR", "USER", words, [])
        )
    bundle = bundle_of(request_id, identity.invocation_engine, system, entries)
    verdict = judge_operator_entries(bundle, context, words)
    assert verdict.accepted, verdict.code
    return entries


def _moment(
    engines: Engines,
    envelope: InvocationEnvelope,
    assigned: AssignedWriter,
    created_at: str,
    scenes: scene.Scenes,
    opened: scene.OpenedWindow,
) -> Moment:
    people = engines.config.people
    if assigned.view is not None:
        people = tuple(each for each in people if each.person_id == assigned.view) or (
            Person(assigned.view),
        )
    setting = NO_SETTING
    if assigned.writer.needs_setting:
        pack = _window_head(engines, opened)
        replay = pack.get("physical_continuity_replay")
        setting = scenes.setting(opened.window, assigned.view, pack["text"], replay)
    fresh = envelope.operator.input_text or None
    zone = envelope.timezone or engines.config.time.default_timezone
    local = partial(local_text, zone=zone, zones=engines.zones)
    return Moment(
        config=engines.config,
        request_id=envelope.request_id,
        created_at_world=created_at,
        actor=assigned.view,
        people=people,
        fresh=fresh,
        setting=setting,
        local=local,
    )


def _window_head(engines: Engines, opened: scene.OpenedWindow) -> dict[str, Json]:
    """The pack that a window begins with: a rehydration, or an anchor."""
    window = opened.window
    if window.rehydration_id is not None:
        return opened.rehydration or engines.ledger.pack(window.rehydration_id)
    return opened.anchor or engines.ledger.pack(window.anchor_id)


def _with_private_entries(
    context: ProposalContext,
    engines: Engines,
    view: str | None,
    scenes: scene.Scenes,
    opened: scene.OpenedWindow,
    session: WriterSession,
) -> ProposalContext:
    """The context for judging a proposal: the beat, and which private entries its writer has seen
    so far."""
    served = [(reader, answer) for reader, answer in session.served if reader is not None]
    given = view or next((reader for reader, _ in served), None)
    if given is None:
        return context
    private = [
        row
        for reader, answer in served
        for row in scenes.private_among(reader, scene.entry_ids_of(answer))
    ]
    if view is not None:
        private += scenes.private_of(opened.window, view, _window_head(engines, opened))
    private_entries = {
        row.seq: PrivateEntry(row.text, frozenset(row.visible_to or ())) for row in private
    }
    return msgspec.structs.replace(
        context, only_author=given, private_entries=tuple(private_entries.values())
    )


def _ask_writer(
    engines: Engines, session: WriterSession, judged_by: Callable[[], ProposalContext]
) -> tuple[dict[str, Json] | None, str]:
    """An accepted proposal, or None; and what the audit says of it."""
    outcome = FAILED
    for _ in range(engines.config.writing.max_attempts):
        sample = session.sample()
        outcome = sample.verdict
        if sample.bundle is None:
            if outcome in ("NO_WRITE", "LOOPED"):
                return None, outcome
            outcome = FAILED
            session.drop_scenes()
            continue
        is_silent = outcome == "NO_WRITE"
        verdict = judge_proposal(sample.bundle, judged_by(), silent=is_silent)
        if verdict.accepted:
            return (verdict.bundle, "ACCEPTED") if verdict.bundle["wrote"] else (None, "NO_WRITE")
        outcome = f"REJECTED {verdict.code}"
        session.note_rejection(f"REJECTED {verdict.bundle['rejection']['reason']}")
        session.drop_scenes()
    if (
        outcome == FAILED
        and engines.config.writing.on_failure == "abort"
        and session.trouble is not None
    ):
        raise WriterGaveUp(session.trouble)
    return None, outcome


def _windows(
    engines: Engines, decided: DecidedBeat, entries: list[dict[str, Json]], new_public: int
) -> dict[str | None, SceneWindow]:
    """The window of the beat's view, and one that opens with the next beat for each scene changed
    to."""
    view = decided.assigned.view
    session = decided.session
    seen_by = [(entry["text"], entry["visibility"]["visible_to"]) for entry in entries]
    texts = [text for text, listed in seen_by if not listed or view in listed]
    results = session.results_for(view)
    window = scene.window_after_beat(
        decided.opened.window, decided.place, texts, results, engines.config
    )
    windows = {view: scene.with_token_count(window, session.prompt_tokens)}
    for reader, anchor in session.anchors:
        place = engines.ledger.visible_count(reader) + new_public
        windows[reader] = scene.window_of_anchor(anchor, place, engines.config)
    return windows


def _pack_rows(decided: DecidedBeat, beat: int) -> list[Insert]:
    view = decided.assigned.view
    opened = decided.opened
    changed = decided.session.anchors
    packs = [("ANCHOR", view, opened.anchor), ("REHYDRATION", view, opened.rehydration)]
    packs += [("ANCHOR", reader, anchor) for reader, anchor in changed]
    rows: list[Insert] = []
    for kind, reader, pack in packs:
        if pack is not None:
            name = pack.get("rehydration_id") or pack["scene_anchor_id"]
            rows.append(("story_pack", (name, beat, kind, reader, _encode(pack).decode())))
    return rows


def _audit_rows(decided: DecidedBeat, beat: int) -> list[Insert]:
    """The writer's replies and questions, word for word, for the audit. They are never
    projected."""
    name = decided.assigned.writer.name
    session = decided.session
    rows: list[Insert] = [
        ("story_call", (beat, number, name, call.kind, call.verdict, call.text))
        for number, call in enumerate(session.calls)
    ]
    rows += [
        ("story_tool", (beat, number, answer.verdict, answer.reader, answer.request))
        for number, answer in enumerate(session.answers)
    ]
    return rows
