"""Counts the outcomes of a story's beats, and logs why its writer failed."""

import logging
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from thorp.server.http.prometheus import Row, Sample
from thorp.story import Answer

# Third-party writers may use any code, but not everything may be a label in /metrics.
_CODE: Final = re.compile(r"[a-z0-9_]{1,40}\Z")

_log = logging.getLogger(__name__)


class WriterMeter:
    """Counts beats by their outcome, and logs why a writer failed."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()
        self.rejections: Counter[str] = Counter()

    def take(self, answer: Answer) -> None:
        """Count the outcome of a beat, unless it was answered and counted before."""
        if answer.replayed or answer.outcome is None:
            return
        name, _, rule = answer.outcome.partition(" ")
        if answer.beat is not None:  # else the beat was given up, and stored nowhere
            self.outcomes[name] += 1
        if answer.trouble is not None:
            code = answer.trouble.code
            message = answer.trouble.message
            self.failures[code if _CODE.match(code) else "other"] += 1
            _log.warning("the story's writer failed: %s: %s", code, ascii(message))
        elif name == "REJECTED":
            self.rejections[rule] += 1
            advice = f"`thorp story audit --beat {answer.beat}` shows it"
            _log.warning("what the story's writer proposed was not accepted: %s; %s", rule, advice)
        elif name == "LOOPED":
            _log.warning("the story's writer asked its tools in a loop, in beat %s", answer.beat)

    def rows(self) -> Iterator[Row]:
        """The counts as metrics."""
        outcomes: list[Sample] = [
            ({"outcome": name}, count) for name, count in self.outcomes.items()
        ]
        failures: list[Sample] = [({"code": code}, count) for code, count in self.failures.items()]
        rejections: list[Sample] = [
            ({"rule": rule}, count) for rule, count in self.rejections.items()
        ]
        yield "thorp_story_beats_total", "counter", "Beats by what became of them.", outcomes
        yield "thorp_story_writer_failures_total", "counter", "Beats whose writer failed.", failures
        yield (
            "thorp_story_rejections_total",
            "counter",
            "Rejected proposals by the broken rule.",
            rejections,
        )
