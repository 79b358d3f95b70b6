"""An agent's process: started with limits, spoken to in lines, always ended and reaped.

**Pipes** never block: whatever the agent does with its end, `receive` returns in time. Only the
newest unsent line waits for the one being written, so an agent that does not read misses turns, and
does not fill our memory. A line from the agent has a limit; the rest of one that is too long is
dropped, so that the next one is read whole.

**The process** leads its own session and process group, so ending it ends everything it started. (A
program that opens yet another session escapes: an agent is limited, not sandboxed.) An ended
process is never restarted. Whether it still runs is judged by its standard output, which arrives in
order with the replies.
"""

import contextlib
import math
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from thorp.arena.action import ACTION_BYTES_LIMIT
from thorp.arena.external.protocol import END, AgentFailure
from thorp.kernel.errors import InvalidError, LimitError

# How much of an agent's standard error is kept: a screenful of tracebacks.
STDERR_BYTES_LIMIT = 1 << 16
LINE_BYTES_LIMIT = ACTION_BYTES_LIMIT + 1024
"""The longest line: the largest action the log takes, and the message around it."""

SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASS", "CRED", "AUTH")
"""An environment variable with one of these in its name is not handed to agents."""

# How long a process that has closed its output may take to exit, so that its exit code is known.
EXIT_SECONDS = 1.0
# How long a process may take to exit after `end`, and again after SIGTERM, before it is killed.
END_SECONDS = 0.5
_EXIT_POLL_SECONDS = 0.005
_CHUNK = 1 << 16
_SHIM = Path(__file__).with_name("memory_limit.py").resolve()


