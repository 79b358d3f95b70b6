"""Drawings in SVG for pages that stand alone: figures over days, and differences with intervals.

Numbers are rounded before they are written, so that the same figures give the same bytes. Colours
follow the page, light or dark.
"""

from collections.abc import Sequence
from html import escape
from typing import Final, NamedTuple

STYLE: Final = (
    ":root{--a:#0b62a4;--b:#b4540a;--c:#3a7d34;--d:#7a4fa3;--e:#a3285a;--f:#00797a;--g:#7a6a00;"
    "--h:#555;--axis:#888}"
    "@media(prefers-color-scheme:dark){:root{--a:#6bb1ea;--b:#f0a35e;--c:#8ccf84;--d:#c3a0e6;"
    "--e:#f08bb4;--f:#5cc9c9;--g:#d6c65a;--h:#bbb;--axis:#999}}"
    "svg{display:block;max-width:100%;height:auto;font:11px system-ui,sans-serif;"
    "fill:currentColor}"
    ".axis{stroke:var(--axis);fill:none}"
    ".l0{stroke:var(--a)}.l1{stroke:var(--b)}.l2{stroke:var(--c)}.l3{stroke:var(--d)}"
    ".l4{stroke:var(--e)}.l5{stroke:var(--f)}.l6{stroke:var(--g)}.l7{stroke:var(--h)}"
    ".l0,.l1,.l2,.l3,.l4,.l5,.l6,.l7{fill:none;stroke-width:1.8}"
    ".d0{fill:var(--a)}.d1{fill:var(--b)}.d2{fill:var(--c)}.d3{fill:var(--d)}"
    ".d4{fill:var(--e)}.d5{fill:var(--f)}.d6{fill:var(--g)}.d7{fill:var(--h)}"
    ".key{display:inline;vertical-align:middle}.keys span{margin-right:1.2rem}"
    ".plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(20rem,1fr));gap:1.2rem}"
    "figure{margin:0}figcaption{font-size:.85rem}"
)
COLOURS: Final = 8

_WIDTH: Final = 360
_HEIGHT: Final = 150
_LEFT: Final = 52
_RIGHT: Final = 10
_TOP: Final = 8
_BOTTOM: Final = 22
_ROW: Final = 24
_LABELS: Final = 190
_MOST_DOTS: Final = 60
"""With more points than these a line has no dots."""


class Series(NamedTuple):
    """A line of a plot: its name, its points, and its colour if that is not by its place."""

    name: str
    points: Sequence[tuple[float, float]]
    colour: int | None = None


class Interval(NamedTuple):
    """A row of a plot of differences: a value, and the ends of its interval if it has one."""

    name: str
    value: float
    low: float | None
    high: float | None


class _Scale:
    """Places values between two ends of a drawing."""

    def __init__(self, values: Sequence[float], begin: float, end: float) -> None:
        self.low = min(values)
        self.high = max(values)
        # A single value lies in the middle.
        self._begin = begin if self.high > self.low else (begin + end) / 2
        self._step = (end - begin) / (self.high - self.low) if self.high > self.low else 0.0

    def place(self, value: float) -> str:
        """Where a value lies, as text."""
        if not self._step:
            return _number(self._begin)
        return _number(self._begin + (value - self.low) * self._step)


def number_text(value: float) -> str:
    """A figure for people: four digits that matter, and no empty decimals."""
    text = f"{value:.4g}" if abs(value) < 10_000 else f"{value:,.0f}"
    return "0" if text == "-0" else text


def line_plot(label: str, series: Sequence[Series], unit: str = "day") -> str:
    """Figures over days, a line for each series. `label` names the drawing to those who hear the
    page."""
    points = [point for each in series for point in each.points]
    if not points:
        return ""
    across = _Scale([x for x, _ in points], _LEFT, _WIDTH - _RIGHT)
    up = _Scale(_padded([y for _, y in points]), _HEIGHT - _BOTTOM, _TOP)
    parts = [_axes(across, up, unit)]
    for number, each in enumerate(series):
        colour = number if each.colour is None else each.colour
        parts.append(_line(each, colour % COLOURS, across, up))
    return _svg(label, _WIDTH, _HEIGHT, parts)


