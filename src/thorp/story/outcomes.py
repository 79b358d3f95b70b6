"""How the writer of a beat fared, as it is reported to the operator.

    written    a proposal was accepted
    silent     the writer chose to say nothing
    rejected   acceptance refused what it proposed; the rule says why
    failed     the writer could not be asked, or said nothing that can be read
    looped     it asked another question after it was told that no more are answered
    asleep     it was not asked, because the clock is paused and the configuration freezes reality
               with it

The report is not part of the projection, whose contract has no member for it: a strict client would
refuse another one. Over HTTP it is in headers, in Python in the `Answer`, and the audit keeps it
for ever.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

WORDS: Final = {
    "ACCEPTED": "written",
    "NO_WRITE": "silent",
    "REJECTED": "rejected",
    "FAILED": "failed",
    "LOOPED": "looped",
    "ASLEEP": "asleep",
}
"""The word for each outcome that the audit records."""

TROUBLES: Final = ("REJECTED", "FAILED", "LOOPED")  # Outcomes that need an operator's attention.

OUTCOME_HEADER: Final = "Story-Outcome"
REASON_HEADER: Final = "Story-Reason"
BEAT_HEADER: Final = "Story-Beat"
LOOP: Final = "it asked on after its questions for this beat were used up, and wrote nothing"
UNUSABLE_WORDS: Final = (
    "unusable",
    "what it said is not one JSON object with one of the three keys",
)
"""The code and the message of a failure for which the audit has only the writer's words."""

REASONS: Final = {
    "NO_ACTIVE_BEAT": "nothing is proposed outside of a beat",
    "BUNDLE_SHAPE": "a bundle has the members of its contract and no others",
    "REQUEST_MISMATCH": "it names another request than the beat's; leave request_id out",
    "BUNDLE_ID_PREASSIGNED": "only the ledger gives ids; leave bundle_id out",
    "PROPOSED_BY": "it claims another engine, or an actor that a writer cannot be; leave "
    "proposed_by out",
    "WROTE_TYPE": "wrote is true or false",
    "ENTRIES_TYPE": "entries is a list",
    "WROTE_EMPTY": "wrote is true, and there are no entries",
    "SILENT_WITH_ENTRIES": "what calls itself silent has entries",
    "PRE_REJECTED": "it says of itself that it is rejected",
    "TOO_MANY": "it has more entries than writing.max_entries",
    "ENTRY_SHAPE": "an entry has the members of its contract and no others",
    "ENTRY_ID_PREASSIGNED": "only the ledger gives ids; leave entry_id and bundle_id out",
    "ENTRY_REQUEST": "the entry names another request than the beat's; leave request_id out",
    "TIME_FORMAT": "created_at_world is not a time with an offset; leave it out",
    "TIME_MISMATCH": "created_at_world is not the beat's time; leave it out",
    "AUTHOR_MISSING": "an entry has an author with an id and a class",
    "AUTHOR_CLASS": "an author's class is PERSON or WORLD",
    "OPERATOR_IMPERSONATION": "nobody writes for the operator",
    "SYSTEM_AUTHOR": "no writer writes as the system",
    "AUTHOR_PAIRING": "author, class and channel do not fit, or nobody of that name is in the "
    "story",
    "VISIBILITY_MISSING": "an entry says who may see it: scope and visible_to",
    "SCOPE": "a scope is PUBLIC or PRIVATE",
    "PRIVATE_EMPTY": "a PRIVATE entry lists who may see it",
    "PUBLIC_LIST": "a PUBLIC entry lists nobody",
    "VISIBILITY_IDENTITY": "it lists somebody twice, or somebody who is not in the story",
    "CHANNEL": "a channel is VOICE or PEOPLE",
    "TEXT_MISSING": "an entry has a text",
    "TEXT_EMPTY": "the text is empty",
    "TEXT_UNSTORABLE": "the text has a character that no database keeps",
    "TEXT_LONG": "the text is longer than writing.max_text_chars",
    "META_LANGUAGE": "the text talks of the machinery: a phrase of phrases.meta",
    "TIME_SHORTCUT": "the world's voice skips time: a phrase of phrases.time_shortcut",
    "VIEW_MIXING": "it tells what its readers may not know, or writes as another than whose view "
    "it has",
    "USER_NOT_VERBATIM": "the operator's words are not the envelope's",
}
"""By rule: why acceptance refuses, in words for people, and what to do where that helps."""

_PLAIN: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
_ENCODED: Final = re.compile(rb"%([0-9A-Fa-f]{2})")


class BeatReport(NamedTuple):
    """How the writer of one beat fared."""

    outcome: str  # One of the values of `WORDS`.
    code: str | None = None  # The broken rule, or the code of the failure.
    reason: str | None = None
    beat: int | None = None

    @property
    def is_trouble(self) -> bool:
        """Whether something was lost that the writer should have written."""
        return self.outcome in [WORDS[name] for name in TROUBLES]

    @property
    def text(self) -> str:
        """The report in one line: `rejected OPERATOR_IMPERSONATION: nobody writes for the
        operator`."""
        named = self.outcome if self.code is None else f"{self.outcome} {self.code}"
        return named if self.reason is None else f"{named}: {self.reason}"

    def headers(self) -> dict[str, str]:
        """The report as headers of an answer over HTTP; the reason is percent-encoded."""
        named = self.outcome if self.code is None else f"{self.outcome} {_encoded(self.code)}"
        headers = {OUTCOME_HEADER: named}
        if self.reason is not None:
            headers[REASON_HEADER] = _encoded(self.reason, but=b" ,;:/'()")
        if self.beat is not None:
            headers[BEAT_HEADER] = str(self.beat)
        return headers


def report_of(
    recorded: str, beat: int | None = None, failure: tuple[str, str] | None = None
) -> BeatReport:
    """The report on an outcome that the audit recorded. `failure` is the code and the message if
    the writer failed."""
    name, _, rule = recorded.partition(" ")
    outcome = WORDS[name]
    if name == "REJECTED":
        return BeatReport(outcome, rule, REASONS.get(rule), beat)
    if name == "FAILED" and failure is not None:
        return BeatReport(outcome, failure[0], failure[1], beat)
    return BeatReport(outcome, None, LOOP if name == "LOOPED" else None, beat)


def read_report(headers: Mapping[str, str]) -> BeatReport | None:
    """The report in the headers of an answer; None if it has none."""
    outcome, _, code = headers.get(OUTCOME_HEADER, "").partition(" ")
    if outcome not in WORDS.values():
        return None
    reason = headers.get(REASON_HEADER)
    beat = headers.get(BEAT_HEADER, "")
    number = int(beat) if beat.isascii() and beat.isdigit() and len(beat) < 16 else None
    return BeatReport(outcome, _decoded(code) or None, reason and _decoded(reason), number)


def _encoded(text: str, but: bytes = b"") -> str:
    """A text percent-encoded, as a header can carry it. Plain letters, and the bytes in `but`, stay
    as they are."""
    kept = _PLAIN + but
    return "".join(
        chr(each) if each in kept else f"%{each:02X}" for each in text.encode("utf-8", "replace")
    )


def _decoded(text: str) -> str:
    plain = _ENCODED.sub(lambda match: bytes([int(match[1], 16)]), text.encode("ascii", "replace"))
    return plain.decode("utf-8", "replace")
