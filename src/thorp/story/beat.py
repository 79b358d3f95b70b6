"""Runs one beat: the only step in which the story changes. `docs/story.md` describes the steps.

    decide_beat   seven steps, from the clock to acceptance; may take long, and stores nothing
    store_beat    bundle, entries, clock, packs, audit and answer, in one short transaction

An abandoned beat therefore leaves no trace.
"""

from functools import partial

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import StaleError
from thorp.story import scene
from thorp.story.acceptance import (
    PrivateEntry,
    ProposalContext,
    judge_operator_entries,
    judge_proposal,
    proposer_of,
)
from thorp.story.answer import FAILED, OK, Answer
from thorp.story.capsules import Capsules
from thorp.story.clock import Clock, advance, declaration_text, demand_same_time
from thorp.story.config import Person, StoryConfig
from thorp.story.contracts.invocation_envelope import InvocationEnvelope, Zones, local_text
from thorp.story.contracts.write_bundle import bundle_of, entry_of
from thorp.story.ids import IdGenerator
from thorp.story.instants import instant_text
from thorp.story.ledger import RealityLedger
from thorp.story.projection import Projector, StreamSlice
from thorp.story.request import StoryRequest
from thorp.story.retrieval import Retrieval
from thorp.story.storage import CallRow, Head, Insert, RequestRow, SceneWindow
from thorp.story.tools import ToolGate
from thorp.story.writer.calls import CallFailure, WriterCalls, WriterGaveUp
from thorp.story.writer.moment import NO_SETTING, Moment, Setting, Writer
from thorp.story.writer.session import WriterSession

_encode = msgspec.json.Encoder().encode


class AssignedWriter(msgspec.Struct, frozen=True):
    """The writer of a beat, and the person whose view the writer has; None is the public view."""

    writer: Writer
    view: str | None


class DecidedBeat(msgspec.Struct, frozen=True):
    """A beat that is decided and not yet stored."""

    request: StoryRequest
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
    def number(self) -> int:
        """The number that the beat will have."""
        return self.base.beat + 1

    @property
    def trouble(self) -> CallFailure | None:
        """Why the writer failed, if it did."""
        return self.session.trouble if self.outcome == FAILED else None


class BeatContext(msgspec.Struct, frozen=True):
    """Everything that a beat works with, over one state of the ledger."""

    config: StoryConfig
    ids: IdGenerator
    zones: Zones
    ledger: RealityLedger
    projector: Projector
    retrieval: Retrieval
    capsules: Capsules


def refresh(context: BeatContext, request: StoryRequest) -> Answer:
    """Answer a NO_OP: show what is visible, and store nothing but the answer. Refuses to change the
    clock."""
    envelope = request.envelope
    clock = context.ledger.head().clock
    demand_same_time(envelope, clock)
    body = _project(context, envelope, clock, bundle_id=None, after=0)
    context.ledger.store_answer(_request_row(request, "NO_OP", body))
    return Answer(status=OK, body=body)


def decide_beat(
    context: BeatContext, request: StoryRequest, assigned: AssignedWriter, wall_us: int | None
) -> DecidedBeat:
    """Decide everything about a beat, so that only storing it remains:

    1. the clock moves
    2. the operator's words, and a declared time, become entries
    3. the view's scene window is opened, or rebuilt if it is nearly full
    4. the writer is called with the moment
    5. the gate checks each question of the writer
    6. retrieval answers it with what the view may see
    7. acceptance judges the proposal; a refused writer is called again, a few times
    """
    base = context.ledger.head()
    clock = advance(base.clock, request.envelope, context.config, context.zones, wall_us)
    proposal_context = ProposalContext(
        request_id=request.envelope.request_id,
        instant=clock.instant,
        config=context.config,
        is_somebody=context.ledger.is_somebody,
    )
    operator_entries = _operator_entries(proposal_context, request.envelope)
    assigned.writer.begin()
    stage = _Stage(context, request.envelope, assigned, base.beat + 1, clock)
    place = context.ledger.visible_count(assigned.view)
    opened = stage.scenes.open(context.ledger.window(assigned.view), assigned.view, place)
    session = stage.start_session(opened)
    proposal: dict[str, Json] | None = None
    outcome = "ASLEEP"
    if not (clock.paused and context.config.time.pause_policy == "FREEZE_REALITY"):
        proposal, outcome = stage.ask_writer(session, opened, proposal_context)
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


