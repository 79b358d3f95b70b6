"""The outcome of one match: a line of `results.jsonl`, from which all tables are computed.

Scores and counts are lists by seat. A match that cannot be scored is *aborted*, and its `scores`
are null. Its `error` names only the kind of failure, because an exception's text may hold a memory
address, and these bytes must be the same on every machine.

Actions are counted in the bytes of the log, without parsing it. JSON text contains no raw line
feed, so after one the constant beginning of an event is always the beginning of an event.
"""

import re

import msgspec

from thorp.arena.contract import MatchResult, MatchTask, Reason
from thorp.kernel.canonical import Json, canonical_bytes, insertion_bytes
from thorp.kernel.errors import DamagedError
from thorp.kernel.identity import digest
from thorp.kernel.numbers import SAFE_INTEGER

SCORE_LIMIT = 1e12  # The largest absolute score: sums of half a million stay exact to six decimals.

_JUDGED = re.compile(
    rb'\n\{"type":"(?:'
    rb'ActionAdjudicated","agentId":("(?:[^"\\]|\\.)*"),"turn":[0-9]+,"valid":(true|false)'
    rb'|AgentError","agentId":("(?:[^"\\]|\\.)*"),)'
)


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One match's result. `log` is the SHA-256 of its log, `beside` those of the files kept with
    it."""

    key: str
    seed: int
    seats: tuple[str, ...]
    scores: tuple[float, ...] | None
    reason: Reason
    error: str | None
    turns: int
    valid: tuple[int, ...]
    invalid: tuple[int, ...]
    errors: tuple[int, ...]
    log: str
    beside: dict[str, str]

    def line(self) -> bytes:
        """Its canonical text, without a line feed."""
        # Through JSON text, because `to_builtins` keeps tuples, with which the fast writer's check
        # would fail.
        return canonical_bytes(msgspec.json.decode(msgspec.json.encode(self)))


def read_outcome(line: bytes) -> Outcome:
    """Parse an outcome. Refuses anything else as damaged."""
    try:
        outcome = msgspec.json.decode(line, type=Outcome)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise _damaged(str(problem)) from None
    counts = (outcome.valid, outcome.invalid, outcome.errors)
    if any(len(row) != len(outcome.seats) for row in (*counts, outcome.scores or outcome.seats)):
        raise _damaged("it does not have one value for each seat")
    if any(not 0 <= count <= SAFE_INTEGER for row in (*counts, (outcome.turns,)) for count in row):
        raise _damaged("a count is out of range")
    if any(abs(score) > SCORE_LIMIT for score in outcome.scores or ()):
        raise _damaged("a score is out of range")
    if outcome.line() != line:
        raise _damaged("it is not written as it was")
    return outcome


def _damaged(why: str) -> DamagedError:
    return DamagedError(f"not a match's result: {why}", code="result")


def make_outcome(task: MatchTask, result: MatchResult, beside: dict[str, bytes]) -> Outcome:
    """Sum up a played match: scores, counts of actions, and the digests of its files."""
    seats = tuple(seat.id for seat in task.seats)
    scores, error = _scores(seats, result)
    valid, invalid, errors = _count_actions(seats, result.jsonl)
    return Outcome(
        key=result.match_id,
        seed=task.seed,
        seats=seats,
        scores=scores,
        reason=result.reason,
        error=error,
        turns=result.turns,
        valid=valid,
        invalid=invalid,
        errors=errors,
        log=digest(result.jsonl),
        beside={kind: digest(data) for kind, data in beside.items()},
    )


def _scores(
    seats: tuple[str, ...], result: MatchResult
) -> tuple[tuple[float, ...] | None, str | None]:
    """The scores by seat, or None and why the match is aborted."""
    if result.reason == "error":
        return None, (result.error or "").partition(":")[0]
    given: Json = result.scores
    scores: list[Json] = [given.get(id) for id in seats] if isinstance(given, dict) else [None]
    if all(type(score) in (int, float) and abs(score) <= SCORE_LIMIT for score in scores):
        return tuple(scores), None
    return None, "BadScores"


def _count_actions(seats: tuple[str, ...], log: bytes) -> tuple[tuple[int, ...], ...]:
    """Count each seat's valid actions, invalid actions and errors."""
    places = {insertion_bytes(id): place for place, id in enumerate(seats)}
    counts = {b"true": [0] * len(seats), b"false": [0] * len(seats), b"": [0] * len(seats)}
    for judged, verdict, failed in _JUDGED.findall(log):
        counts[verdict][places[judged or failed]] += 1
    return tuple(tuple(counts[verdict]) for verdict in (b"true", b"false", b""))
