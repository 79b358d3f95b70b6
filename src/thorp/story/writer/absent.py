"""A writer that a story names and this installation does not have. Whoever only reads needs none."""

from __future__ import annotations

from thorp.story.writer.moment import Moment, Words, WriterFailure


class AbsentWriter:
    calls_out = False
    needs_setting = False

    def __init__(self, name: str) -> None:
        self.name = name

    def begin(self) -> None:
        """Nothing is limited."""

    def write(self, moment: Moment) -> Words:
        raise WriterFailure(f"there is no writer {self.name!r} here", code="unknown_writer")

    def summarise(self, pieces: list[str]) -> Words:
        raise WriterFailure(f"there is no writer {self.name!r} here", code="unknown_writer")
