"""Shows how far ticks have been executed, on standard error: a bar on a terminal, lines elsewhere.

A command whose output is piped or redirected must not look dead: every LINE_SECONDS a line says how
far it is.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

from thorp.workers.console import LINE_SECONDS

# Ticks between two moves of a bar: drawing it costs more than a tick of a small world.
TICKS_A_MOVE = 20


class TickProgress:
    """Called with each tick that was executed. This base class shows nothing."""

    def __call__(self, tick: int) -> None:
        pass

    def stop(self) -> None:
        """Show nothing more: from here on the command's own output does."""


class _Bar(TickProgress):
    def __init__(self, progress: Progress, total: int) -> None:
        self._progress = progress
        self._task: TaskID = progress.add_task("executing", total=total or None)

    def __call__(self, tick: int) -> None:
        if tick % TICKS_A_MOVE == 0:
            self._progress.update(self._task, completed=tick)

    def stop(self) -> None:
        self._progress.stop()


class _Lines(TickProgress):
    def __init__(self, total: int) -> None:
        self._total = total
        self._first = -1  # None yet.
        self._last = -1
        self._began = 0.0
        self._printed: float | None = None

    def __call__(self, tick: int) -> None:
        now = time.monotonic()
        if self._printed is None:
            self._printed = now  # what comes before the first tick is not counted
        if self._first < 0 or tick <= self._last:  # the first, or once more from the beginning
            self._begin(tick)
        self._last = tick
        if now - self._printed >= LINE_SECONDS:
            self._printed = now
            print(self._line(tick), file=sys.stderr)

    def _begin(self, tick: int) -> None:
        self._first = tick
        self._began = time.monotonic()

    def _line(self, tick: int) -> str:
        done = tick - self._first
        end = f" of {self._total}" if tick <= self._total else ""  # which is 0 if nobody knows it
        if not done:
            return f"executing: tick {tick}{end}"
        speed = done / max(time.monotonic() - self._began, 1e-3)
        left = f", {(self._total - tick) / speed:,.0f} s left" if end else ""
        return f"executing: tick {tick}{end}, {speed:,.0f}/s{left}"


@contextmanager
def show_ticks(total: int, *, quiet: bool) -> Iterator[TickProgress]:
    """Show the progress up to a tick; 0 where the last one is not known."""
    console = Console(stderr=True)
    if quiet:
        yield TickProgress()
    elif not console.is_terminal:
        yield _Lines(total)
    else:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        # What goes to a file must not come to the terminal with the bar.
        redirect = sys.stdout.isatty()
        bar = Progress(*columns, console=console, transient=True, redirect_stdout=redirect)
        with bar:
            yield _Bar(bar, total)
