"""Runs one beat: the only step in which the story changes.

    decide_beat   clock → operator's entries → scene → writer and its tools → acceptance   (may take long)
    store_beat    bundle, entries, clock, packs, audit and answer, in one transaction      (short)

`decide_beat` stores nothing, so an abandoned beat leaves no trace. A rejected proposal adds nothing and is
never repaired: the writer is asked again with the same prompt, up to `writing.max_attempts` times, and then
counts as silent. The operator's entries are stored whatever the writer does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import StaleError, ThorpError
from thorp.story.acceptance import Beat, Secret, judge_operator_part, judge_proposal
from thorp.story.clock import Clock, advance, changes_time, declaration_text
from thorp.story.config import Person, StoryConfig
from thorp.story.contracts.invocation_envelope import EnvelopeError, InvocationEnvelope, Zones, local_text
from thorp.story.contracts.write_bundle import bundle_of, entry_of
from thorp.story.ids import Naming
from thorp.story.instants import instant_text
from thorp.story.ledger import RealityLedger
from thorp.story.projection import Projector
from thorp.story.scene import Opening, Scenes, changed_window, entry_ids_of, grown, measured
from thorp.story.storage import Head, Insert, SceneWindow
from thorp.story.tools import ToolGate
from thorp.story.writer.moment import NO_SETTING, Moment, Setting, Writer
from thorp.story.writer.session import Call, Failure, Summaries, WriterSession

OK = 200
FAILED = "FAILED"
"""The outcome of a beat whose writer could not be asked, or said nothing usable."""

_encode = msgspec.json.Encoder().encode


class WriterGaveUp(ThorpError):
    """The writer failed, and this story does not go on without it. Nothing was written."""

    code = "writer_failed"

    def __init__(self, trouble: Failure) -> None:
        super().__init__(f"the writer failed, and this story does not go on without it: {trouble.message}")
        self.trouble = trouble


class Voice(msgspec.Struct, frozen=True):
    """Who writes in a beat, and whose eyes it has; None is everybody's."""

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
    replayed: bool = False
    """The same request id was answered before; this is that answer."""
    mismatch: bool = False
    """That earlier request had another payload."""
    outcome: str | None = None
    """The audit's verdict on a new beat."""
    trouble: Failure | None = None
    """Why the writer failed, if it did."""


class Prepared(msgspec.Struct, frozen=True):
    """A beat that is decided and not yet true."""

    request: Request
    voice: Voice
    base: Head
    clock: Clock
    operator_entries: list[dict[str, Json]]
    proposal: dict[str, Json] | None
    outcome: str
    place: int
    opening: Opening
    session: WriterSession

    @property
    def trouble(self) -> Failure | None:
        """Why the writer failed, if it did."""
        return self.session.trouble if self.outcome == FAILED else None


class Parts(msgspec.Struct, frozen=True):
    """The engines that a beat is put together from, on one state of the ledger."""

    config: StoryConfig
    naming: Naming
    zones: Zones
    ledger: RealityLedger
    projector: Projector
    scenes_for: Callable[[Summaries], Scenes]
    gate_for: Callable[[str, str, int, Scenes], ToolGate]


def refresh(parts: Parts, request: Request) -> Answer:
    """Answer a NO_OP: show what is visible, and store only the answer. Refuses one that would change the
    clock."""
    envelope, clock = request.envelope, parts.ledger.head().clock
    wrong = changes_time(envelope, clock)
    if wrong is not None:
        raise EnvelopeError([(wrong, "$.declared_overrides")])
    body = _project(parts, envelope, clock, 0, None)
    parts.ledger.remember((envelope.request_id, "NO_OP", request.payload_hash, request.text, OK, body))
    return Answer(OK, body)


def prepare(parts: Parts, request: Request, voice: Voice, wall_us: int | None) -> Prepared:
    """Decide a beat, up to the point where it only has to be stored."""
    envelope, ledger = request.envelope, parts.ledger
    base = ledger.head()
    clock = advance(base.clock, envelope, parts.config, parts.zones, wall_us)
    created_at = instant_text(clock.instant)
    operator_entries = _operator_part(parts, envelope, clock, created_at)
    place = ledger.visible_count(voice.view)
    voice.writer.begin()
    calls: list[Call] = []
    scenes = parts.scenes_for(Summaries(voice.writer, calls))
    opening = scenes.open(
        ledger.window(voice.view),
        voice.view,
        place,
        envelope.request_id,
        created_at,
        parts.naming,
        base.beat + 1,
    )
    moment = _moment(parts, envelope, voice, created_at, scenes, opening)
    gate = partial(parts.gate_for, envelope.request_id, created_at, base.beat + 1, scenes)
    session = WriterSession(voice.writer, moment, gate, calls)
    asleep = clock.paused and parts.config.time.pause_policy == "FREEZE_REALITY"
    judged_by = partial(_judged_by, parts, clock, voice, scenes, opening, session)
    proposal, outcome = (None, "ASLEEP") if asleep else _sample(parts, session, judged_by)
    return Prepared(request, voice, base, clock, operator_entries, proposal, outcome, place, opening, session)


