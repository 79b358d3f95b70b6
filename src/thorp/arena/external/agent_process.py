"""An agent's process: started with limits, spoken to in lines, always ended and reaped.

The process leads its own session and process group, so ending it ends everything it started. (A program that
opens yet another session escapes: an agent is limited, not sandboxed.) An ended process is never restarted.
Whether the process still runs is judged by its standard output, because that arrives in one order with the
replies.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from thorp.arena.external.pipes import Pipes
from thorp.arena.external.protocol import END, AgentFailure
from thorp.kernel.errors import InvalidError, LimitError

SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASS", "CRED", "AUTH")
"""An environment variable with one of these in its name is not handed to agents."""

EXIT_SECONDS = 1.0
"""How long a process that closed its output may take to exit, so that its exit code can be told."""

END_SECONDS = 0.5
"""How long a process may take to exit after `end`, and again after SIGTERM, before it is killed."""

_EXIT_POLL_SECONDS = 0.005
_SHIM = Path(__file__).with_name("memory_limit.py").resolve()


class AgentProcess:
    """One agent's process."""

    def __init__(self, command: Sequence[str], memory_mib: int) -> None:
        """Start the process. Raises InvalidError if the system cannot."""
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_SHIM), str(memory_mib), str(os.getpid()), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                env=agent_environment(os.environ),
            )
        except OSError as failure:
            raise InvalidError(f"cannot start a process: {failure.strerror}", code="spawn") from None
        self._pipes = Pipes(self._process)
        self._ended: str | None = None

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def stderr(self) -> bytes:
        """The last part of the process's standard error."""
        return self._pipes.stderr

    def send(self, message: bytes) -> None:
        """Queue a line. It is written during the next `receive`, so nothing blocks here."""
        self._pipes.send(message)

    def receive(self, deadline: float) -> bytes:
        """Return its next line. Raises TimeoutError at the deadline, AgentFailure if it ended or a line is
        too long."""
        while True:
            if self._ended is not None:
                raise AgentFailure(self._ended)
            try:
                line = self._pipes.take_line()
            except LimitError as failure:
                raise AgentFailure(str(failure)) from None
            if line is not None:
                return line
            if self._pipes.output_ended:
                self._ended = self._how_it_ended()
                continue
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._pipes.pump(left)

    def stop(self) -> None:
        """End the process group: by the `end` message, then SIGTERM, then SIGKILL."""
        try:
            if self._process.returncode is None:
                self._pipes.send_last(END)
                if not self._has_exited_within(END_SECONDS):
                    self._signal(signal.SIGTERM)
                    self._has_exited_within(END_SECONDS)
        finally:
            self.kill()

    def kill(self) -> None:
        """Kill the process group and reap the process. A second call does nothing."""
        if self._process.returncode is None:
            self._signal(signal.SIGKILL)  # before it is reaped: until then its group id cannot be another's
            self._process.wait()
        self._pipes.finish()

    def _how_it_ended(self) -> str:
        exited = self._has_exited_within(EXIT_SECONDS)
        self.kill()
        if not exited:
            return "agent process closed its output"
        code = self._process.returncode
        if code >= 0:
            return f"agent process ended (exit code {code})"
        return f"agent process ended (signal {-code})"

    def _has_exited_within(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while self._process.poll() is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            self._pipes.pump(min(left, _EXIT_POLL_SECONDS))
        # It was reaped just now, so its id is not reused yet. What it started may still run.
        self._signal(signal.SIGKILL)
        return True

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # the group is empty
            os.killpg(self._process.pid, number)


def agent_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return an agent's environment: ours without secrets, and with a fixed hash seed for Python."""
    kept = {
        name: value
        for name, value in environ.items()
        if not any(word in name.upper() for word in SECRET_WORDS)
    }
    return {**kept, "PYTHONHASHSEED": "0"}
