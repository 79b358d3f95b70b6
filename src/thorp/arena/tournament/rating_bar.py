"""Ratings and mean scores as bars: every interval on one scale, drawn in the page itself."""

from __future__ import annotations

import math
from collections.abc import Sequence

from thorp.arena.tournament.ratings import Interval

WIDTH = 150
HEIGHT = 16
MARGIN = 6
MINUS = "\u2212"


class RatingScale:
    """A scale of whole numbers that holds every interval of a table."""

    def __init__(self, intervals: Sequence[Interval]) -> None:
        self.low = math.floor(min((interval.low for interval in intervals), default=0))
        self.high = max(self.low + 1, math.ceil(max((interval.high for interval in intervals), default=1)))

    def bar(self, interval: Interval) -> str:
        """The interval as an SVG element, with its figures for those who cannot see it."""
        low, value, high = (self._place(number) for number in (interval.low, interval.value, interval.high))
        return (
            f'<svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            f'aria-label="{interval.value:.1f}, from {interval.low:.1f} to {interval.high:.1f}">'
            f'<line class="axis" x1="{MARGIN}" y1="8" x2="{WIDTH - MARGIN}" y2="8"/>'
            f'<line class="span" x1="{low}" y1="8" x2="{high}" y2="8"/>'
            f'<circle class="dot" cx="{value}" cy="8" r="4"/></svg>'
        )

    def heading(self) -> str:
        """What stands over the bars: the ends of the scale."""
        return f'<span class="ends"><span>{self.low}</span><span>{self.high}</span></span>'.replace(
            "-", MINUS
        )

    def _place(self, value: float) -> str:
        share = (value - self.low) / (self.high - self.low)
        return f"{MARGIN + share * (WIDTH - 2 * MARGIN):.1f}"
