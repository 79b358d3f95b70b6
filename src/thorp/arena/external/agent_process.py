"""An agent's process: started with limits, spoken to in lines, always ended and reaped.

It leads a session and a process group of its own, so that ending it ends everything it started (what
it put into yet another session escapes: an agent is limited, not sandboxed). A process is never started
again. Whether it still runs is judged by its standard output, since that and the replies arrive in one order.
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
        """Start it. Raises InvalidError when the system will not."""
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
        """The last part of what it wrote to standard error."""
        return self._pipes.stderr

    def send(self, message: bytes) -> None:
        """Hand it a line. Nothing is written before the next `receive`, and nothing blocks."""
        self._pipes.send(message)

    def receive(self, deadline: float) -> bytes:
        """Its next line. Raises TimeoutError at the deadline, AgentFailure when it ended or says too much."""
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
        """End it: politely, then firmly, then by force. Afterwards it and its group are gone."""
        try:
            if self._process.returncode is None:
                self._pipes.send_last(END)
                if not self._has_exited_within(END_SECONDS):
                    self._signal(signal.SIGTERM)
                    self._has_exited_within(END_SECONDS)
        finally:
            self.kill()

    def kill(self) -> None:
        """End it and its group now, and reap it. Does nothing the second time."""
        if self._process.returncode is None:
            self._signal(signal.SIGKILL)  # before it is reaped, while its group's number is surely its own
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
        # It was reaped this instant, so its number is not another's yet; what it started may live on.
        self._signal(signal.SIGKILL)
        return True

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # nobody is left
            os.killpg(self._process.pid, number)


def agent_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of an agent: ours without what looks secret, and Python's hashing made repeatable."""
    kept = {
        name: value
        for name, value in environ.items()
        if not any(word in name.upper() for word in SECRET_WORDS)
    }
    return {**kept, "PYTHONHASHSEED": "0"}
