"""Verifies a log: plays the match again and compares every byte that the runner writes with the
file.

Seats of bots that come with Thorp are really played, so their actions must follow from the seed;
every other seat is taken by a recorded agent, which gives the answers in the log again. Lines
are compared one by one, so memory stays constant however long the log is, and the first difference
stops the match. A match that was interrupted is interrupted again where its log says so.
`docs/arena.md` lists the codes of differences.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from operator import ne

import msgspec

from thorp.arena.contract import Agent, AgentConfig, AgentContext, MatchConfig, Scenario
from thorp.arena.events import INTERRUPTED, LogReader, parse_event
from thorp.arena.runner import Match, MatchStopped, new_match_id
from thorp.arena.sealed import parse_secret
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.kernel.rng import Mulberry32

_SEQ = re.compile(rb'"seq":(\d{1,15})[,}]')
_EXCERPT = 60
_SEALING = _SEALED, _REVEALED = b'{"type":"MatchSealed"', b'{"type":"MatchRevealed"'
_UNRECORDED = b'"message":"no reply is recorded for request '
"""The error of a model's seat whose recording does not hold the reply to its request."""


class Difference(msgspec.Struct, frozen=True):
    """Where and how a log differs from the one that the match writes."""

    code: str
    line: int
    message: str


class _DifferenceFound(MatchStopped):
    """Ends the match from inside a write, as soon as one line differs."""

    def __init__(self, difference: Difference) -> None:
        self.difference = difference


class _RecordedInterrupt(KeyboardInterrupt):
    """The interrupt that a log records: a class of its own, so that it is not taken for a Ctrl-C
    of the person who verifies."""


class _RecordedAgent:
    """Gives the answers of its seat that are in the log, and fails where the seat failed."""

    def __init__(
        self, id: str, init_failed: str | None, answer: Callable[[str], dict[str, Json]]
    ) -> None:
        self.id = id
        self._init_failed = init_failed
        self._answer = answer

    def init(self, config: AgentConfig) -> None:
        if self._init_failed is not None:
            raise RuntimeError(self._init_failed)

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        event = self._answer(self.id)
        if event["type"] == "AgentError":
            raise RuntimeError(event.get("message"))
        return event.get("action")


class _LogComparer:
    """Takes the lines of the match played again, and compares each with the next line of the log.

    It never reads far ahead: recorded agents peek at the line that their answer must produce, and
    `compare` takes that line once the runner has written it.
    """

    def __init__(self, reader: LogReader) -> None:
        self._reader = reader
        self._interrupted = False

    def next_answer(self, agent_id: str) -> dict[str, Json]:
        """The event of the next line, which must be an answer. Whether it is this agent's,
        `compare` sees when the runner writes the line."""
        line = self._reader.peek()
        event = parse_event(line) if line else None
        if event is None or event["type"] not in ("ActionSubmitted", "AgentError"):
            raise _DifferenceFound(self._classify(line, b"", f"an answer of {agent_id}"))
        return event

    def compare(self, expected: bytes) -> None:
        """Compare a line that the runner writes with the next line of the log. Raises
        `_DifferenceFound`, or `_RecordedInterrupt` after the line where the match was
        interrupted."""
        line = self._reader.peek()
        if line != expected:
            if line and any(
                expected.startswith(kind) and line.startswith(kind) for kind in _SEALING
            ):
                reason = (
                    "the commitment does not fit the secret and this match, or the secret is "
                    "another"
                )
                raise _DifferenceFound(Difference("sealed", self._reader.line + 1, reason))
            if _UNRECORDED in expected:
                reason = "what this seat did follows from no recorded reply"
                raise _DifferenceFound(Difference("replies", self._reader.line + 1, reason))
            raise _DifferenceFound(
                self._classify(line, expected, expected.split(b'"', 4)[3].decode())
            )
        self._reader.take()
        if not self._interrupted and self._ends_interrupted():
            self._interrupted = True
            raise _RecordedInterrupt

    def _ends_interrupted(self) -> bool:
        """Whether the next line ends the match as interrupted; in a sealed match its secret is
        revealed before that."""
        line = self._reader.peek() or b""
        if line.startswith(_REVEALED):
            line = self._reader.peek(1) or b""
        return line.startswith(INTERRUPTED)

    def _classify(self, line: bytes | None, expected: bytes, subject: str) -> Difference:
        """Say in which way a line is wrong, by its sequence number, which is one less than the
        number of its line."""
        number = self._reader.line + 1
        if line is None:
            return Difference("truncated", number, f"the file ends where {subject} should be")
        if not line.endswith(b"\n"):
            if expected.startswith(line) or not expected:
                return Difference(
                    "truncated", number, f"the line breaks off after {len(line)} bytes"
                )
            return _changed(number, line, expected, subject)
        seq = _SEQ.search(line)
        flipped = len(line) == len(expected) and sum(map(ne, line, expected)) == 1
        if seq is None or int(seq[1]) == number - 1 or flipped:
            return _changed(number, line, expected, subject)
        if int(seq[1]) < number - 1:
            return Difference("repeated", number, f"event {int(seq[1])} comes again")
        missing = f"event {number - 1}"
        if (where := self._find(number - 1)) is not None:
            return Difference(
                "reordered", number, f"{missing} belongs here and stands on line {where}"
            )
        return Difference("dropped", number, f"{missing} is missing; event {int(seq[1])} follows")

    def _find(self, seq: int) -> int | None:
        """Return the number of a later line with this sequence number."""
        while (line := self._reader.take()) is not None:
            match = _SEQ.search(line)
            if match is not None and int(match[1]) == seq:
                return self._reader.line
        return None


