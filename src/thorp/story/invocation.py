"""Answers requests, each once: a request id has one outcome for ever."""

from collections.abc import Mapping

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ThorpError
from thorp.story.answer import Answer, OtherPayload
from thorp.story.beat import AssignedWriter, BeatContext, decide_beat, refresh, store_beat
from thorp.story.clock import advance, demand_same_time, first_clock
from thorp.story.config import StoryConfig
from thorp.story.contracts.invocation_envelope import Zones
from thorp.story.error_answers import error_answer
from thorp.story.request import StoryRequest, check_content_type, read_request
from thorp.story.time_zones import MachineZones
from thorp.story.writer.calls import CallFailure


def find_replay(context: BeatContext, request: StoryRequest) -> Answer | None:
    """The stored answer to this request id; None if it is new. With another payload it is refused,
    or answered alike, as the configuration says."""
    stored = context.ledger.stored_answer(request.envelope.request_id)
    if stored is None:
        return None
    is_mismatch = stored.payload_hash != request.payload_hash
    if is_mismatch and context.config.invocations.on_mismatch == "conflict":
        raise OtherPayload("this request_id was used for another payload")
    verdict = context.ledger.stored_outcome(request.envelope.request_id)
    if verdict is None:
        return Answer(status=stored.status, body=stored.body, replayed=True, mismatch=is_mismatch)
    return Answer(
        status=stored.status,
        body=stored.body,
        replayed=True,
        mismatch=is_mismatch,
        outcome=verdict.outcome,
        trouble=None if verdict.failure is None else CallFailure(*verdict.failure),
        beat=verdict.beat,
    )


def answer(
    context: BeatContext,
    request: StoryRequest,
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
) -> StoryRequest | Answer:
    """Read a request from an envelope; an `Answer` is its refusal."""
    try:
        check_content_type(content_type)
        return read_request(envelope, config, zones)
    except ThorpError as error:
        return error_answer(error)


def check_first(
    envelope: bytes | str | Mapping[str, Json], content_type: str, config: StoryConfig
) -> Answer | None:
    """The refusal of an envelope that cannot begin a story; None if it can. A refused request must
    not create one."""
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
