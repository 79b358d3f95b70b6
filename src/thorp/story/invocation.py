"""Answers requests, and lets no request happen twice: a request id has one outcome for ever."""

from collections.abc import Mapping

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ThorpError
from thorp.story.answer import Answer, OtherPayload
from thorp.story.beat import AssignedWriter, BeatContext, decide_beat, refresh, store_beat
from thorp.story.clock import advance, demand_same_time, first_clock
from thorp.story.config import StoryConfig
from thorp.story.contracts.invocation_envelope import Zones
from thorp.story.error_answers import error_answer
from thorp.story.request import Request, check_content_type, read_request
from thorp.story.time_zones import MachineZones
from thorp.story.writer.calls import Failure


def find_replay(context: BeatContext, request: Request) -> Answer | None:
    """The stored answer to this request id, if there is one."""
    stored = context.ledger.stored_answer(request.envelope.request_id)
    if stored is None:
        return None
    other = stored.payload_hash != request.payload_hash
    if other and context.config.invocations.on_mismatch == "conflict":
        raise OtherPayload("this request_id was used for another payload")
    verdict = context.ledger.stored_outcome(request.envelope.request_id)
    if verdict is None:
        return Answer(status=stored.status, body=stored.body, replayed=True, mismatch=other)
    return Answer(
        status=stored.status,
        body=stored.body,
        replayed=True,
        mismatch=other,
        outcome=verdict.outcome,
        trouble=None if verdict.failure is None else Failure(*verdict.failure),
        beat=verdict.beat,
    )


def answer(
    context: BeatContext,
    request: Request,
    assigned: AssignedWriter,
    wall_us: int | None,
) -> Answer:
    """Answer a request within one transaction: its stored answer, a refresh, or a new beat."""
    context.ledger.prefetch(request.envelope.request_id, assigned.view)
    replay = find_replay(context, request)
    if replay is not None:
        return replay
    if request.envelope.mode.kind == "NO_OP":
        return refresh(context, request)
    return store_beat(context, decide_beat(context, request, assigned, wall_us))


def read_or_refuse(
    envelope: bytes | str | Mapping[str, Json], content_type: str, config: StoryConfig, zones: Zones
) -> Request | Answer:
    """The request in an envelope, or the answer that refuses it."""
    try:
        check_content_type(content_type)
        return read_request(envelope, config, zones)
    except ThorpError as error:
        return error_answer(error)


def check_first(
    envelope: bytes | str | Mapping[str, Json], content_type: str, config: StoryConfig
) -> Answer | None:
    """The answer to an envelope that cannot be the first one of a story; None if it can."""
    zones = MachineZones()
    request = read_or_refuse(envelope, content_type, config, zones)
    if isinstance(request, Answer):
        return request
    clock = first_clock(config)
    try:
        if request.envelope.mode.kind == "NO_OP":
            demand_same_time(request.envelope, clock)
        else:
            advance(clock, request.envelope, config, zones, clock.wall_us)
    except ThorpError as error:
        return error_answer(error)
    return None