def conclude(parts: Parts, prepared: Prepared) -> Answer:
    """Store a decided beat and everything that belongs to it. Refuses with StaleError if another beat was
    stored since it was decided."""
    ledger, envelope, clock = parts.ledger, prepared.request.envelope, prepared.clock
    if ledger.head().link != prepared.base.link:
        raise StaleError("another beat came first", code="moved")
    before = ledger.visible_count(parts.config.identity.operator_id)
    entries = list(prepared.operator_entries)
    proposer = _invocation(parts.config)
    if prepared.proposal is not None:
        entries += prepared.proposal["entries"]
        proposer = prepared.proposal["proposed_by"]
    committed = ledger.commit(prepared.base, entries, clock.instant, proposer)
    body = _project(
        parts, envelope, clock, before, committed.bundle.bundle_id, len(entries), prepared.trouble
    )
    beat = prepared.base.beat + 1
    rows = [*_pack_rows(prepared, beat), *_audit_rows(prepared, beat)]
    request = (envelope.request_id, "BEAT", prepared.request.payload_hash, prepared.request.text, OK, body)
    windows = _windows(parts, prepared, entries, committed.public - prepared.base.public)
    ledger.conclude(prepared.base, committed, clock, "BEAT", prepared.outcome, rows, request, windows=windows)
    return Answer(OK, body, outcome=prepared.outcome, trouble=prepared.trouble)


def _project(
    parts: Parts,
    envelope: InvocationEnvelope,
    clock: Clock,
    otherwise: int,
    bundle_id: str | None,
    at_least: int = 0,
    trouble: Failure | None = None,
) -> str:
    body = parts.projector.render(
        envelope.request_id,
        parts.config.identity.operator_id,
        envelope.stream_cursor,
        clock=clock,
        timezone=envelope.timezone,
        otherwise=otherwise,
        bundle_id=bundle_id,
        at_least=at_least,
    )
    if trouble is not None:
        body["debug"]["writer"] = trouble
    return _encode(body).decode()


# The parts of a beat.


def _invocation(config: StoryConfig) -> dict[str, str]:
    """Who proposes what the envelope itself brings."""
    return {"engine": config.identity.invocation_engine, "actor": config.identity.system_actor}


def _operator_part(
    parts: Parts, envelope: InvocationEnvelope, clock: Clock, created_at: str
) -> list[dict[str, Json]]:
    """A declared time and the operator's words, as entries."""
    identity, request_id = parts.config.identity, envelope.request_id
    words, system = envelope.operator.input_text, identity.system_actor
    entries = []
    if envelope.declared_world_time is not None:
        text = declaration_text(clock.instant)
        entries.append(entry_of(request_id, created_at, system, "SYSTEM", "VOICE", text, [system]))
    if words:
        entries.append(entry_of(request_id, created_at, identity.operator_id, "OPERATOR", "USER", words, []))
    bundle = bundle_of(request_id, identity.invocation_engine, system, entries)
    beat = Beat(request_id, clock.instant, parts.config, parts.ledger.is_somebody)
    verdict = judge_operator_part(bundle, beat, words)
    assert verdict.accepted, verdict.code
    return entries


def _moment(
    parts: Parts,
    envelope: InvocationEnvelope,
    voice: Voice,
    created_at: str,
    scenes: Scenes,
    opening: Opening,
) -> Moment:
    people = parts.config.people
    if voice.view is not None:
        people = tuple(each for each in people if each.person_id == voice.view) or (Person(voice.view),)
    setting = _setting(parts, scenes, opening, voice.view) if voice.writer.needs_setting else NO_SETTING
    fresh = envelope.operator.input_text or None
    zone = envelope.timezone or parts.config.time.default_timezone
    local = partial(local_text, zone=zone, zones=parts.zones)
    return Moment(
        parts.config, envelope.request_id, created_at, voice.view, people, fresh, setting, local=local
    )


def _setting(parts: Parts, scenes: Scenes, opening: Opening, view: str | None) -> Setting:
    pack = _window_head(parts, opening)
    return scenes.setting(opening.window, view, pack["text"], pack.get("physical_continuity_replay"))


