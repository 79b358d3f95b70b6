"""Shows a league's table and one of its agents on the console."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from thorp.arena.league.table import Row, Table
from thorp.kernel.text import make_label

GAP = 2  # Spaces between columns.


def print_table(console: Console, table: Table) -> None:
    """Print a league's table, and what a reader must know to trust it."""
    suite = table.suite
    of_what = f"{suite['name']} {suite['version']}" + (f", {table.game}" if table.game else "")
    console.print(
        Text(f"{make_label(of_what)}: {len(table.agents)} agents, {table.results} results", "bold")
    )
    console.print(_grid(table.agents))
    for line in _notes(table):
        console.print(Text(line, style="dim"), soft_wrap=True)


def _grid(rows: Sequence[Row]) -> Grid:
    has_means = any(row.mean is not None for row in rows)
    headings = ["#", "agent", *(["mean, 95 %"] if has_means else []), "rating, 95 %", "tier"]
    headings += ["games", "copies ±", "invalid", "errors", "tokens", "status", ""]
    grid = Grid(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    for heading in headings:
        grid.add_column(
            Text(heading),
            justify="left" if heading in ("agent", "status") else "right",
            no_wrap=True,
        )
    for row in rows:
        cells = [Text(str(row.rank)), Text(make_label(row.id), "bold" if row.rank == 1 else "")]
        if has_means:
            cells.append(Text(_mean_text(row)))
        reach = "" if row.high is None else f" ±{row.high - row.rating:.0f}"
        cells += [Text(f"{row.rating:.0f}{reach}"), Text(str(row.tier)), Text(str(row.games))]
        cells.append(Text("" if row.copy_shift is None else f"{row.copy_shift:.0f}"))
        cells += [Text(f"{100 * row.invalid_rate:.1f} %"), Text(f"{100 * row.error_rate:.1f} %")]
        cells += [Text(str(row.tokens_in + row.tokens_out or "")), Text(row.status)]
        cells.append(Text("provisional" if row.provisional else "", "dim"))
        grid.add_row(*cells)
    return grid


def _mean_text(row: Row) -> str:
    mean = row.mean
    if mean is None or mean.value is None:
        return ""
    reach = "" if mean.high is None else f" ±{mean.high - mean.value:.2f}"
    return f"{mean.value:.2f}{reach}"


def _notes(table: Table) -> Iterator[str]:
    if table.variance is not None:
        parts = ", ".join(f"{name} {100 * share:.0f} %" for name, share in table.variance.items())
        yield f"outcomes are {parts}"
    for cycle in table.cycles:
        yield "a circle: " + " beats ".join(make_label(id) for id in [*cycle["agents"]])
    if any(row.group > 1 for row in table.agents):
        yield "some never met, not even over others: ratings of different groups do not compare"
    for each in table.uncounted:
        where = f"batch {each['batch'][:16]}"
        yield f"not counted: {make_label(each['agent'])} in {where}, {each['reason']}"
    for row in table.agents:
        if row.missing:
            deals = f"{row.missing} deals that others have played"
            yield f"missing: {make_label(row.id)} lacks {deals}, which count as the worst"
    yield f"suite {table.suite['digest'][:16]}, set {table.set[:16]}"


def print_agent(console: Console, row: Row) -> None:
    """Print everything that is known of one agent."""
    facts = [
        ("agent", row.id),
        ("identity", row.identity),
        ("version", row.version or "unknown"),
        ("names", ", ".join(row.names)),
        ("track", row.track),
        ("status", row.status),
        ("rank", f"{row.rank} (between {row.best} and {row.worst}), tier {row.tier}"),
        ("rating", _rating_text(row)),
        (
            "if one is copied",
            "" if row.copy_shift is None else f"moves by up to {row.copy_shift:.1f}",
        ),
        ("played", ", ".join(f"{game} {count}" for game, count in row.played.items())),
        ("opponents", str(row.met)),
        ("missing deals", str(row.missing)),
        ("tokens", f"{row.tokens_in} in, {row.tokens_out} out, {row.calls} calls"),
    ]
    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        console.print(Text(f"{name:{width}}  {make_label(value, 200)}", style=""), soft_wrap=True)


def _rating_text(row: Row) -> str:
    if row.low is None or row.high is None:
        return f"{row.rating:.1f}, no interval from {row.deals} deals"
    return f"{row.rating:.1f}, 95 % {row.low:.1f} to {row.high:.1f}, from {row.deals} deals"
