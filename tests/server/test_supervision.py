"""A server that ends with the process that started it, whatever the system tells of that
process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# The parent starts the child, waits until the child watches it, and then does what the test says.
PARENT = """
import signal, subprocess, sys, time
signal.signal(signal.SIGINT, lambda *_: None)
command = [sys.executable, "-c", sys.argv[1], *sys.argv[3:]]
child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
print(child.stdout.readline(), end="", flush=True)
if sys.argv[2] == "stops listening":
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    print(child.stdout.read(), end="", flush=True)
"""
CHILD = """
import os, sys, time
from pathlib import Path
from thorp.server.processes.supervision import end_with_parent
try:
    end_with_parent(os.getppid(), Path(sys.argv[1]))
    time.sleep(1)
    print("watching", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    Path(sys.argv[2]).write_text("interrupted")
    sys.exit()
"""


@pytest.mark.parametrize(
    ("event", "proc"),
    [
        ("ends", "/proc"),
        ("ends", "/nowhere"),
        pytest.param(
            "stops listening",
            "/proc",
            marks=pytest.mark.skipif(sys.platform != "linux", reason="asks /proc"),
        ),
    ],
)
def test_a_child_is_interrupted_when_its_parent_ends_or_stops_listening(
    event: str, proc: str, tmp_path: Path
) -> None:
    left = tmp_path / "left"
    command = [sys.executable, "-c", PARENT, CHILD, event, proc, str(left)]
    # The child has the pipe of the parent's errors: this returns when both have ended.
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert (done.stdout, done.stderr) == ("watching\n", "")
    assert left.read_text() == "interrupted"
