"""Reads a match log: one JSON event a line, one line at a time.

Logs come from strangers, so every line is treated as hostile: it may be cut off, huge, binary or
nonsense.
"""

from collections import deque
from typing import BinaryIO

import msgspec

from thorp.kernel.canonical import Json, read_text
from thorp.kernel.errors import InvalidError

# Longer than any line: an action has at most 1 MiB, and a summary may show one for each seat.
LINE_BYTES_LIMIT = 256 << 20
INTERRUPTED = b'{"type":"MatchEnded","reason":"interrupted",'
"""How the last line of an interrupted match begins."""
EVENT_TYPES = (
    "MatchStarted",
    "MatchSealed",
    "TurnStarted",
    "ObservationEmitted",
    "ActionSubmitted",
    "ActionAdjudicated",
    "StateUpdated",
    "AgentError",
    "MatchRevealed",
    "MatchEnded",
)


class LogReader:
    """Reads the lines of a log, with look-ahead. `line` is the number of the last line taken,
    `last` that line itself."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._ahead: deque[bytes] = deque()
        self.line = 0
        self.last = b""

    def take(self) -> bytes | None:
        """The next line with its line feed, or None at the end of the file."""
        line = self.peek()
        if line is not None:
            self.last = self._ahead.popleft()
            self.line += 1
        return line

    def peek(self, distance: int = 0) -> bytes | None:
        """The line `distance` lines ahead of the next, without taking it."""
        while len(self._ahead) <= distance:
            line = self._file.readline(LINE_BYTES_LIMIT + 1)
            if len(line) > LINE_BYTES_LIMIT:
                number = self.line + len(self._ahead) + 1
                raise InvalidError(
                    f"line {number} is longer than {LINE_BYTES_LIMIT} bytes; this is not a match "
                    "log",
                    code="line_size",
                )
            if not line:
                return None
            self._ahead.append(line)
        return self._ahead[distance]


def parse_event(line: bytes) -> dict[str, Json] | None:
    """Parse the event on a line; None if the line is not an event of a match log."""
    try:
        event = read_text(line)
    except (ValueError, RecursionError, msgspec.DecodeError):
        return None
    return event if isinstance(event, dict) and event.get("type") in EVENT_TYPES else None


def parse_start(line: bytes | None) -> dict[str, Json]:
    """Parse the MatchStarted event on a log's first line. Refuses a file that is not a match
    log."""
    event = parse_event(line) if line else None
    if event is None or event["type"] != "MatchStarted":
        raise InvalidError(
            "this is not a match log: line 1 is not a MatchStarted event", code="not_a_log"
        )
    ids = event.get("agentIds")
    if not isinstance(ids, list) or not all(isinstance(agent_id, str) for agent_id in ids):
        raise InvalidError("line 1: agentIds must be a list of strings", code="not_a_log")
    for name in ("seed", "maxTurns"):
        value = event.get(name, "missing")
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
            raise InvalidError(f"line 1: {name} must be a number", code="not_a_log")
    for name in ("scenarioName", "matchId"):
        if not isinstance(event.get(name), str):
            raise InvalidError(f"line 1: {name} must be a string", code="not_a_log")
    return event
