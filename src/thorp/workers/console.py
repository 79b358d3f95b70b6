"""Shows a run on the console: a live table on a terminal, plain lines elsewhere.

Progress goes to standard error and the result to standard output, so that the result can be piped.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeAlias

from rich import progress as bars
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from thorp.kernel.text import make_label
from thorp.workers.recorded_run import RunProgress, SomeProgress

REFRESHES_PER_SECOND = 8
LINE_SECONDS = 5.0  # How often a line shows the progress where there is no terminal.
PIPE_WIDTH = 120  # The width of the result where there is no terminal.
MAX_LIVE_ROWS = 20  # The live table must fit the screen, or it cannot be redrawn in place.
MAX_NOTE = 200

MakeTable: TypeAlias = Callable[[SomeProgress, int, int], RenderableType]
"""Makes the table so far, given the most rows and the width of the screen."""


def make_console(*, stderr: bool = False) -> Console:
    """Make the console for the result, or with `stderr` for progress."""
    console = Console(stderr=stderr)
    return console if console.is_terminal else Console(stderr=stderr, width=PIPE_WIDTH)


@contextmanager
def show_progress(
    console: Console, table: MakeTable[SomeProgress], *, quiet: bool
) -> Iterator[Callable[[SomeProgress], None]]:
    """Show progress on the console; yields the callback that does."""
    if quiet:
        yield lambda _progress: None
    elif console.is_terminal:
        with Live(console=console, transient=True, refresh_per_second=REFRESHES_PER_SECOND) as live:
            yield _LiveTable(console, table, live).show
    else:
        yield _Lines(console).show


class _Display:
    """The base of both displays: notes that are not shown yet, tasks per second, and when to show
    more."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._started = self._printed_at = time.monotonic()
        self._notes_printed = 0

    def new_notes(self, progress: RunProgress) -> list[str]:
        """The notes that were added since the last call, safe to print."""
        new = progress.notes[self._notes_printed :]
        self._notes_printed = len(progress.notes)
        return [make_label(note, MAX_NOTE) for note in new]

    def rate(self, progress: RunProgress) -> float:
        """Tasks per second of this run, without those that were resumed."""
        return (progress.done - progress.resumed) / max(time.monotonic() - self._started, 1e-3)

    def is_due(self, seconds: float) -> bool:
        """Whether this much time has passed since it last said yes."""
        now = time.monotonic()
        if now - self._printed_at < seconds:
            return False
        self._printed_at = now
        return True


class _LiveTable(_Display, Generic[SomeProgress]):
    """A table so far over a progress bar, redrawn in place."""

    def __init__(self, console: Console, table: MakeTable[SomeProgress], live: Live) -> None:
        super().__init__(console)
        self._table = table
        self._live = live
        times = bars.TimeElapsedColumn(), bars.TextColumn("left"), bars.TimeRemainingColumn()
        counts = bars.MofNCompleteColumn(), bars.TextColumn("{task.fields[rate]}")
        bar = bars.SpinnerColumn(), bars.BarColumn(bar_width=None)
        self._bar = bars.Progress(*bar, *counts, *times, console=console)
        self._task = self._bar.add_task("", rate="", total=None)

    def show(self, progress: SomeProgress) -> None:
        """Print new notes above the table, and redraw it now and then."""
        for note in self.new_notes(progress):
            self._live.console.print(Text(note, style="yellow"))
        rate = self.rate(progress)
        speed = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"
        self._bar.update(self._task, total=progress.total, completed=progress.done, rate=speed)
        first = progress.done == progress.resumed
        if first or progress.done == progress.total or self.is_due(1 / REFRESHES_PER_SECOND):
            height = max(1, min(MAX_LIVE_ROWS, self._console.height - 4))
            table = self._table(progress, height, self._console.width)
            self._live.update(Group(table, self._bar))


class _Lines(_Display):
    """A progress line every LINE_SECONDS."""

    def show(self, progress: RunProgress) -> None:
        """Print new notes, and a line about the progress now and then."""
        for note in self.new_notes(progress):
            self._say(note)
        rate = self.rate(progress)
        done = f"{progress.done} of {progress.total} {progress.noun}"
        if progress.done == progress.resumed and progress.resumed:
            self._say(f"resuming: {done} are done")
        elif progress.done == progress.total or self.is_due(LINE_SECONDS):
            left = (progress.total - progress.done) / rate if rate else 0
            self._say(f"{done}, {rate:,.1f}/s, {left:,.0f} s left")

    def _say(self, line: str) -> None:
        self._console.print(Text(line), soft_wrap=True)
