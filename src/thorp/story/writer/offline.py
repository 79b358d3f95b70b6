"""Writers that need no model: one that quotes the record, and one that says prepared lines.

`OfflineWriter` searches for what the operator's words touch, and quotes the best entry. It invents
nothing: a sentence is a frame around words of the ledger, or says that there are none.

`ScriptedWriter` is for tests and benchmarks. A line of its script is a value to be said as JSON, a
text, an error to be raised, or a function of the moment that returns one of these. After the last
line it is silent.
"""

import json
from collections.abc import Iterable
from typing import Any, Final

from thorp.kernel.canonical import Json
from thorp.story.contracts.tool_request import question_of
from thorp.story.text import find_phrase, words_of
from thorp.story.writer.moment import Moment, Words, WriterFailure

QUESTION: Final = "offline-1"  # The id of its only question in a beat.
EVIDENCE: Final = 20  # Entries that it asks for; the best one that is not its own is quoted.

ECHO: Final = "Your words touch what was told"
ANSWER: Final = "The record answers from"
NOTHING_TOLD: Final = "Your words stand by themselves; nothing told before touches them."
NO_ANSWER: Final = "The question stands; nothing told before answers it."
FRAMES: Final = (ECHO, ANSWER, NOTHING_TOLD, NO_ANSWER)

QUOTE_CHARS: Final = 280  # Characters of a quotation: a thought, not a page.

MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)

SILENT: Final = '{"no_write":{}}'
NO_SUMMARY: Final = WriterFailure("there are no more summaries", code="script")


class OfflineWriter:
    """Writes deterministic prose from evidence."""

    name = "offline"
    calls_out = False
    needs_setting = False

    def begin(self) -> None:
        """Nothing is limited."""

    def write(self, moment: Moment) -> Words:
        """Ask the ledger first, then propose a sentence about its answer."""
        if moment.fresh is None or not moment.fresh.strip():
            return _say({"no_write": {}})
        if moment.tools_open and not moment.results and words_of(moment.fresh):
            return _say({"tool_request": _question(moment)})
        hit = _best(moment)
        text = _prose(moment, hit)
        is_private = hit is not None and hit["visibility_scope"] == "PRIVATE"
        proposal = _proposal(moment, text, is_private=is_private)
        return _say({"proposed_write_bundle": proposal} if text else {"no_write": {}})

    def summarise(self, pieces: list[str]) -> Words:
        raise WriterFailure("it has no words of its own", code="no_summary")


def _say(value: Json) -> Words:
    return Words(json.dumps(value, ensure_ascii=False))


def _question(moment: Moment) -> Json:
    """A search for the operator's words, in the view of the person who acts; if nobody in
    particular does, in the public view."""
    identity = moment.config.identity
    limits = moment.config.tools
    words = words_of(moment.fresh or "")[: limits.max_query_words]
    query = " ".join(words)[: limits.max_query_chars]
    limit = min(EVIDENCE, limits.max_limit)
    actor = moment.actor or identity.world_actor
    return question_of(
        QUESTION,
        identity,
        actor=actor,
        tool="LEDGER_SEARCH",
        query=query,
        constraints={"limit": limit},
    )


def _prose(moment: Moment, hit: dict[str, Json] | None) -> str | None:
    """A sentence that quotes an entry, or says that there is none; None if acceptance would refuse
    it."""
    is_question = (moment.fresh or "").strip().endswith("?")
    if hit is None:
        text = NO_ANSWER if is_question else NOTHING_TOLD
    else:
        frame = ANSWER if is_question else ECHO
        line = " ".join(hit["verbatim_excerpt"].split())
        if len(line) > QUOTE_CHARS:
            line = line[:QUOTE_CHARS].rsplit(" ", 1)[0] + " …"
        quote = line.replace("“", "‘").replace("”", "’").replace('"', "'")
        text = f"{frame} {_day(moment, hit['created_at_world'])}: “{quote}”"
    phrases = moment.config.phrases
    unfit = find_phrase(text, phrases.meta) or find_phrase(text, phrases.time_shortcut)
    return None if unfit or len(text) > moment.config.writing.max_text_chars else text


def _day(moment: Moment, created_at: str) -> str:
    """The time of an entry in words, on the clock that the operator sees."""
    local_time = moment.local(created_at)
    now = moment.local(moment.created_at_world)
    year, month, day = local_time[:10].split("-")
    if local_time[:10] == now[:10]:
        return f"earlier today, at {local_time[11:16]}"
    return f"on {int(day)} {MONTHS[int(month) - 1]} {year}, at {local_time[11:16]}"


def _best(moment: Moment) -> dict[str, Json] | None:
    """The best result that is neither the operator's words of this beat nor a sentence of this
    writer."""
    for answer in moment.results:
        for result in answer.get("results", ()):
            text = result["verbatim_excerpt"].strip()
            if text and text != (moment.fresh or "").strip() and not text.startswith(FRAMES):
                return dict(result)
    return None


def _proposal(moment: Moment, text: str | None, *, is_private: bool) -> Json:
    """The proposal to write a sentence. One that quotes a private entry is PRIVATE to the person in
    whose view it was found."""
    identity = moment.config.identity
    actor = moment.actor or identity.world_actor
    in_person = moment.actor is not None
    listed = [actor] if is_private else []
    return {
        "proposed_by": {"engine": identity.writer_engine, "actor": actor},
        "wrote": True,
        "entries": [
            {
                "author": {"author_id": actor, "author_class": "PERSON" if in_person else "WORLD"},
                "visibility": {"scope": "PRIVATE" if listed else "PUBLIC", "visible_to": listed},
                "channel": "PEOPLE" if in_person else "VOICE",
                "text": text,
            }
        ],
    }


Line = Any


class ScriptedWriter:
    """Says the lines of a script, and is silent when they run out. For tests."""

    calls_out = False
    needs_setting = False

    def __init__(
        self, lines: Iterable[Line] = (), *, summaries: Iterable[Line] = (), name: str = "scripted"
    ) -> None:
        self.name = name
        self._lines = iter(lines)
        self._summaries = iter(summaries)
        self.calls = 0

    def script(self, lines: Iterable[Line]) -> None:
        """Replace the rest of the script by these lines."""
        self._lines = iter(lines)

    def begin(self) -> None:
        """Nothing is limited."""

    def write(self, moment: Moment) -> Words:
        self.calls += 1
        return self._say(next(self._lines, SILENT), moment)

    def summarise(self, pieces: list[str]) -> Words:
        return self._say(next(self._summaries, NO_SUMMARY), None)

    def _say(self, line: Line, moment: Moment | None) -> Words:
        if callable(line):
            return self._say(line(moment), moment)
        if isinstance(line, Exception):
            raise line
        if isinstance(line, Words):
            return line
        return Words(line if isinstance(line, str) else json.dumps(line))
