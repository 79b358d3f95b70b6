"""Real processes, really interrupted by SIGINT, SIGTERM and SIGKILL, and then the same command
again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.arena.tournament.processes import SLEEPER, is_gone, until
from tests.arena.tournament.small import tree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

THORP = [sys.executable, "-c", "from thorp.cli.main import main; main()"]
ROUNDS = 10
MATCHES = 3 * ROUNDS

# A shell script, for it starts in no time; it takes its time over every turn instead.
PLODDER = """
while read -r line; do
  case $line in
    *'"type":"init"'*) echo '{"type":"ready","protocol":1}' ;;
    *'"type":"end"'*) exit ;;
    *) turn=${line#*'"turn":'}
       sleep 0.02
       echo '{"type":"action","turn":'"${turn%%,*}"',"action":{"guess":50}}' ;;
  esac
done
"""


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def records(path: Path) -> int:
    journal = path / "results.journal"
    return journal.read_bytes().count(b'"key":') if journal.exists() else 0


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A tournament of a second or two, without its directory."""
    script = tmp_path_factory.mktemp("bots") / "plodder.sh"
    script.write_text(PLODDER)
    agents = [
        "--agent",
        "alice=random",
        "--agent",
        "bob=baseline",
        "--agent",
        f"carol=cmd:sh {script}",
    ]
    return [
        *THORP,
        "tournament",
        "run",
        "number-guess",
        *agents,
        "--rounds",
        str(ROUNDS),
        "--max-turns",
        "3",
    ]


@contextmanager
def running(
    command: list[str], path: Path, workers: int, *more: str
) -> Iterator[subprocess.Popen[str]]:
    complete = [*command, "--quiet", "--out", str(path), "--workers", str(workers), *more]
    with subprocess.Popen(
        complete, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def finish(command: list[str], path: Path) -> str:
    """The same command again, to its end; what it said on the way."""
    complete = [*command, "--out", str(path), "--workers", "2"]
    return subprocess.run(complete, check=True, capture_output=True, text=True).stderr


@pytest.fixture(scope="module")
def reference(command: list[str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    path = tmp_path_factory.mktemp("reference") / "t"
    finish(command, path)
    return tree(path)


@pytest.mark.parametrize(("number", "workers"), [(signal.SIGTERM, 1), (signal.SIGINT, 2)])
def test_a_signal_stops_soon_keeps_what_is_done_and_says_how_to_go_on(
    command: list[str],
    reference: dict[str, bytes],
    tmp_path: Path,
    number: signal.Signals,
    workers: int,
) -> None:
    path = tmp_path / "t"
    with running(command, path, workers) as process:
        until(lambda: records(path) >= 2)
        workers_of = children(process.pid)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    done = records(path)
    assert 2 <= done < MATCHES
    told = (
        f"stopped after {done} of {MATCHES} matches; they are kept: run the same command again "
        "to go on"
    )
    assert err == f"thorp: {told}\n"
    until(lambda: all(is_gone(pid) for pid in workers_of))
    assert f"resuming: {done} of {MATCHES} matches are done" in finish(command, path)
    assert tree(path) == reference


@pytest.mark.parametrize("workers", [1, 2])
def test_a_kill_at_any_moment_is_survived_and_leaves_no_workers(
    command: list[str], reference: dict[str, bytes], tmp_path: Path, workers: int
) -> None:
    path = tmp_path / "t"
    for wanted in (1, 6):
        with running(command, path, workers) as process:
            until(lambda: records(path) >= wanted)  # noqa: B023
            workers_of = children(process.pid)
            process.kill()
        until(lambda: all(is_gone(pid) for pid in workers_of))  # noqa: B023
    assert not (path / "results.jsonl").exists()
    finish(command, path)
    assert tree(path) == reference


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_signal_ends_an_agent_that_thinks_for_ever(
    command: list[str], tmp_path: Path, number: signal.Signals
) -> None:
    """Also the one that nobody can handle: workers look at their parent while they wait."""
    marker, bot = tmp_path / "pid", tmp_path / "sleeper.py"
    bot.write_text(SLEEPER.format(marker=str(marker)))
    more = ["--agent", f"zoe={bot}:Sleeper", "--turn-seconds", "600", "--match-seconds", "600"]
    with running(command, tmp_path / "t", 2, *more) as process:
        until(lambda: marker.exists() and marker.read_text())
        workers_of = children(process.pid)
        process.send_signal(number)
        process.wait(60)
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    until(lambda: is_gone(int(marker.read_text())))
    until(lambda: all(is_gone(pid) for pid in workers_of))


def test_a_background_job_of_a_shell_can_be_interrupted_too(
    command: list[str], tmp_path: Path
) -> None:
    """A shell's `&` leaves SIGINT ignored; the tournament listens all the same."""
    path = tmp_path / "t"
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with running(command, path, 2) as process:
            until(lambda: records(path) >= 1)
            os.kill(process.pid, signal.SIGINT)
            process.communicate(timeout=60)
    finally:
        signal.signal(signal.SIGINT, before)
    assert process.returncode == 130
