"""The comparison of agents as one page that fetches nothing and runs no script."""

from html import escape

from thorp.kernel.text import make_label
from thorp.pages.plain import plain_page
from thorp.tasks.console import interval_text
from thorp.tasks.report import Report, RunComparison, Summary


def comparison_page(comparison: RunComparison) -> bytes:
    """Agents by families, the best first, with what they took."""
    headings = ["agent", "kind", "score, 95 %", *comparison.families, "solved", "legal", "turns"]
    headings += ["calls", "tokens"]
    rows = [_cells(report, comparison.families) for report in comparison.agents]
    head = "".join(f"<th>{escape(name)}</th>" for name in headings)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>\n" for row in rows
    )
    where = f"{comparison.suite}: {comparison.split}, {comparison.rows} rows"
    return plain_page(
        where,
        f"<h1>{escape(where)}</h1>\n<p>Suite {escape(comparison.suite_digest)}. Scores are from 0 "
        "to 1, with Wilson's interval at 95 %.</p>\n"
        f"<table>\n<tr>{head}</tr>\n{body}</table>\n",
    )


def _cells(report: Report, families: tuple[str, ...]) -> list[str]:
    total: Summary = report.total
    spent = total.spent
    return [
        make_label(report.agent),
        report.kind,
        interval_text(total.score),
        *(interval_text(report.families[name].score) for name in families),
        f"{total.solved} of {total.rows}",
        f"{100 * total.legality:.1f} %",
        str(total.turns),
        str(spent.calls),
        str(spent.tokens_in + spent.tokens_out),
    ]