def _padded(values: Sequence[float]) -> list[float]:
    """The ends of an axis: from 0 if nothing is below it, and never without height."""
    low = min(0.0, *values) if len(values) > 1 else min(0.0, values[0])
    high = max(values)
    return [low, high if high > low else low + 1.0]


def _axes(across: _Scale, up: _Scale, unit: str) -> str:
    bottom = _HEIGHT - _BOTTOM
    frame = f'<path class="axis" d="M{_LEFT} {_TOP}V{bottom}H{_WIDTH - _RIGHT}"/>'
    texts = [
        _text(_LEFT - 5, _TOP + 8, number_text(up.high), "end"),
        _text(_LEFT - 5, bottom, number_text(up.low), "end"),
        _text(_LEFT, _HEIGHT - 6, f"{unit} {number_text(across.low)}", "start"),
    ]
    if across.high > across.low:
        texts.append(_text(_WIDTH - _RIGHT, _HEIGHT - 6, number_text(across.high), "end"))
    return frame + "".join(texts)


def _line(series: Series, colour: int, across: _Scale, up: _Scale) -> str:
    places = [(across.place(x), up.place(y)) for x, y in series.points]
    path = "L".join(f"{x} {y}" for x, y in places)
    dots = ""
    if len(places) <= _MOST_DOTS:
        dots = "".join(
            f'<circle class="d{colour}" cx="{x}" cy="{y}" r="2.2">'
            f"<title>{escape(series.name)} {number_text(at)}: {number_text(value)}</title></circle>"
            for (x, y), (at, value) in zip(places, series.points, strict=True)
        )
    return f'<path class="l{colour}" d="M{path}"/>{dots}'


def legend(names: Sequence[str]) -> str:
    """The names of lines, each with its colour."""
    keys = [
        '<span><svg class="key" viewBox="0 0 10 10" width="10" height="10">'
        f'<circle class="d{number % COLOURS}" cx="5" cy="5" r="4"/></svg> {escape(name)}</span>'
        for number, name in enumerate(names)
    ]
    return f'<p class="keys">{"".join(keys)}</p>\n'


def interval_plot(label: str, rows: Sequence[Interval]) -> str:
    """Differences one below the other, each with its interval, and a line where there is none."""
    ends = [end for row in rows for end in (row.value, row.low, row.high) if end is not None]
    if not ends:
        return ""
    widest = max(1e-9, *map(abs, ends)) * 1.1
    height = _TOP + _ROW * len(rows) + _BOTTOM
    width = 2 * _WIDTH
    across = _Scale([-widest, widest], _LABELS, width - _RIGHT)
    zero = across.place(0.0)
    bottom = height - _BOTTOM
    parts = [
        f'<path class="axis" d="M{zero} {_TOP}V{bottom}M{_LABELS} {bottom}H{width - _RIGHT}"/>'
    ]
    parts += [
        _text(_LABELS, height - 6, number_text(-widest), "start"),
        _text(float(zero), height - 6, "0", "middle"),
        _text(width - _RIGHT, height - 6, number_text(widest), "end"),
    ]
    for number, row in enumerate(rows):
        parts.append(_interval(row, _TOP + _ROW * number + _ROW / 2, across))
    return _svg(label, width, height, parts)


def _interval(row: Interval, y: float, across: _Scale) -> str:
    text = _text(_LABELS - 8, y + 4, row.name, "end")
    at = _number(y)
    bar = ""
    if row.low is not None and row.high is not None:
        bar = f'<path class="l0" d="M{across.place(row.low)} {at}H{across.place(row.high)}"/>'
    dot = f'<circle class="d0" cx="{across.place(row.value)}" cy="{at}" r="3.5"/>'
    return text + bar + dot


def _svg(label: str, width: int, height: int, parts: Sequence[str]) -> str:
    head = f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label)}">'
    return f"{head}{''.join(parts)}</svg>"


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{_number(x)}" y="{_number(y)}" text-anchor="{anchor}">{escape(text)}</text>'


def _number(value: float) -> str:
    """A place in a drawing, to a tenth."""
    text = f"{value:.1f}"
    return text.removesuffix(".0")
