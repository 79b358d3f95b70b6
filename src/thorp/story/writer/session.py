"""Runs a writer through one beat: calls it, answers its questions, and returns what it proposes.

    {"tool_request": …}            a question; the gate answers, and the writer is called again
    {"proposed_write_bundle": …}   a proposal
    {"no_write": …}                deliberate silence

A writer's words are one JSON object with exactly one of these keys, with or without a code fence
around it; anything else is unusable. When the gate closes, the writer is called once more with
tools closed; if it asks another question it has looped, and writes nothing. Every call is recorded
word for word, so that a beat can be replayed without its writer.

Members that a writer may leave out (its request, its time, ids it cannot know) are filled in from
the beat. Members that it states stay as they are, for acceptance to judge.
"""

import re
from typing import Final, Literal

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, LimitError
from thorp.kernel.strict_json import StrictJson
from thorp.story.outcomes import UNUSABLE_WORDS
from thorp.story.tools import ToolAnswer, ToolGate
from thorp.story.writer.calls import CallFailure, WriterCall, WriterCalls
from thorp.story.writer.moment import Moment, Words

WORDS_LIMIT: Final = 1 << 18  # Characters of a writer's words: more than a full bundle takes.
NESTING_LIMIT: Final = 32  # Levels of a writer's words; a bundle has six.

WordsKind = Literal["tool_request", "proposed_write_bundle", "no_write"]
KINDS: Final[tuple[WordsKind, ...]] = ("tool_request", "proposed_write_bundle", "no_write")
FENCE: Final = "```"
_JSON: Final = StrictJson(bytes_limit=4 * WORDS_LIMIT, depth_limit=NESTING_LIMIT)
_encode = msgspec.json.Encoder().encode
_FENCED = re.compile(r"\s*```[A-Za-z]*[ \t]*\r?\n(.*?)\r?\n?```\s*\Z", re.DOTALL)

QUIET: Final = ('{"no_write": {}}', '{"no_write":{}}')
"""What nearly every silent writer says: as the prompt shows it, or without the space."""

UNPAID: Final = "budget"
"""The code of a call that was not made because it might have exceeded the budget."""


class ParsedWords(msgspec.Struct, frozen=True):
    """The kind and the content of a writer's words."""

    kind: WordsKind
    content: Json


def parse_words(text: str) -> ParsedWords | None:
    """Parse a writer's words; None if they are unusable."""
    fenced = _FENCED.match(text) if FENCE in text else None
    value = read_json(fenced[1] if fenced else text)
    if not isinstance(value, dict) or len(value) != 1:
        return None
    [(kind, content)] = value.items()
    is_usable = kind in KINDS and (kind != "no_write" or isinstance(content, dict))
    return ParsedWords(kind, content) if is_usable else None


def complete_bundle(content: Json, kind: WordsKind, moment: Moment) -> Json:
    """Complete a proposal with the members that the writer left out."""
    if not isinstance(content, dict):
        return content
    identity = moment.config.identity
    bundle: dict[str, Json] = {
        "bundle_id": None,
        "request_id": moment.request_id,
        "rejection": {"rejected": False, "reason": None},
    }
    # For a writer that claims nothing. What the ledger records does not depend on it.
    bundle["proposed_by"] = {
        "engine": identity.writer_engine,
        "actor": moment.actor or identity.system_actor,
    }
    if kind == "no_write":
        bundle |= {"entries": [], "wrote": False}
    bundle |= content
    if isinstance(bundle.get("entries"), list):
        defaults = {"request_id": moment.request_id, "created_at_world": moment.created_at_world}
        bundle["entries"] = [
            {"entry_id": None, "bundle_id": None, **defaults, **entry}
            if isinstance(entry, dict)
            else entry
            for entry in bundle["entries"]
        ]
    return bundle


def read_json(text: str) -> Json:
    """The value of a JSON text from a model; None if it is malformed, too long or too deep."""
    if len(text) > WORDS_LIMIT:
        return None
    try:
        return _JSON.read(text)
    except (InvalidError, LimitError):
        return None


class Attempt(msgspec.Struct, frozen=True):
    """The outcome of one attempt. `bundle` is None if there is nothing to judge."""

    verdict: Literal["PROPOSED", "NO_WRITE", "LOOPED", "UNUSABLE", "FAILED"]
    bundle: Json = None


