"""A writer that says prepared lines, for tests and benchmarks.

A line is a value to be said as JSON, a text, an error to be raised, or a function of the moment that returns
one of these. After the last line the writer is silent.
"""

import json
from collections.abc import Iterable
from typing import Any, Final

from thorp.story.writer.moment import Moment, Words, WriterFailure

Line = Any
SILENT: Final = '{"no_write":{}}'


NO_SUMMARY: Final = WriterFailure("there are no more summaries", code="script")


class ScriptedWriter:
    calls_out = False

    def __init__(
        self,
        lines: Iterable[Line] = (),
        *,
        summaries: Iterable[Line] = (),
        needs_setting: bool = False,
        name: str = "scripted",
    ) -> None:
        self.name = name
        self.needs_setting = needs_setting
        self._lines = iter(lines)
        self._summaries = iter(summaries)
        self.calls = 0

    def script(self, lines: Iterable[Line]) -> None:
        """Say these lines from now on."""
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
