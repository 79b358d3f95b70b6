"""The answer to a request of the story."""

from typing import Final, NamedTuple

from thorp.kernel.errors import ConflictError
from thorp.story.outcomes import BeatReport, report_of
from thorp.story.writer.calls import CallFailure

OK: Final = 200
FAILED: Final = "FAILED"
"""The outcome of a beat whose writer could not be asked, or said nothing usable."""


class OtherPayload(ConflictError):
    """The request id was used before, with another payload."""

    code = "request_mismatch"


class Answer(NamedTuple):
    """The answer to a request: an HTTP status, and the text of the body."""

    status: int
    body: str
    replayed: bool = False  # The same request id was answered before; this is that answer.
    mismatch: bool = False  # That earlier request had another payload.
    outcome: str | None = None
    """The audit's verdict on a beat: ACCEPTED, NO_WRITE, REJECTED and the rule, …"""
    trouble: CallFailure | None = None  # Why the writer failed, if it did.
    beat: int | None = None  # The number of the beat.

    @property
    def report(self) -> BeatReport | None:
        """How the writer fared, for the operator; None if this was not a beat."""
        if self.outcome is None:
            return None
        failure = None if self.trouble is None else (self.trouble.code, self.trouble.message)
        return report_of(self.outcome, self.beat, failure)
