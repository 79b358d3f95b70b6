"""The report of a society as one page that fetches nothing and runs no script."""

from collections.abc import Sequence
from html import escape
from typing import Final

from thorp.kernel.text import make_label
from thorp.pages.plain import plain_page
from thorp.society.figures import GROUPS, Figure
from thorp.society.plots import STYLE, Series, line_plot, number_text
from thorp.society.report import SocietyReport
from thorp.village.bounds import figure
from thorp.village.measure import Line

MOST_ROWS: Final = 400
"""Days in the table at the end; drawings have all of them."""


def report_page(report: SocietyReport) -> bytes:
    """The page: what was measured, drawings by group with definitions, and a table of the days."""
    title = f"A society by day: seed {report.seed}"
    parts = [f"<h1>{escape(title)}</h1>\n", *(f"<p>{escape(line)}</p>\n" for line in facts(report))]
    for group in GROUPS:
        parts.append(f"<h2>{escape(group.capitalize())}</h2>\n<div class=plots>\n")
        parts += [_drawing(each, report) for each in report.figures if each.group == group]
        parts.append("</div>\n")
    parts.append(_table(report))
    return plain_page(title, "".join(parts), STYLE)


def facts(report: SocietyReport) -> list[str]:
    """What was measured, in sentences."""
    ticks = f"Ticks {report.after_tick + 1:,} to {report.last_tick:,}"
    lines = [f"{ticks} of a world with seed {report.seed}, {report.day_ticks:,} ticks a day."]
    if report.omitted:
        lines.append(f"Not from the beginning: {make_label(report.omitted, 300)}.")
    if report.history != ["founded"]:
        reasons = "; ".join(make_label(reason, 300) for reason in report.history)
        lines.append(f"History: {reasons}.")
    if report.unfinished is not None:
        lines.append(f"Day {report.unfinished['day']} is not over, and counts as far as it came.")
    lines.append(f"Digest of the world at the end: {report.digest}.")
    return lines


def all_days(report: SocietyReport) -> list[Line]:
    """The days, with the one that is not over."""
    return report.days + ([] if report.unfinished is None else [report.unfinished])


def _drawing(each: Figure, report: SocietyReport) -> str:
    points = [(line["day"], figure(line, each.key) or 0.0) for line in all_days(report)]
    plot = line_plot(f"{each.key} by day", [Series("day", points)])
    text = f"<b>{escape(each.key)}</b> {escape(each.text)}"
    return f"<figure>{plot}<figcaption>{text}</figcaption></figure>\n"


def _table(report: SocietyReport) -> str:
    days = all_days(report)
    newest = days[-MOST_ROWS:]
    head = "".join(f"<th>{escape(each.key)}</th>" for each in report.figures)
    rows = "".join(_row(line, report.figures) for line in newest)
    left_out = len(days) - len(newest)
    note = f"<p>The last {len(newest)} of {len(days)} days.</p>\n" if left_out else ""
    return (
        f"<h2>Day by day</h2>\n{note}<div style=overflow-x:auto><table>\n"
        f"<tr><th>day</th>{head}</tr>\n{rows}</table></div>\n"
    )


def _row(line: Line, figures: Sequence[Figure]) -> str:
    cells = [number_text(figure(line, each.key) or 0.0) for each in figures]
    return f"<tr><td>{line['day']}</td>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>\n"