def find_difference(
    reader: LogReader,
    scenario: Scenario,
    agent_ids: Sequence[str],
    config: MatchConfig,
    bots: Mapping[str, Agent] | None = None,
) -> Difference | None:
    """Play the match of a log again: the seats in `bots` by those bots, the others from the log.

    `reader` must be at the first line. Returns the first difference, or None if there is none.
    """
    comparer = _LogComparer(reader)
    bots = bots or {}
    failed = _init_failures(reader, len(agent_ids))
    agents: list[Agent] = []
    for agent_id in agent_ids:
        messages = failed.get(agent_id)
        message = messages.pop(0) if messages else None
        agents.append(bots.get(agent_id) or _RecordedAgent(agent_id, message, comparer.next_answer))
    try:
        Match(scenario, agents, config, comparer.compare, keeps_contents=False).play()
    except _RecordedInterrupt:
        pass
    except _DifferenceFound as stopped:
        # The person who verifies may press Ctrl-C. The runner writes that down as the end of the
        # match, which then differs from the log.
        if type(stopped.__context__) is KeyboardInterrupt:
            raise stopped.__context__ from None
        return stopped.difference
    if reader.take() is not None:
        return Difference("trailing", reader.line, "the match has ended, but the file goes on")
    return None


def revealed_secret(reader: LogReader) -> bytes:
    """Return the secret that a log reveals. Refuses a log without one."""
    while (line := reader.take()) is not None:
        event = parse_event(line) if line.startswith(_REVEALED) else None
        if event is not None and isinstance(event.get("secret"), str):
            return parse_secret(event["secret"])
    raise InvalidError(
        "the match is sealed and its secret is not revealed: it cannot be judged", code="sealed"
    )


def config_from_log(start: dict[str, Json], second_line: bytes | None) -> MatchConfig:
    """Derive the configuration from a log alone. A log does not say whether its match id was given
    or drawn; an id that follows from the seed counts as drawn, because drawing one takes numbers
    from the generator and so changes the match."""
    seed = math.nan if start["seed"] is None else start["seed"]
    max_turns = start["maxTurns"]
    if max_turns is None:  # infinity and NaN are both written as null
        max_turns = math.nan if second_line and b'"MatchEnded"' in second_line else math.inf
    drawn = new_match_id(Mulberry32(seed)) == start["matchId"]
    return MatchConfig(seed=seed, max_turns=max_turns, match_id=None if drawn else start["matchId"])


def is_sealed(reader: LogReader) -> bool:
    """Whether the log is that of a sealed match; `reader` must be at the first line."""
    return (reader.peek(1) or b"").startswith(_SEALED)


def _init_failures(reader: LogReader, seats: int) -> dict[str, list[str]]:
    """Read the failures of `init`, which come right after the first line."""
    failed: dict[str, list[str]] = {}
    first = 2 if is_sealed(reader) else 1
    for distance in range(first, first + seats):
        line = reader.peek(distance)
        event = parse_event(line) if line else None
        if event is None or event["type"] != "AgentError" or event.get("turn") != 0:
            break
        failed.setdefault(str(event.get("agentId")), []).append(str(event.get("message")))
    return failed


def _changed(number: int, line: bytes, expected: bytes, subject: str) -> Difference:
    if not expected:
        return Difference("changed", number, f"{subject} should be here, not {_excerpt(line, 0)}")
    parted = (i for i, (a, b) in enumerate(zip(line, expected, strict=False)) if a != b)
    at = next(parted, min(len(line), len(expected)))
    seen = f"expected {_excerpt(expected, at)}, found {_excerpt(line, at)}"
    return Difference("changed", number, f"{subject} differs at byte {at + 1}: {seen}")


def _excerpt(line: bytes, column: int) -> str:
    return repr(line[column : column + _EXCERPT].decode("utf-8", "replace").rstrip("\n"))
