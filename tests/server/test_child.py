"""Children of a server: they end with it, however it ends, and one of them at a time makes a
tape."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from tests.cli.command import run as run_command
from tests.server.test_up import up
from thorp.bridges.voxel_town import new_city_world
from thorp.children.lifetime import program_command
from thorp.observer.tape_rebuild import LOCK
from thorp.server.settings import WORLD
from thorp.store import RealDisk, hold
from thorp.voxel import WorldService
from thorp.voxel.tuning import Tuning

# They end at once. What hangs is found out by this.
PATIENCE_SECONDS = 30

# Starts a child, says which, and waits to be killed.
PARENT = """
import subprocess, sys, time
from thorp.children import lifetime
command = lifetime.program_command if sys.argv[1].startswith("/") else lifetime.child_command
child = subprocess.Popen(command(*sys.argv[1:]))
print(child.pid, flush=True)
time.sleep(600)
"""
# Has no time to look at anything, and wants to hear nothing.
BUSY = """
import signal, sys
from pathlib import Path
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
Path(sys.argv[1]).touch()
while True:
    pass
"""
# The same on a system whose kernel cannot be asked.
LEFT_TO_ITSELF = """
import os, sys
from thorp.children import lifetime as child
child._ask_kernel = lambda: None
child.die_with(os.getppid())
import busy
"""


def is_running(process: int) -> bool:
    """Whether a process is there, and not only waited for by nobody."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def wait_until_gone(processes: list[int]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while left := [process for process in processes if is_running(process)]:
        assert time.monotonic() < deadline, left
        time.sleep(0.02)


@contextmanager
def killed_at_the_end(processes: Iterable[int]) -> Iterator[None]:
    """Leave nothing behind, whatever a test finds."""
    try:
        yield
    finally:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def start_family(
    tmp_path: Path, source: str, run: Iterable[str] = ("child_module",)
) -> tuple[subprocess.Popen[str], int]:
    """A parent that waits, and its child, which is busy: a module, or what `run` says."""
    (tmp_path / "busy.py").write_text(BUSY)
    (tmp_path / "child_module.py").write_text(source)
    begun = tmp_path / "begun"
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, *run, str(begun)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not begun.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return parent, child


@pytest.mark.parametrize("source", [BUSY, LEFT_TO_ITSELF], ids=["by the kernel", "by itself"])
def test_a_child_that_is_busy_ends_when_its_parent_is_killed(source: str, tmp_path: Path) -> None:
    parent, child = start_family(tmp_path, source)
    with parent, killed_at_the_end([child]):
        assert is_running(child)
        parent.kill()
        parent.wait()
        wait_until_gone([child])


def test_a_program_that_knows_nothing_of_us_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    """As pip is, or uv: the kernel looks after it beyond the start of the other program."""
    program = (sys.executable, str(tmp_path / "child_module.py"))
    parent, child = start_family(tmp_path, BUSY, program)
    with parent, killed_at_the_end([child]):
        assert b"lifetime" not in Path(f"/proc/{child}/cmdline").read_bytes()
        parent.kill()
        parent.wait()
        wait_until_gone([child])


def test_a_program_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        program_command(str(tmp_path / "nothing")), capture_output=True, timeout=PATIENCE_SECONDS
    )
    assert done.returncode == 127
    assert done.stderr.decode() == f"{tmp_path / 'nothing'}: No such file or directory\n"


def test_a_child_whose_parent_has_ended_already_does_not_begin(tmp_path: Path) -> None:
    (tmp_path / "child_module.py").write_text(
        "import sys, pathlib; pathlib.Path(sys.argv[1]).touch()"
    )
    begun = tmp_path / "begun"
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "thorp.children.lifetime",
            str(ended.pid),
            "child_module",
            str(begun),
        ],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == -signal.SIGKILL
    assert not begun.exists()


def children_of(process: int) -> dict[int, str]:
    """The children of a process, each with its command."""
    lists = Path(f"/proc/{process}/task").glob("*/children")
    numbers = [int(number) for one in lists for number in one.read_text().split()]
    commands = {}
    for number in numbers:
        with suppress(OSError):
            commands[number] = (
                Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            )
    return commands


def watches_its_parent(child: int) -> bool:
    """Whether a child has come so far that it has a second thread, which is begun before any
    import."""
    with suppress(OSError):
        return len(os.listdir(f"/proc/{child}/task")) > 1
    return False


def live_empty_ticks(data: Path, count: int) -> None:
    """A world with a history and no tape."""
    with WorldService.open(
        RealDisk(), data / WORLD, tuning=Tuning(tick_rate_hz=50), make_world=new_city_world
    ) as service:
        for _ in range(count):
            last = service.tick([])
        last.result()


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel")
def test_no_child_outlives_a_server_that_is_killed_not_even_one_that_stands_still(
    tmp_path: Path,
) -> None:
    """Bots, a sender and the builder of the tape are stopped, so that none of them can notice
    anything."""
    data = tmp_path / "data"
    live_empty_ticks(data, 1500)
    wanted = ("thorp bots", "thorp world tape", "thorp.server.sockets.sender")
    with up(data, "--bots", "1", "--senders", "1") as running:
        deadline = time.monotonic() + PATIENCE_SECONDS
        stopped: dict[int, str] = {}
        with killed_at_the_end(stopped):
            while not all(any(one in command for command in stopped.values()) for one in wanted):
                assert time.monotonic() < deadline, stopped
                for child, command in children_of(running.process.pid).items():
                    is_wanted = any(one in command for one in wanted)
                    if is_wanted and child not in stopped and watches_its_parent(child):
                        os.kill(child, signal.SIGSTOP)
                        stopped[child] = command
            running.process.kill()
            running.process.wait()
            wait_until_gone(list(stopped))


def test_a_tape_has_one_builder(tmp_path: Path) -> None:
    data = tmp_path / "data"
    live_empty_ticks(data, 300)
    with closing(hold(RealDisk(), data / LOCK)):
        refused = run_command("thorp", "world", "tape", "--data", str(data))
        assert refused.returncode == 2
        assert b"another process is making this tape already" in refused.stderr
    made = run_command("thorp", "world", "tape", "--data", str(data))
    assert (made.returncode, made.stdout) == (0, b"1 segments\n")