def store_beat(context: BeatContext, decided: DecidedBeat) -> Answer:
    """Store a decided beat, or raise StaleError if another beat was stored since it was decided."""
    ledger = context.ledger
    clock = decided.clock
    # The last link stands for the whole ledger. If it has changed, the beat was decided on a state
    # that is past, and is decided again.
    if ledger.head().link != decided.base.link:
        raise StaleError("another beat came first", code="moved")
    before = ledger.visible_count(context.config.identity.operator_id)
    entries = list(decided.operator_entries)
    if decided.proposal is not None:
        entries += decided.proposal["entries"]
    proposer = proposer_of(context.config, decided.operator_entries, decided.proposal)
    appended = ledger.append_bundle(decided.base, entries, clock.instant, proposer)
    body = _project(
        context,
        decided.request.envelope,
        clock,
        bundle_id=appended.bundle.bundle_id,
        after=before,
        at_least=len(entries),
    )
    ledger.close_beat(
        decided.base,
        appended,
        clock,
        outcome=decided.outcome,
        rows=[*_pack_rows(decided), *_tool_rows(decided)],
        request=_request_row(decided.request, "BEAT", body),
        calls=_call_rows(decided),
        windows=_windows(context, decided, entries, appended.public - decided.base.public),
    )
    return Answer(
        status=OK,
        body=body,
        outcome=decided.outcome,
        trouble=decided.trouble,
        beat=decided.number,
    )


def _request_row(request: StoryRequest, kind: str, body: str) -> RequestRow:
    return RequestRow(
        request_id=request.envelope.request_id,
        kind=kind,
        payload_hash=request.payload_hash,
        envelope=request.text,
        status=OK,
        body=body,
    )


def _project(
    context: BeatContext,
    envelope: InvocationEnvelope,
    clock: Clock,
    *,
    bundle_id: str | None,
    after: int,
    at_least: int = 0,
) -> str:
    """The text of the projection that answers an envelope: entries after its cursor, or without one
    after this place."""
    entries = StreamSlice(after, envelope.stream_cursor, at_least)
    body = context.projector.render(
        envelope.request_id, clock, bundle_id, entries, envelope.timezone
    )
    return _encode(body).decode()


def _operator_entries(
    context: ProposalContext, envelope: InvocationEnvelope
) -> list[dict[str, Json]]:
    """The entries that the envelope itself brings: a declared time, and the operator's words."""
    identity = context.config.identity
    request_id = context.request_id
    words = envelope.operator.input_text
    created_at = instant_text(context.instant)
    system = identity.system_actor
    entries = []
    if envelope.declared_world_time is not None:
        declaration = entry_of(
            request_id,
            created_at,
            author_id=system,
            author_class="SYSTEM",
            channel="VOICE",
            text=declaration_text(context.instant),
            visible_to=[system],
        )
        entries.append(declaration)
    if words:
        spoken = entry_of(
            request_id,
            created_at,
            author_id=identity.operator_id,
            author_class="OPERATOR",
            channel="USER",
            text=words,
            visible_to=[],
        )
        entries.append(spoken)
    bundle = bundle_of(request_id, identity.invocation_engine, system, entries)
    verdict = judge_operator_entries(bundle, context, words)
    assert verdict.accepted, verdict.code
    return entries


