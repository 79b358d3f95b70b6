"""Batches: what one worker plays at a time, and how large a batch is.

A task holds everything its match depends on, so the result does not depend on where, when or beside what it
is played. Tasks are sent in batches, because sending one costs as much as playing a short match. The size of
a batch follows from measured times, so that a batch takes a moment and an interruption loses no more than
that.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice

import msgspec

from thorp.arena.external import Replies
from thorp.arena.service import observations_file, play
from thorp.arena.task import MatchTask
from thorp.arena.tournament.outcome import Outcome, make_outcome
from thorp.kernel.errors import ThorpError

BATCH_SECONDS = 0.2
"""How long a batch should take. Sending it takes well below a hundredth of that."""

MAX_BATCH = 256
"""The most matches in a batch. Their logs are held in memory, and more of them gain nothing."""

LOG = "jsonl"
OBSERVATIONS = "observations.txt"
REPLIES = "replies.jsonl"
"""The kinds of files of a match: the ends of their names, as with `thorp match run`."""


class PlayedMatch(msgspec.Struct, frozen=True):
    """A played match: its outcome, its files by kind, and why it was aborted, if it was."""

    outcome: Outcome
    files: dict[str, bytes]
    error: str | None


class Batch(msgspec.Struct, frozen=True):
    """Tasks to play one after the other; `logs` says whether to return their files."""

    tasks: list[MatchTask]
    logs: bool


class BatchResult(msgspec.Struct, frozen=True):
    """The result of a batch. With a `failure` the batch ended early, at a match that could not be set up."""

    played: list[PlayedMatch]
    seconds: float
    failure: str | None


def play_batch(batch: Batch) -> BatchResult:
    """Play the tasks of a batch in order."""
    started = time.perf_counter()
    played: list[PlayedMatch] = []
    failure = None
    for task in batch.tasks:
        try:
            played.append(_play_one(task, batch.logs))
        except ThorpError as refusal:
            failure = f"{task.match_id}: {refusal}"
            break
    return BatchResult(played, time.perf_counter() - started, failure)


def _play_one(task: MatchTask, logs: bool) -> PlayedMatch:
    replies = Replies()
    # Every entrant could be opened when the tournament began; one that no longer can be has failed.
    result = play(task, replies, tolerant=True)
    if not logs:
        return PlayedMatch(make_outcome(task, result, {}), {}, result.error)
    files = {OBSERVATIONS: observations_file(result), REPLIES: replies.to_jsonl()}
    beside = {kind: data for kind, data in files.items() if data}
    return PlayedMatch(make_outcome(task, result, beside), {LOG: result.jsonl, **beside}, result.error)


class Batcher:
    """Divides the tasks of a tournament into batches that take about BATCH_SECONDS each."""

    def __init__(self, tasks: Iterator[MatchTask], count: int, logs: bool) -> None:
        self._tasks = tasks
        self._left = count
        self._logs = logs
        self._size = 1.0

    def next_batch(self, workers: int) -> Batch | None:
        """Return the next batch for one of `workers` workers, or None if no task is left."""
        # Batches get smaller towards the end, so that no worker is left alone with a long one.
        size = max(1, min(int(self._size), self._left // (2 * workers)))
        tasks = list(islice(self._tasks, size))
        self._left -= len(tasks)
        return Batch(tasks, self._logs) if tasks else None

    def record_timing(self, done: BatchResult) -> None:
        """Adapt the size of batches to the time that this one took."""
        fitting = len(done.played) * BATCH_SECONDS / max(done.seconds, 1e-6)
        self._size = max(1.0, min(fitting, 2 * self._size, MAX_BATCH))
