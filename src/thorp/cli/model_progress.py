"""Shows on standard error how far a download or a load is: a bar on a terminal, lines elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

from thorp.models.embedded.cache import Progress as Bytes
from thorp.models.embedded.cache import no_progress
from thorp.workers.console import LINE_SECONDS


@contextmanager
def show_bytes(label: str, *, quiet: bool) -> Iterator[Bytes]:
    """Show how many bytes are done, of how many."""
    console = Console(stderr=True)
    if quiet:
        yield no_progress
    elif console.is_terminal:
        columns = (
            *(TextColumn("{task.description}"), BarColumn()),
            *(DownloadColumn(), TransferSpeedColumn()),
        )
        with Progress(*columns, console=console, transient=True) as bar:
            task = bar.add_task(label, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)
    else:
        yield _lines(lambda done, total: f"{label}: {done / 1e6:,.0f} of {total / 1e6:,.0f} MB")


@contextmanager
def show_loading(name: str, *, quiet: bool) -> Iterator[Callable[[float], None]]:
    """Show for how many seconds a model is being loaded."""
    console = Console(stderr=True)
    if quiet:
        yield lambda seconds: None
    elif console.is_terminal:
        with console.status(f"loading {name}") as status:
            yield lambda seconds: status.update(f"loading {name}: {seconds:.0f} s")
    else:
        say = _lines(lambda seconds, _: f"loading {name}: {seconds:.0f} s")
        yield lambda seconds: say(int(seconds), 0)


def _lines(words: Callable[[int, int], str]) -> Bytes:
    """A line every LINE_SECONDS; none for what is over sooner."""
    printed = time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal printed
        if time.monotonic() - printed >= LINE_SECONDS:
            printed = time.monotonic()
            print(words(done, total), file=sys.stderr, flush=True)

    return show
