"""Replays the journal in a process of its own: in this one it would take the interpreter from the
live ticks."""

import os
import subprocess
import threading
from collections.abc import Sequence
from typing import Final

from thorp.children.lifetime import child_command
from thorp.kernel.errors import IllegalError

DATABASE_VARIABLE: Final = "THORP_DATABASE"
"""The environment variable with the URL of the database of towns and story."""
# Added to the server's own niceness: a replay can wait, ticks cannot.
NICENESS: Final = 19


class Replay:
    """Runs a command that replays the journal up to a tick, one at a time, until it is stopped."""

    def __init__(self, command: Sequence[str], database: str | None = None) -> None:
        self._command = command
        # Not an argument: other users of this machine can read those.
        self._environment = {**os.environ, DATABASE_VARIABLE: database or ""}
        # Held while a process is started or killed, so that none is started after `stop`.
        self._changing = threading.Lock()
        self._stopped = False
        self._process: subprocess.Popen[bytes] | None = None

    def __call__(self, until: int) -> None:
        """Replay up to a tick, and wait for it. Refuses as `replay` if the process fails, and as
        `stopping` if this was stopped."""
        with self._changing:
            if self._stopped:
                raise IllegalError("the server is stopping", code="stopping")
            self._process = process = subprocess.Popen(
                child_command("thorp", *self._command, "--until", str(until)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=self._environment,
            )
            here = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, process.pid, here + NICENESS)
        _, problems = process.communicate()
        if process.returncode:
            said = problems.decode("utf-8", "replace").strip()
            problem = (
                f"`thorp {' '.join(self._command[:2])}` ended with {process.returncode}: {said}"
            )
            raise IllegalError(problem, code="replay")

    def stop(self) -> None:
        """Kill the process, if one runs, and start no other."""
        with self._changing:
            self._stopped = True
            if self._process is not None and self._process.poll() is None:
                self._process.kill()
