"""The comparison of agents as one page that fetches nothing and runs no script."""

from html import escape
from typing import Final

from thorp.kernel.text import make_label
from thorp.tasks.console import interval_text
from thorp.tasks.report import Comparison, Report, Summary

_STYLE: Final = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;"
    "color:#222;background:#fff}"
    "table{border-collapse:collapse}"
    "th,td{padding:.3rem .8rem;border-bottom:1px solid #ddd;text-align:right}"
    "th:first-child,td:first-child{text-align:left}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}"
    "th,td{border-color:#444}}"
)


def comparison_page(comparison: Comparison) -> bytes:
    """Agents by families, the best first, with what they took."""
    headings = ["agent", "score, 95 %", *comparison.families, "solved", "legal", "turns"]
    headings += ["calls", "tokens"]
    rows = [_cells(report, comparison.families) for report in comparison.agents]
    head = "".join(f"<th>{escape(name)}</th>" for name in headings)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>\n" for row in rows
    )
    where = f"{comparison.suite}: {comparison.split}, {comparison.rows} rows"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">\n"
        f"<title>{escape(where)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(where)}</h1>\n<p>Suite {escape(comparison.suite_digest)}. Scores are from 0 "
        "to 1, with Wilson's interval at 95 %.</p>\n"
        f"<table>\n<tr>{head}</tr>\n{body}</table>\n</body>\n</html>\n"
    ).encode()


def _cells(report: Report, families: tuple[str, ...]) -> list[str]:
    total: Summary = report.total
    spent = total.spent
    return [
        make_label(report.agent),
        interval_text(total.score),
        *(interval_text(report.families[name].score) for name in families),
        f"{total.solved} of {total.rows}",
        f"{100 * total.legality:.1f} %",
        str(total.turns),
        str(spent.calls),
        str(spent.tokens_in + spent.tokens_out),
    ]
