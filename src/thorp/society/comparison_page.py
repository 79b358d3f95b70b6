"""A comparison as one page that fetches nothing and runs no script."""

from html import escape

from thorp.kernel.text import make_label
from thorp.pages.plain import plain_page
from thorp.society.comparison import Comparison, Course
from thorp.society.contrast_page import HOW, PAGE_STYLE, contrast_section, drawings
from thorp.society.plots import Series, legend

MAX_LISTED = 100
"""Failed lives that the page lists."""


def comparison_page(found: Comparison) -> bytes:
    """The page: what was compared, the verdicts, what chance alone does, and the course of all
    figures."""
    title = found.question or "Societies compared"
    parts = [f"<h1>{escape(title)}</h1>\n"]
    parts += [f"<p>{escape(line)}</p>\n" for line in facts(found)]
    parts += [_course(each) for each in found.conditions]
    parts.append(f"<h2>Differences</h2>\n<p>{escape(HOW)}</p>\n")
    parts += [
        contrast_section(each, f"{each.name}, compared with {each.against}")
        for each in found.contrasts
    ]
    if found.perturbations:
        parts.append(
            "<h2>What ought not to matter</h2>\n<p>Each is compared with the same lives as they "
            "are, as the mean of all conditions.</p>\n"
        )
        parts += [contrast_section(each, each.name) for each in found.perturbations]
    parts.append("<h2>Day by day</h2>\n<p>Means of all lives under a condition.</p>\n")
    parts.append(legend([each.name for each in found.conditions]))
    parts.append(
        drawings(found.figures, {each.key: _series(found, each.key) for each in found.figures})
    )
    return plain_page(title, "".join(parts), PAGE_STYLE)


def facts(found: Comparison) -> list[str]:
    """What was compared, in sentences."""
    lives = f"{found.lives} lives of {found.days} days: {found.seeds} seeds"
    lines = [f"{lives}, {len(found.conditions)} conditions"]
    lines[0] += f", {len(found.perturbations)} perturbations." if found.perturbations else "."
    if found.failed:
        lines.append(f"{len(found.failed)} lives failed; their pairs do not count.")
        lines += [make_label(each, 300) for each in found.failed[:MAX_LISTED]]
    return lines


def _course(each: Course) -> str:
    texts = "; ".join(make_label(text, 300) for text in each.texts) or "nothing is otherwise"
    return f"<p><b>{escape(each.name)}</b>: {escape(texts)}. {each.lives} lives.</p>\n"


def _series(found: Comparison, key: str) -> list[Series]:
    return [
        Series(each.name, [(day, values[key]) for day, values in enumerate(each.days, start=1)])
        for each in found.conditions
    ]