class _Stage:
    """A beat while it is decided: the steps from the scene to acceptance, and what they share."""

    def __init__(
        self,
        context: BeatContext,
        envelope: InvocationEnvelope,
        assigned: AssignedWriter,
        number: int,
        clock: Clock,
    ) -> None:
        self._context = context
        self._envelope = envelope
        self._writer = assigned.writer
        self._view = assigned.view
        self._created_at = instant_text(clock.instant)
        self._calls = WriterCalls(assigned.writer)
        self.scenes = scene.Scenes(
            _config=context.config,
            _request_id=envelope.request_id,
            _created_at=self._created_at,
            _beat=number,
            _ids=context.ids,
            _retrieval=context.retrieval,
            _capsules=context.capsules,
            _calls=self._calls,
        )

    def start_session(self, opened: scene.OpenedWindow) -> WriterSession:
        """A session of the writer in this moment, with an open gate for its questions."""
        gate = ToolGate(
            config=self._context.config,
            request_id=self._envelope.request_id,
            retrieval=self._context.retrieval,
            capsules=self._context.capsules,
            scenes=self.scenes,
            view=self._view,
        )
        return WriterSession(_moment=self._moment(opened), _gate=gate, _calls=self._calls)

    def ask_writer(
        self, session: WriterSession, opened: scene.OpenedWindow, judging: ProposalContext
    ) -> tuple[dict[str, Json] | None, str]:
        """Call the writer until a proposal is accepted, it stays silent, or its attempts are used
        up. Returns the accepted proposal, or None, and the outcome for the audit."""
        writing = self._context.config.writing
        outcome = FAILED
        for _ in range(writing.max_attempts):
            sample = session.sample()
            outcome = sample.verdict
            if sample.bundle is None:
                if outcome in ("NO_WRITE", "LOOPED"):
                    return None, outcome
                outcome = FAILED
                session.drop_scenes()
                continue
            full_context = self._with_private_entries(judging, session, opened)
            verdict = judge_proposal(sample.bundle, full_context, silent=outcome == "NO_WRITE")
            if verdict.accepted:
                wrote = verdict.bundle["wrote"]
                return (verdict.bundle, "ACCEPTED") if wrote else (None, "NO_WRITE")
            outcome = f"REJECTED {verdict.code}"
            session.note_rejection(f"REJECTED {verdict.bundle['rejection']['reason']}")
            session.drop_scenes()
        if outcome == FAILED and writing.on_failure == "abort" and session.trouble is not None:
            raise WriterGaveUp(session.trouble)
        return None, outcome

    def _moment(self, opened: scene.OpenedWindow) -> Moment:
        """What the writer is given. One that has a person's view may write only as that person."""
        config = self._context.config
        people = config.people
        if self._view is not None:
            own = tuple(each for each in people if each.person_id == self._view)
            people = own or (Person(self._view),)
        zone = self._envelope.timezone or config.time.default_timezone
        return Moment(
            config=config,
            request_id=self._envelope.request_id,
            created_at_world=self._created_at,
            actor=self._view,
            people=people,
            fresh=self._envelope.operator.input_text or None,
            setting=self._setting(opened),
            local=partial(local_text, zone=zone, zones=self._context.zones),
        )

    def _setting(self, opened: scene.OpenedWindow) -> Setting:
        """The window for the writer to read. Reading it from the ledger takes longer than the rest
        of a beat, so only a writer that needs it gets one."""
        if not self._writer.needs_setting:
            return NO_SETTING
        pack = self._head_pack(opened)
        replay = pack.get("physical_continuity_replay")
        return self.scenes.setting(opened.window, self._view, pack["text"], replay)

    def _head_pack(self, opened: scene.OpenedWindow) -> dict[str, Json]:
        """The pack that a window begins with: a rehydration, or an anchor."""
        window = opened.window
        if window.rehydration_id is not None:
            return opened.rehydration or self._context.ledger.pack(window.rehydration_id)
        return opened.anchor or self._context.ledger.pack(window.anchor_id)

    def _with_private_entries(
        self, judging: ProposalContext, session: WriterSession, opened: scene.OpenedWindow
    ) -> ProposalContext:
        """The same context, with the private entries that the writer has seen so far: in its
        window, and in answers to its questions."""
        served = [(reader, answer) for reader, answer in session.served if reader is not None]
        view_given = self._view or next((reader for reader, _ in served), None)
        if view_given is None:
            return judging
        private = [
            row
            for reader, answer in served
            for row in self.scenes.private_among(reader, scene.entry_ids_of(answer))
        ]
        if self._view is not None:
            head = self._head_pack(opened)
            private += self.scenes.private_of(opened.window, self._view, head)
        private_entries = {
            row.seq: PrivateEntry(row.text, frozenset(row.visible_to or ())) for row in private
        }
        return msgspec.structs.replace(
            judging, only_author=view_given, private_entries=tuple(private_entries.values())
        )


def _windows(
    context: BeatContext, decided: DecidedBeat, entries: list[dict[str, Json]], new_public: int
) -> dict[str | None, SceneWindow]:
    """The windows that a beat stores: that of its view, and one for each scene that it changed to,
    which opens with the next beat."""
    view = decided.assigned.view
    session = decided.session
    readers = [(entry["text"], entry["visibility"]["visible_to"]) for entry in entries]
    texts = [text for text, listed in readers if not listed or view in listed]
    results = session.results_for(view)
    window = scene.window_after_beat(
        decided.opened.window, decided.place, texts, results, context.config
    )
    windows = {view: scene.with_token_count(window, session.prompt_tokens)}
    for reader, anchor in session.anchors:
        place = context.ledger.visible_count(reader) + new_public
        windows[reader] = scene.window_of_anchor(anchor, place, context.config)
    return windows


def _pack_rows(decided: DecidedBeat) -> list[Insert]:
    """The packs that were made in a beat."""
    view = decided.assigned.view
    opened = decided.opened
    packs = [("ANCHOR", view, opened.anchor), ("REHYDRATION", view, opened.rehydration)]
    packs += [("ANCHOR", reader, anchor) for reader, anchor in decided.session.anchors]
    rows: list[Insert] = []
    for kind, reader, pack in packs:
        if pack is not None:
            pack_id = pack.get("rehydration_id") or pack["scene_anchor_id"]
            rows.append(
                ("story_pack", (pack_id, decided.number, kind, reader, _encode(pack).decode()))
            )
    return rows


def _call_rows(decided: DecidedBeat) -> list[CallRow]:
    """The writer's replies, word for word, for the audit. They are never projected."""
    name = decided.assigned.writer.name
    return [
        CallRow(writer=name, kind=call.kind, verdict=call.verdict, said=call.text)
        for call in decided.session.calls
    ]


def _tool_rows(decided: DecidedBeat) -> list[Insert]:
    """The writer's questions, likewise."""
    return [
        ("story_tool", (decided.number, number, answer.verdict, answer.reader, answer.request))
        for number, answer in enumerate(decided.session.answers)
    ]
