"""The answer to a counterfactual question as one page that fetches nothing and runs no script."""

from html import escape

from thorp.kernel.text import make_label
from thorp.pages.plain import plain_page
from thorp.society.contrast_page import HOW, PAGE_STYLE, contrast_section, drawings
from thorp.society.plots import Series, legend, number_text
from thorp.society.what_if import ArmCourse, WhatIf, facts, series_names


def what_if_page(found: WhatIf) -> bytes:
    """The page: the question, the course of control, changed and noise arms, and the verdicts."""
    title = f"What if {make_label(found.change, 200)}?"
    parts = [f"<h1>{escape(title)}</h1>\n"]
    parts += [f"<p>{escape(make_label(line, 400))}</p>\n" for line in facts(found)]
    parts.append("<h2>Day by day</h2>\n")
    parts.append(legend(series_names() if found.noise else series_names()[:2]))
    series = {
        each.key: [_series(arm, each.key) for arm in _in_front(found)] for each in found.figures
    }
    parts.append(drawings(found.figures, series))
    parts.append(f"<h2>Differences</h2>\n<p>{escape(HOW)}</p>\n")
    parts.append(contrast_section(found.contrast, "changed, compared with the control"))
    parts.append(_noise(found))
    return plain_page(title, "".join(parts), PAGE_STYLE)


def _in_front(found: WhatIf) -> list[ArmCourse]:
    """The arms, with those that have the world's own draws drawn last."""
    return sorted(found.arms, key=lambda arm: (not arm.is_noise, arm.is_changed))


def _series(arm: ArmCourse, key: str) -> Series:
    colour = int(arm.is_changed) + 2 * int(arm.is_noise)
    return Series(arm.name, [(day["day"], day[key]) for day in arm.days], colour)


def _noise(found: WhatIf) -> str:
    if not found.noise:
        return ""
    rows = "".join(
        f"<tr><td>{escape(key)}</td><td>{number_text(value)}</td></tr>\n"
        for key, value in found.noise.items()
    )
    return (
        "<h2>Chance alone</h2>\n<p>The standard deviation of each figure among the controls, which "
        f"differ in their draws alone.</p>\n<table>\n<tr><th>figure</th><th>deviation</th></tr>\n"
        f"{rows}</table>\n"
    )
