"""Run the installed `thorp` command as a user would."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

THORP = Path(sys.executable).with_name("thorp")


def thorp(
    *arguments: str | Path, cwd: Path | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [str(THORP), *map(str, arguments)], cwd=cwd, input=stdin.encode(), capture_output=True, timeout=120
    )


def refused(done: subprocess.CompletedProcess[bytes]) -> str:
    """The one line of a refusal: exit code 2, nothing on standard output."""
    message = done.stderr.decode()
    assert done.returncode == 2, (done.returncode, message)
    assert done.stdout == b""
    assert message.startswith("thorp: ")
    assert message.count("\n") == 1
    return message