SILENCE: Final = Attempt("NO_WRITE")
LOOP: Final = Attempt("LOOPED")  # It asked another question after its last one was answered.
NOTHING: Final = ParsedWords("no_write", {})  # Plain silence, with nothing to judge.
UNUSABLE: Final = CallFailure(*UNUSABLE_WORDS)


class WriterSession(msgspec.Struct):
    """A writer in one beat: the moment that it is given, the gate for its questions, its calls."""

    _moment: Moment
    _gate: ToolGate
    _calls: WriterCalls

    @property
    def calls(self) -> list[WriterCall]:
        """Every call of the beat, in order."""
        return self._calls.record

    @property
    def answers(self) -> list[ToolAnswer]:
        """The gate's answer to each question, in order."""
        return self._gate.answers

    @property
    def anchors(self) -> list[tuple[str | None, dict[str, Json]]]:
        """The anchors of scenes that the writer changed to, each with its view."""
        return self._gate.anchors

    @property
    def served(self) -> list[tuple[str | None, dict[str, Json]]]:
        """The answers of tools, each with the view that it was given for."""
        return [(each.reader, each.answer) for each in self.answers if each.served]

    def results_for(self, view: str | None) -> list[str]:
        """The answers of tools that were given for a view, as texts."""
        return [_encode(answer).decode() for reader, answer in self.served if reader == view]

    @property
    def spent(self) -> tuple[int, int]:
        """The number of calls that were made, and the tokens that a provider counted for all of
        them."""
        made = [call.said for call in self.calls if getattr(call.said, "code", None) != UNPAID]
        words = [said for said in made if isinstance(said, Words)]
        return len(made), sum((each.tokens_in or 0) + (each.tokens_out or 0) for each in words)

    @property
    def prompt_tokens(self) -> tuple[int, int] | None:
        """The tokens of the last prompt: our estimate, and the provider's count. None if it did not
        count."""
        for call in reversed(self.calls):
            said = call.said
            if (
                call.kind == "write"
                and isinstance(said, Words)
                and said.tokens_in
                and said.estimated_in
            ):
                return said.estimated_in, said.tokens_in
        return None

    @property
    def trouble(self) -> CallFailure | None:
        """Why the last attempt gave nothing that could be judged; None if it gave something."""
        last = self.calls[-1]
        if isinstance(last.said, CallFailure):
            return last.said
        return UNUSABLE if last.verdict == "UNUSABLE" else None

    def sample(self) -> Attempt:
        """Make the next attempt: call the writer, and answer its questions, until it proposes, is
        silent or fails."""
        while True:
            words = self._calls.write(self._moment)
            if isinstance(words, CallFailure):
                return self._note(Attempt("FAILED"), words)
            parsed = NOTHING if words.text in QUIET else parse_words(words.text)
            if parsed is None:
                return self._note(Attempt("UNUSABLE"), words)
            if parsed.kind == "tool_request":
                if not self._moment.tools_open:
                    return self._note(LOOP, words)
                self._answer(parsed.content, words)
                continue
            if parsed == NOTHING:
                return self._note(SILENCE, words)
            bundle = complete_bundle(parsed.content, parsed.kind, self._moment)
            return self._note(
                Attempt("NO_WRITE" if parsed.kind == "no_write" else "PROPOSED", bundle), words
            )

    def drop_scenes(self) -> None:
        """Discard scene changes: the attempt that asked for them was refused, or failed."""
        self.anchors.clear()

    def note_rejection(self, reason: str) -> None:
        """Record with the last call why its proposal was refused."""
        self.calls[-1] = msgspec.structs.replace(self.calls[-1], verdict=reason)

    def _answer(self, question: Json, words: Words) -> None:
        """Pass a question through the gate, and record the call with the gate's verdict."""
        if isinstance(question, dict):
            question = {"request_id": self._moment.request_id, **question}
        answer = self._gate.ask(question)
        self.calls.append(WriterCall("write", f"TOOL {answer.verdict}", words))
        self._moment.results.append(answer.answer)
        if answer.verdict == "LOOP_LIMIT":
            self._moment.tools_open = False

    def _note(self, attempt: Attempt, said: Words | CallFailure) -> Attempt:
        """Record the call that ended an attempt."""
        self.calls.append(WriterCall("write", attempt.verdict, said))
        return attempt
