"""`thorp doctor`: is everything there that Thorp needs, and is what it keeps sound?

A check returns its finding as a text, or raises `Trouble` with a verdict and advice: `warn` for
what one can live with, `fail` for what one cannot. No check leaves anything behind.
"""

from __future__ import annotations

import errno
import os
import re
import resource
import shutil
import socket
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
import typer

from thorp.cli.address_space import ADVICE, LEAST_BYTES, describe_limit, is_too_small
from thorp.cli.commands import option, print_json
from thorp.cli.config import installed_version
from thorp.cli.options import AsJson, DataOption, data_directory
from thorp.kernel.errors import ThorpError
from thorp.kernel.text import one_line
from thorp.server.processes.lockfile import find_server, is_held
from thorp.store import RealDisk, inspect_journal
from thorp.store.url import MARK

if TYPE_CHECKING:
    from thorp.story import Ledger
    from thorp.town.service import EmbeddedTown

LEAST_PYTHON: Final = (3, 11)
ROOM_BYTES: Final = 1 << 30  # A day of a busy world is some tens of millions of bytes.
SLOW_SYNC_SECONDS: Final = 0.05  # A usual tick has 200 ms; its sync should be a small part of that.
SYNCS: Final = 5
QUICK_RECORDS: Final = (
    2_000  # Verified in about a second; longer histories have their own commands.
)
EARLIEST_SECONDS: Final = 1_735_689_600  # A clock before this, 1 January 2025, is wrong.

_REQUIREMENT: Final = re.compile(r"([A-Za-z0-9_.-]+)>=([0-9.]+)\Z")


class Trouble(Exception):
    """Its arguments are the verdict (`warn` or `fail`), what is wrong, and what to do."""


class Installation(NamedTuple):
    """What is examined: a data directory, and the port that a server would use."""

    data: Path
    port: int


def python(place: Installation) -> str:
    """Whether this Python is new enough."""
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < LEAST_PYTHON:
        raise Trouble("fail", version, f"use Python {'.'.join(map(str, LEAST_PYTHON))} or newer")
    return version


def packages(place: Installation) -> str:
    """Whether every package that Thorp requires is installed and new enough."""
    needed = [
        match for text in metadata.requires("thorp") or [] if (match := _REQUIREMENT.match(text))
    ]
    wrong = [
        f"{name} {version or '(missing)'}"
        for name, least in (match.groups() for match in needed)
        if (version := installed_version(name)) is None or _numbers(version) < _numbers(least)
    ]
    if wrong:
        raise Trouble("fail", ", ".join(wrong), "install them: pip install --upgrade thorp")
    return f"{len(needed)} there, and new enough"


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)[:3]]


def directory(place: Installation) -> str:
    """Whether files can be made, linked and replaced where the data directory is, or will be."""
    where = _existing(place.data)
    advice = "give another --data, or let this user write there"
    try:
        with tempfile.TemporaryDirectory(prefix=".thorp-doctor-", dir=where) as name:
            first = Path(name, "first")
            second = Path(name, "second")
            first.write_bytes(b"x")
            os.link(first, second)
            os.replace(second, first)
    except OSError as problem:
        raise Trouble("fail", f"{where}: {problem.strerror}", advice) from None
    return f"{place.data}: can be written" + (
        "" if place.data.is_dir() else "; is made by the first command"
    )


def room(place: Installation) -> str:
    """Whether the disk of the data directory has enough free space."""
    free = shutil.disk_usage(_existing(place.data)).free
    text = f"{free / (1 << 30):.1f} GiB free"
    if free < ROOM_BYTES:
        raise Trouble(
            "warn", text, "free some, or keep less history with `thorp up --retain-days N`"
        )
    return text