def _window_head(parts: Parts, opening: Opening) -> dict[str, Json]:
    """The pack that a window begins with: a rehydration, or an anchor."""
    window = opening.window
    if window.rehydration_id is not None:
        return opening.rehydration or parts.ledger.pack(window.rehydration_id)
    return opening.anchor or parts.ledger.pack(window.anchor_id)


def _judged_by(
    parts: Parts, clock: Clock, voice: Voice, scenes: Scenes, opening: Opening, session: WriterSession
) -> Beat:
    """What a proposal is judged by: the beat, and what of people's own views its writer has seen by now."""
    view, somebody = voice.view, parts.ledger.is_somebody
    served = session.served
    views = list(dict.fromkeys(each for each in (view, *(reader for reader, _ in served)) if each))
    if not views:
        return Beat(session.request_id, clock.instant, parts.config, somebody)
    private = [
        row
        for reader, answer in served
        if reader is not None
        for row in scenes.private_among(reader, entry_ids_of(answer))
    ]
    if view is not None:
        private += scenes.private_of(opening.window, view, _window_head(parts, opening))
    secrets = {row.seq: Secret(row.text, frozenset(row.visible_to or ())) for row in private}
    return Beat(
        session.request_id,
        clock.instant,
        parts.config,
        somebody,
        only_author=view or (views[0] if len(views) == 1 else None),
        mixed=len(views) > 1,
        secrets=tuple(secrets.values()),
    )


def _sample(
    parts: Parts, session: WriterSession, judged_by: Callable[[], Beat]
) -> tuple[dict[str, Json] | None, str]:
    """An accepted proposal, or None; and what the audit says of it."""
    outcome = FAILED
    for _ in range(parts.config.writing.max_attempts):
        sample = session.sample()
        outcome = sample.verdict
        if sample.bundle is None:
            if outcome == "NO_WRITE":
                return None, outcome
            outcome = FAILED
            session.drop_scenes()
            continue
        verdict = judge_proposal(sample.bundle, judged_by())
        if verdict.accepted:
            return (verdict.bundle, "ACCEPTED") if verdict.bundle["wrote"] else (None, "NO_WRITE")
        outcome = f"REJECTED {verdict.code}"
        session.note_rejection(outcome)
        session.drop_scenes()
    if outcome == FAILED and parts.config.writing.on_failure == "abort" and session.trouble is not None:
        raise WriterGaveUp(session.trouble)
    return None, outcome


def _windows(
    parts: Parts, prepared: Prepared, entries: list[dict[str, Json]], new_public: int
) -> dict[str | None, SceneWindow]:
    """The window of the beat's view, and one that opens with the next beat for each scene changed to."""
    view, session = prepared.voice.view, prepared.session
    texts = [entry["text"] for entry in entries if _is_for(view, entry["visibility"]["visible_to"])]
    results = session.results_for(view)
    window = grown(prepared.opening.window, prepared.place, texts, results, parts.config)
    windows = {view: measured(window, session.prompt_tokens)}
    for reader, anchor in session.anchors:
        place = parts.ledger.visible_count(reader) + new_public
        windows[reader] = changed_window(anchor, place, parts.config)
    return windows


def _is_for(view: str | None, visible_to: list[str]) -> bool:
    return not visible_to or view in visible_to


def _pack_rows(prepared: Prepared, beat: int) -> list[Insert]:
    view, opening, changed = prepared.voice.view, prepared.opening, prepared.session.anchors
    if opening.anchor is None and opening.rehydration is None and not changed:
        return []
    packs = [("ANCHOR", view, opening.anchor), ("REHYDRATION", view, opening.rehydration)]
    packs += [("ANCHOR", reader, anchor) for reader, anchor in changed]
    return [
        (
            "story_pack",
            (
                pack.get("rehydration_id") or pack["scene_anchor_id"],
                beat,
                kind,
                reader,
                _encode(pack).decode(),
            ),
        )
        for kind, reader, pack in packs
        if pack is not None
    ]


def _audit_rows(prepared: Prepared, beat: int) -> list[Insert]:
    """What the writer said and asked, word for word. Never projected."""
    name, session = prepared.voice.writer.name, prepared.session
    rows: list[Insert] = [
        ("story_call", (beat, number, name, call.kind, call.verdict, call.text))
        for number, call in enumerate(session.calls)
    ]
    rows += [
        ("story_tool", (beat, number, answer.verdict, answer.reader, answer.request))
        for number, answer in enumerate(session.answers)
    ]
    return rows
