"""`thorp simulate`: let every engine live on a disk that breaks, and check what it promises."""

import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import count
from pathlib import Path
from secrets import randbelow
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
import typer

from thorp.cli.commands import option, print_json
from thorp.cli.options import AsJson, Quiet
from thorp.kernel.errors import InvalidError, UnavailableError
from thorp.store import RealDisk, read_whole, write_atomic

if TYPE_CHECKING:
    from thorp.simulator.run import Report

SEED_LIMIT: Final = 2**53  # Every reader of JSON reads integers below this exactly.
MINUTES_LIMIT: Final = 525_600  # A year.
NEEDED: Final = ("apsw", "cryptography")  # What the extra `simulate` brings.
KEPT_FILE: Final = Path("failing-seeds.jsonl")
KEPT_BYTES_LIMIT: Final = 1 << 20  # Thousands of failing seeds; more say nothing new.
TERMINAL_SECONDS: Final = 0.2  # Between two updates of the line on a terminal.
LINE_SECONDS: Final = 10.0  # Between two lines where there is no terminal.
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def simulate(
    seed: Annotated[
        int | None,
        option("Run this seed; with --minutes, also those after it.", min=0, max=SEED_LIMIT - 1),
    ] = None,
    minutes: Annotated[
        float | None, option("Begin no seed after this time.", "M", min=0, max=MINUTES_LIMIT)
    ] = None,
    keep: Annotated[Path, option("Where failing seeds are kept, a line each.", "FILE")] = KEPT_FILE,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Let every engine live on a disk that breaks, and check what it promises.

    Without --seed, fresh seeds run until Ctrl-C or --minutes; those that fail are kept. A seed
    gives the same report every time. Exit code 1: a promise was broken.

    Example: thorp simulate --seed 7
    """
    _require_packages()
    from thorp.simulator.run import run_seed

    is_single = seed is not None and minutes is None
    if not is_single:
        _read_kept(keep)
    progress = SeedTally(quiet=quiet or is_single)
    with _stopping_between_seeds() as stop_requests:
        for number in _seeds(seed, single=is_single):
            if stop_requests or (minutes is not None and progress.seconds >= 60 * minutes):
                break
            report = run_seed(number)
            progress.add(report)
            _print_report(report, as_json=as_json, single=is_single)
            if report.failures and not is_single:
                _keep(keep, report)
            progress.show()
    progress.end()
    if not as_json and not is_single:
        print(progress)
    if not is_single and progress.failed:
        print(f"failing seeds are in {keep}", file=sys.stderr)
    raise typer.Exit(1 if progress.failed else 0)


def _require_packages() -> None:
    for package in NEEDED:
        try:
            import_module(package)
        except ImportError:
            raise UnavailableError(
                f"simulating needs the package {package}: pip install 'thorp[simulate]'"
            ) from None


def _seeds(first: int | None, *, single: bool) -> Iterable[int]:
    """The seeds to run: one, all from `first` on, or without a first one fresh ones for ever."""
    if first is None:
        return iter(lambda: randbelow(SEED_LIMIT), None)
    return (first,) if single else count(first)


@contextmanager
def _stopping_between_seeds() -> Iterator[list[int]]:
    """Let a first signal end the run after the seed that is under way.

    Inside a call of SQLite an interrupt would be taken for an error of the engine. After the first
    one, signals do what they do by default.
    """
    stop_requests: list[int] = []

    def stop(number: int, frame: FrameType | None) -> None:
        stop_requests.append(number)
        for each in SIGNALS:
            signal.signal(each, signal.SIG_DFL)

    before = {number: signal.signal(number, stop) for number in SIGNALS}
    try:
        yield stop_requests
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _print_report(report: "Report", *, as_json: bool, single: bool) -> None:
    if as_json:
        print_json(report)
        return
    if single:
        print(
            f"seed {report.seed}: {report.steps} steps, {report.faults} faults, "
            f"{report.kills} kills, {report.checks} checks"
        )
    for failure in report.failures:
        print(
            f"seed {report.seed}, {failure.engine}, step {failure.step} ({failure.doing}): "
            f"{failure.message}\n    thorp simulate --seed {report.seed}",
            flush=True,
        )


def _read_kept(path: Path) -> bytes:
    """The failing seeds of earlier runs; refuses a file to which none can be added."""
    path = path.absolute()
    if not path.parent.is_dir() or path.is_dir():
        raise InvalidError(
            f"{path}: no file can be here; give --keep a file in a directory that exists",
            code="argument",
        )
    disk = RealDisk()
    return read_whole(disk, path, most=KEPT_BYTES_LIMIT) if disk.exists(path) else b""


def _keep(path: Path, report: "Report") -> None:
    """Add a failing seed to a file, which is whole whenever this command is stopped."""
    kept = _read_kept(path) + msgspec.json.encode(report) + b"\n"
    if len(kept) <= KEPT_BYTES_LIMIT:
        write_atomic(RealDisk(), path.absolute(), kept, replace=True)


class SeedTally:
    """Counts the seeds that ran and what happened in them, and shows that on standard error."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._began = monotonic()
        self._shown_at = 0.0
        self._on_terminal = sys.stderr.isatty()
        self.seeds = 0
        self.failed = 0
        self._steps = 0
        self._faults = 0
        self._kills = 0
        self._checks = 0

    @property
    def seconds(self) -> float:
        """How long the run has taken."""
        return monotonic() - self._began

    def add(self, report: "Report") -> None:
        """Add the report of a seed to the totals."""
        self.seeds += 1
        self.failed += bool(report.failures)
        self._steps += report.steps
        self._faults += report.faults
        self._kills += report.kills
        self._checks += report.checks

    def __str__(self) -> str:
        outcome = f"{self.failed} failed" if self.failed else "no promise broken"
        noun = "seed" if self.seeds == 1 else "seeds"
        return (
            f"{self.seeds} {noun}, {self._steps} steps, {self._faults} faults, "
            f"{self._kills} kills, {self._checks} checks: {outcome}"
        )

    def show(self) -> None:
        """Print the counts, unless they were printed a moment ago."""
        every = TERMINAL_SECONDS if self._on_terminal else LINE_SECONDS
        if self._quiet or self.seconds - self._shown_at < every:
            return
        self._shown_at = self.seconds
        print(
            f"\r{self}" if self._on_terminal else str(self),
            file=sys.stderr,
            end=self._line_end,
            flush=True,
        )

    def end(self) -> None:
        """End the line that was redrawn on a terminal."""
        if not self._quiet and self._on_terminal:
            print(file=sys.stderr)

    @property
    def _line_end(self) -> str:
        return "" if self._on_terminal else "\n"