def sync(place: Installation) -> str:
    """How long a sync of the data directory's disk takes, in the middle of some."""
    with tempfile.TemporaryFile(dir=_existing(place.data)) as file:
        took = []
        for _ in range(SYNCS):
            file.write(b"x" * 4096)
            file.flush()
            began = time.perf_counter()
            os.fsync(file.fileno())
            took.append(time.perf_counter() - began)
    middle = sorted(took)[SYNCS // 2]
    text = f"{middle * 1000:.1f} ms"
    if middle > SLOW_SYNC_SECONDS:
        raise Trouble(
            "warn", text, "ticks will be late: use a faster disk, or a lower tick_rate_hz"
        )
    return text


def clock(place: Installation) -> str:
    """Whether the machine's clock can be right, and its time zones are there."""
    if time.time() < EARLIEST_SECONDS:
        raise Trouble("fail", "it stands before this release was made", "set this machine's clock")
    ZoneInfo("Europe/London")
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def open_files(place: Installation) -> str:
    """How many connections the limit on open files leaves to a server, which raises its soft
    limit."""
    from thorp.server.sockets.connection_limiter import MAX_CONNECTIONS
    from thorp.server.sockets.listener import LEAST_DESCRIPTORS, connections_allowed, finite_limit

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = connections_allowed(finite_limit(most))
    text = "no limit" if most == resource.RLIM_INFINITY else f"at most {most}"
    text += f": room for {allowed} connections"
    if finite_limit(most) < LEAST_DESCRIPTORS:
        raise Trouble("fail", text, f"a server needs {LEAST_DESCRIPTORS}: raise `ulimit -Hn`")
    if allowed < MAX_CONNECTIONS:
        raise Trouble("warn", text, f"for the {MAX_CONNECTIONS} of a server raise `ulimit -Hn`")
    return text


def memory(place: Installation) -> str:
    """Whether a server has enough address space to open a world."""
    if is_too_small():
        raise Trouble("fail", describe_limit(), f"a server needs {LEAST_BYTES >> 20} MiB: {ADVICE}")
    return describe_limit()


def port(place: Installation) -> str:
    """Whether a server could listen on the port."""
    server = find_server(place.data)
    if server is not None and server.url.endswith(f":{place.port}"):
        return f"{place.port}: the server of this directory listens there"
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", place.port))
        except OSError as problem:
            text = "in use" if problem.errno == errno.EADDRINUSE else str(problem.strerror)
            advice = "stop what listens there, or give `thorp up --port`"
            raise Trouble("warn", f"{place.port}: {text}", advice) from None
    return f"{place.port}: free"


def held_by(place: Installation) -> str:
    """Which server or command holds the directory, and whether the server answers."""
    server = find_server(place.data)
    if server is None:
        if is_held(place.data / "world" / "lock"):
            advice = "wait for the command that works on the world, or stop it"
            raise Trouble("warn", "another process holds the world", advice)
        return "nobody"
    from thorp.client.http import HttpClient

    text = f"a server of thorp {server.release}, pid {server.pid}, at {server.url}"
    with HttpClient(server.url) as line:
        try:
            status, body = line.ask("GET", "/readyz", seconds=5.0, ready_seconds=0)
        except ThorpError as problem:
            raise Trouble("fail", text, f"it does not answer: {problem}") from None
    if status != 200:
        raise Trouble("warn", text, f"it is not ready: {body.decode(errors='replace')[:200]}")
    return text


def tokens(place: Installation) -> str:
    """Whether token files are there, and safe from other users of the machine."""
    from thorp.server.access.tokens import Tokens, read_admin_token

    if (
        place.data.is_dir()
        and (mode := place.data.stat().st_mode) & 0o022
        and not mode & stat.S_ISVTX
    ):
        advice = f"chmod 700 {place.data}"
        raise Trouble(
            "warn", f"{place.data}: others may write there, and so replace its tokens", advice
        )
    admin = "none yet" if read_admin_token(place.data) is None else "there, and secret"
    return f"{len(Tokens(place.data).all())}; the admin token: {admin}"


def world(place: Installation) -> str:
    """Whether the headers of the world's journal can be read, and its live segment is whole."""
    from thorp.voxel.persistence.directory import WorldDirectory, summarize

    path = place.data / "world"
    if not path.is_dir() or not (journals := WorldDirectory(RealDisk(), path).journals()):
        return "none yet"
    summary = summarize(RealDisk(), path)
    live = journals[max(journals)]
    if live.suffix == ".jsonl":
        inspect_journal(RealDisk(), live)
    return f"tick {summary.last_tick}, seed {summary.seed}; `thorp world verify` executes it again"


def towns(place: Installation) -> str:
    """Verify the journal of the towns."""
    from thorp.town.service import DATABASE_FILE, EmbeddedTown

    return _verify(place.data, DATABASE_FILE, EmbeddedTown, "records", "thorp town verify")


def story(place: Installation) -> str:
    """Verify the ledger of the story."""
    from thorp.story import open_ledger
    from thorp.story.creation import DATABASE_FILE

    return _verify(place.data, DATABASE_FILE, open_ledger, "beats", "thorp story verify")


def _verify(
    data: Path, file: str, opens: type[EmbeddedTown] | type[Ledger], unit: str, command: str
) -> str:
    """Verify a kept history, unless it is too long for a quick look."""
    where: Path | str = data
    if (data / MARK).exists():
        where = os.environ.get("THORP_DATABASE", "")
        if not where:
            advice = "set THORP_DATABASE, so that it can be looked at"
            raise Trouble("warn", "kept in a PostgreSQL database", advice)
    elif not (data / file).exists():
        return "none yet"
    with opens(where, create=False) as kept:
        count, _ = kept.tip()
        text = f"{count} {unit}"
        if count > QUICK_RECORDS:
            return f"{text}, not verified; `{command}` does"
        difference = kept.verify().difference
    if difference is not None:
        raise Trouble("fail", difference, f"restore a copy from before; `{command}` tells the same")
    return f"{text}, and all follows from the chain"


def _existing(path: Path) -> Path:
    """The directory itself if it exists, else the nearest existing one above it."""
    path = path.absolute()
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


# In the order in which they are made: first what everything else needs.
_CHECKS: Final = (
    *(python, packages, directory, room, sync, clock, open_files, memory, port, held_by, tokens),
    *(world, towns, story),
)
CHECKS: Final[dict[str, Callable[[Installation], str]]] = {
    check.__name__.replace("_", " "): check for check in _CHECKS
}


class CheckResult(msgspec.Struct, frozen=True):
    """The result of one check, and what to do about it."""

    check: str
    verdict: str
    found: str
    advice: str | None = None


def doctor(
    data: DataOption = None,
    port: Annotated[int, option("The port that a server would use.", min=1, max=65535)] = 8080,
    as_json: AsJson = False,
) -> None:
    """Check this machine and a data directory, also while a server runs. Exit code 1 if something
    fails.

    Example: thorp doctor --data thorp-data
    """
    findings = []
    for finding in examine(Installation(data_directory(data), port)):
        findings.append(finding)
        if not as_json:
            print(f"{finding.verdict:<5} {finding.check:<11} {one_line(finding.found)}", flush=True)
            if finding.advice:
                print(f"{'':<17} {one_line(finding.advice)}")
    if as_json:
        print_json(findings)
    if any(finding.verdict == "fail" for finding in findings):
        raise typer.Exit(1)


def examine(place: Installation) -> Iterator[CheckResult]:
    """Make every check in turn. A check that cannot be made has failed."""
    for name, check in CHECKS.items():
        try:
            yield CheckResult(name, "ok", check(place))
        except Trouble as trouble:
            yield CheckResult(name, *trouble.args)
        except (ThorpError, OSError) as problem:
            message = str(problem)
            if isinstance(problem, OSError):
                message = f"{problem.filename}: {problem.strerror}"
            yield CheckResult(name, "fail", message, "mend this, then look again")
