"""A played match of a tournament, as a worker returns it."""

import msgspec

from thorp.arena.external import Replies
from thorp.arena.service import LOG, OBSERVATIONS, REPLIES, observations_file, play
from thorp.arena.task import MatchTask
from thorp.arena.tournament.outcome import Outcome, make_outcome
from thorp.kernel.errors import InvalidError, ThorpError


class PlayedMatch(msgspec.Struct, frozen=True):
    """A played match: its outcome, its files by kind, and why it was aborted, if it was."""

    outcome: Outcome
    files: dict[str, bytes]
    error: str | None


def play_match(task: MatchTask, *, logs: bool) -> PlayedMatch:
    """Play the match of a task, for its outcome and, with `logs`, its files. Refuses one that cannot be
    set up."""
    replies = Replies()
    try:
        # Every entrant could be opened when the tournament began; one that no longer can be has failed.
        result = play(task, replies, tolerant=True)
    except ThorpError as refusal:
        raise InvalidError(f"{task.match_id}: {refusal}", code=refusal.code) from None
    if not logs:
        return PlayedMatch(make_outcome(task, result, {}), {}, result.error)
    files = {OBSERVATIONS: observations_file(result), REPLIES: replies.to_jsonl()}
    beside = {kind: data for kind, data in files.items() if data}
    return PlayedMatch(make_outcome(task, result, beside), {LOG: result.jsonl, **beside}, result.error)