class LineBuffer:
    """Splits a stream of bytes into lines without their line feeds; skips blank lines."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._searched = 0
        self._dropping = False

    def feed(self, data: bytes) -> None:
        """Add bytes of the stream."""
        self._buffer += data

    def take(self) -> bytes | None:
        """Return the next complete line, or None. Raises LimitError once for a line that is too
        long."""
        while (end := self._buffer.find(b"\n", self._searched)) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._searched = 0
            if self._dropping:
                self._dropping = False
            elif end > LINE_BYTES_LIMIT:
                raise _too_long()
            elif line.strip():
                return line
        self._searched = len(self._buffer)
        if self._dropping or self._searched > LINE_BYTES_LIMIT:
            was_dropping, self._dropping = self._dropping, True
            self._buffer.clear()
            self._searched = 0
            if not was_dropping:
                raise _too_long()
        return None


def _too_long() -> LimitError:
    return LimitError(f"the line is larger than {LINE_BYTES_LIMIT} bytes", code="line_size")


class AgentProcess:
    """A running process. `stderr` is the last part of its standard error."""

    def __init__(self, command: Sequence[str], memory_mib: int) -> None:
        """Start the process. Raises InvalidError if the system cannot."""
        try:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-I",
                    "-S",
                    str(_SHIM),
                    str(memory_mib),
                    str(os.getpid()),
                    *command,
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                env=agent_environment(os.environ),
            )
        except OSError as failure:
            raise InvalidError(
                f"cannot start a process: {failure.strerror}", code="spawn"
            ) from None
        self.pid = self._process.pid
        self.stderr = bytearray()
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._files = [file for file in pipes if file is not None]
        self._input, self._output, self._errors = (file.fileno() for file in self._files)
        for descriptor in (self._input, self._output, self._errors):
            os.set_blocking(descriptor, False)
        self._reading = {self._output, self._errors}
        """Pipes that the agent has not closed."""
        self._writable = True
        self._sending = b""
        """The rest of the line that is being written."""
        self._begun = False
        """Whether a part of that line has been written, so that it cannot be replaced."""
        self._next = b""
        """The line after it; a newer one replaces it."""
        self._last = False
        """Whether the input is closed after what is queued."""
        self._lines: LineBuffer | None = LineBuffer()
        self._ended: str | None = None

    def send(self, message: bytes) -> None:
        """Queue a line, which is written during the next `receive`, so nothing blocks here. It
        replaces a queued line of which nothing was written yet."""
        if self._begun:
            self._next = message + b"\n"
        else:
            self._sending = message + b"\n"

    def receive(self, deadline: float) -> bytes:
        """Return its next line. Raises TimeoutError at the deadline, and AgentFailure if it has
        ended or the line is too long."""
        while True:
            if self._ended is not None:
                raise AgentFailure(self._ended)
            try:
                line = self._lines.take() if self._lines is not None else None
            except LimitError as failure:
                raise AgentFailure(str(failure)) from None
            if line is not None:
                return line
            if self._output not in self._reading:
                self._ended = self._how_it_ended()
                continue
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._pump(left)

    def stop(self) -> None:
        """End the group with `end`, then SIGTERM, then SIGKILL. Its output after `end` is
        dropped."""
        try:
            if self._process.returncode is None:
                self.send(END)
                self._last = True
                self._lines = None
                if not self._has_exited_within(END_SECONDS):
                    self._signal(signal.SIGTERM)
                    self._has_exited_within(END_SECONDS)
        finally:
            self.kill()

    def kill(self) -> None:
        """Kill the group, reap the process, keep the rest of its standard error. Calling it twice
        is fine."""
        if self._process.returncode is None:
            # Before it is reaped: until then no other group can have its id.
            self._signal(signal.SIGKILL)
            self._process.wait()
        if self._errors in self._reading:
            self._read(self._errors)  # once is enough: a pipe never holds more than we keep
        for file in self._files:
            file.close()
        self._reading.clear()
        self._writable = False

    def _pump(self, seconds: float) -> None:
        """Wait at most `seconds` until something can be read or written, and do that."""
        poll = select.poll()
        for descriptor in self._reading:
            poll.register(descriptor, select.POLLIN)
        if self._writable and self._sending:
            poll.register(self._input, select.POLLOUT)
        for descriptor, _ in poll.poll(max(0, math.ceil(seconds * 1000))):
            if descriptor == self._input:
                self._write()
            else:
                self._read(descriptor)

    def _read(self, descriptor: int) -> None:
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._reading.discard(descriptor)
        elif descriptor == self._errors:
            self.stderr += data
            del self.stderr[:-STDERR_BYTES_LIMIT]
        elif self._lines is not None:
            self._lines.feed(data)

    def _write(self) -> None:
        try:
            written = os.write(self._input, self._sending)
        except BlockingIOError:
            return
        except BrokenPipeError:
            # The agent closed its input; its output may still hold a reply, or end.
            self._writable = False
            return
        self._sending = self._sending[written:]
        self._begun = True
        if not self._sending:
            self._sending = self._next
            self._next = b""
            self._begun = False
        if self._last and not self._sending:
            self._files[0].close()
            self._writable = False

    def _how_it_ended(self) -> str:
        """Why there is no more output, in words that are the same in every run."""
        exited = self._has_exited_within(EXIT_SECONDS)
        self.kill()
        if not exited:
            return "agent process closed its output"
        code = self._process.returncode
        return f"agent process ended ({f'exit code {code}' if code >= 0 else f'signal {-code}'})"

    def _has_exited_within(self, seconds: float) -> bool:
        """Wait for the process to exit, while its pipes are served; then kill what is left of its
        group."""
        deadline = time.monotonic() + seconds
        while self._process.poll() is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            self._pump(min(left, _EXIT_POLL_SECONDS))
        # It was reaped a moment ago, so its id is not reused yet. What it started may still run.
        self._signal(signal.SIGKILL)
        return True

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # the group is empty
            os.killpg(self._process.pid, number)


def agent_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return an agent's environment: ours without secrets, and with a fixed hash seed for
    Python."""
    kept = [name for name in environ if not any(word in name.upper() for word in SECRET_WORDS)]
    return {**{name: environ[name] for name in kept}, "PYTHONHASHSEED": "0"}
