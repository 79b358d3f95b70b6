"""A chooser that asks a language model, and what becomes of the answer.

    one candidate only                            → only_candidate   nothing is asked
    over budget                                   → budget           nothing is asked
    no reply in time; refused; torn; not readable → timeout, status, connection, cut_off, …
    a reply that names none of the choices        → nonsense
    {"choice": null}                              → declined
    the number of a candidate                     → chosen

All but the last leave the decision to `ranked`. Which it was is told in the inspection, with the digest of
the question. Outcomes are recorded, failures included, so a recording gives the same decisions without the
model. Only a question that a recording does not hold is refused: then it belongs to something else.

Recordings of replies as files: read bounded, written whole or not at all, never over another.
"""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ConflictError, IllegalError, LimitError
from thorp.models import Budget, BudgetError, ChatClient, ChatRequest, ModelError, Recording, Reply
from thorp.store import RealDisk, write_atomic
from thorp.town.cognition import Candidate, Choice, Policy, Situation
from thorp.town.cognition.ranked import offer_every_option
from thorp.town.model.question import Nonsense, ask_which, read_choice

POLICY_NAME: Final = "model"
CHOSEN: Final = "chosen"


class ModelLimits(msgspec.Struct, frozen=True):
    """What a chooser may spend: calls and tokens in all, and seconds for each choice."""

    calls: int = 200
    tokens: int = 200_000
    seconds: float = 10.0


DEFAULT_LIMITS: Final = ModelLimits()


class ModelChooser:
    """Lets one model choose. `outcomes` counts what became of its choices. For one thread at a time, and not
    for one that runs an event loop: a choice waits for its reply."""

    def __init__(
        self, model: str, *, limits: ModelLimits = DEFAULT_LIMITS, replies: Recording | None = None
    ) -> None:
        """With `replies` that were recorded nothing is asked; otherwise refuses if the environment names no
        endpoint."""
        self.model = model
        self.replies = replies if replies is not None else Recording()
        self.outcomes: Counter[str] = Counter()
        self._client = None if self.replies.replaying else ChatClient.from_environment()
        self._budget = Budget(calls=limits.calls, tokens=limits.tokens)
        self._seconds = limits.seconds

    @property
    def policy(self) -> Policy:
        """The policy in which this model chooses."""
        return Policy(POLICY_NAME, offer_every_option, self)

    def __call__(self, situation: Situation, candidates: Sequence[Candidate]) -> Choice:
        choice = self._choose(situation, candidates)
        self.outcomes[choice.told["outcome"]] += 1
        return choice

    def _choose(self, situation: Situation, candidates: Sequence[Candidate]) -> Choice:
        if len(candidates) == 1:
            return self._told(None, "only_candidate")
        question = ask_which(self.model, situation, candidates)
        request = question.request
        caller = f"{situation.snapshot.townId} {situation.profile.id}"
        try:
            reply = self.replies.ask(caller, request.digest, lambda: self._call(request))
            number = read_choice(reply.text, question.numbers)
        except (ModelError, BudgetError, Nonsense) as failure:
            return self._told(None, failure.code, request=request.digest, detail=failure.message)
        if number is None:
            return self._told(None, "declined", request=request.digest)
        return self._told(number - 1, CHOSEN, request=request.digest)

    def _call(self, request: ChatRequest) -> Reply:
        assert self._client is not None, "a recording that answers never calls"
        return self._client.complete(request, seconds=self._seconds, budget=self._budget)

    def _told(self, place: int | None, outcome: str, **more: Json) -> Choice:
        return Choice(place, {"model": self.model, "outcome": outcome, **more})


REPLIES_BYTES_LIMIT: Final = 256 << 20
"""A reply is a page of text; a town that a model governs for years stays below this."""


def read_recording(path: Path) -> Recording:
    """Recorded replies, to decide from. Refuses a file that is not a recording."""
    if not path.is_file():  # a pipe or a device could keep us for ever
        raise IllegalError(f"{path}: no regular file is there; check the path", code="unreadable")
    with path.open("rb") as file:
        data = file.read(REPLIES_BYTES_LIMIT + 1)
    if len(data) > REPLIES_BYTES_LIMIT:
        raise LimitError(f"{path}: larger than {REPLIES_BYTES_LIMIT} bytes; no recording", code="size")
    return Recording.from_jsonl(data)


def refuse_unwritable(path: Path) -> None:
    """Refuse a path that a recording cannot be written to, before anything is asked."""
    if path.exists():
        raise ConflictError(f"{path}: exists already; give another path", code="exists")
    if not path.name or not os.access(path.parent, os.W_OK | os.X_OK):
        raise IllegalError(f"{path}: its folder cannot be written to; give another path", code="path")


def write_recording(path: Path, replies: Recording) -> None:
    """Write all that was asked and answered."""
    write_atomic(RealDisk(), path, replies.to_jsonl())
