"""What the pages of comparisons share: drawings and tables of differences with their intervals."""

from collections.abc import Sequence
from html import escape
from typing import Final

from thorp.society.contrasts import NO_DIFFERENCE, Contrast, FigureDifference
from thorp.society.figures import GROUPS, Figure
from thorp.society.plots import STYLE, Interval, Series, interval_plot, line_plot, number_text
from thorp.society.statistics import ALPHA, CONFIDENCE

PAGE_STYLE: Final = (
    f"{STYLE}.shown td{{font-weight:600}}td.words,th.words{{text-align:left}}"
    ".wide{overflow-x:auto;font-size:.85rem}.wide th,.wide td{padding:.3rem .5rem}"
    ".wide td:not(.words){white-space:nowrap}td.words{min-width:11rem}"
)
HOW: Final = (
    f"An interval holds the mean difference within pairs with {CONFIDENCE:.0%} confidence (paired "
    "t). The spread is the standard deviation of the differences, how far a single pair goes "
    "apart, and the effect is the mean in spreads: 0.2 is small, 0.8 is "
    f"large. A difference is shown if its p is below {ALPHA} after Holm's correction for all "
    "figures of all conditions; perturbations are corrected among themselves."
)


def drawings(figures: Sequence[Figure], series: dict[str, list[Series]]) -> str:
    """The figures over the days, by group, each with its definition."""
    parts = []
    for group in GROUPS:
        plots = [_drawing(each, series[each.key]) for each in figures if each.group == group]
        if plots:
            parts.append(f"<h3>{escape(group.capitalize())}</h3>\n<div class=plots>\n")
            parts += [*plots, "</div>\n"]
    return "".join(parts)


def _drawing(each: Figure, series: Sequence[Series]) -> str:
    plot = line_plot(f"{each.key} by day", series)
    text = f"<b>{escape(each.key)}</b> {escape(each.text)}"
    return f"<figure>{plot}<figcaption>{text}</figcaption></figure>\n"


def contrast_section(contrast: Contrast, heading: str) -> str:
    """A contrast: its effects with intervals, and a table with the verdict on each figure."""
    label = f"{heading}: effects in standard deviations"
    rows = [interval for each in contrast.figures if (interval := _interval(each)) is not None]
    head = "".join(f"<th{kind}>{name}</th>" for name, kind in _COLUMNS)
    body = "".join(_row(each) for each in contrast.figures if not is_same(each))
    table = f"<div class=wide><table>\n<tr>{head}</tr>\n{body}</table></div>\n" if body else ""
    plot = f"<p>Effects, with their intervals:</p>\n{interval_plot(label, rows)}" if rows else ""
    same = ", ".join(each.key for each in contrast.figures if is_same(each))
    note = f"<p>The same in every pair: {escape(same)}.</p>\n" if same else ""
    return f"<h3>{escape(heading)}</h3>\n{plot}{table}{note}"


_WORDS: Final = " class=words"
_COLUMNS: Final = (
    ("figure", ""), ("verdict", _WORDS), ("without", ""), ("with", ""), ("difference", ""),
    ("interval", ""), ("spread", ""), ("effect", ""), ("p", ""), ("p, corrected", ""),
    ("pairs", ""),
)  # fmt: skip


def _interval(each: FigureDifference) -> Interval | None:
    """A difference in its own spreads; None if it does not vary."""
    difference = each.difference
    if (
        not difference.spread
        or difference.effect is None
        or difference.low is None
        or difference.high is None
    ):
        return None
    return Interval(
        each.key,
        difference.effect,
        difference.low / difference.spread,
        difference.high / difference.spread,
    )


def is_same(each: FigureDifference) -> bool:
    """Whether a figure is the same in every pair."""
    difference = each.difference
    return difference.mean == 0 and difference.low == 0 and difference.high == 0


def may_be_chance(each: FigureDifference) -> bool:
    """Whether a difference would be shown if nothing else had been looked at."""
    p = each.difference.p
    return each.verdict == NO_DIFFERENCE and p is not None and p < ALPHA


def cells(each: FigureDifference) -> dict[str, str]:
    """A row of a table, by its headings: everything but the verdict."""
    difference = each.difference
    ends = (difference.low, difference.high)
    interval = " to ".join(short(end) for end in ends if end is not None)
    return {
        "figure": each.key,
        "without": number_text(each.base),
        "with": number_text(each.other),
        "difference": signed(difference.mean),
        "interval": interval or "none",
        "spread": "none" if difference.spread is None else short(difference.spread),
        "effect": "none" if difference.effect is None else signed(difference.effect),
        "p": _p_text(difference.p),
        "p, corrected": _p_text(each.p_adjusted),
        "pairs": str(difference.pairs),
    }


def signed(value: float) -> str:
    """A difference with its sign."""
    text = short(value)
    return f"+{text}" if value > 0 else text


def short(value: float) -> str:
    """A difference, with three digits that matter."""
    return number_text(float(f"{value:.3g}"))


def _p_text(p: float | None) -> str:
    if p is None:
        return "none"
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


def _row(each: FigureDifference) -> str:
    kind = "" if each.verdict == NO_DIFFERENCE else " class=shown"
    figure, *numbers = (f"<td>{escape(cell)}</td>" for cell in cells(each).values())
    verdict = f"<td{_WORDS}>{escape(each.text)}</td>"
    return f"<tr{kind}>{figure}{verdict}{''.join(numbers)}</tr>\n"
