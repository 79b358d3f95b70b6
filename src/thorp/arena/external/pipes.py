"""The three pipes of an agent's process, none of which can block the runner.

Whatever the agent does with its end, `pump` returns in time. Of what is to be sent only the newest line
waits behind the one being written: an agent that does not read misses turns, and fills no memory here.
Of standard error the last part is kept, for a person to read.

Lines out of a stream of bytes, each no longer than the limit.

The tail of a line that was too long is dropped up to its end, so that the next line is read as one.
"""

from __future__ import annotations

import math
import os
import select
from subprocess import Popen

from thorp.arena.action import ACTION_BYTES_LIMIT
from thorp.kernel.errors import LimitError

STDERR_BYTES_LIMIT = 1 << 16
"""How much of an agent's standard error is kept: a screenful of tracebacks."""

_CHUNK = 1 << 16


class Pipes:
    """The runner's ends. `output_ended` once the agent's side of standard output is closed."""

    def __init__(self, process: Popen[bytes]) -> None:
        self._files = [file for file in (process.stdin, process.stdout, process.stderr) if file is not None]
        self._input, self._output, self._errors = (file.fileno() for file in self._files)
        for descriptor in (self._input, self._output, self._errors):
            os.set_blocking(descriptor, False)
        self._reading = {self._output, self._errors}
        self._writable = True
        self._sending = b""
        self._begun = False
        self._next = b""
        self._last = False
        self._lines: LineBuffer | None = LineBuffer()
        self._stderr = bytearray()

    @property
    def output_ended(self) -> bool:
        return self._output not in self._reading

    @property
    def stderr(self) -> bytes:
        return bytes(self._stderr)

    def send(self, message: bytes) -> None:
        """Queue a line; `pump` writes it. A line that nothing was written of yet is replaced."""
        if self._begun:
            self._next = message + b"\n"
        else:
            self._sending = message + b"\n"

    def take_line(self) -> bytes | None:
        """The next line the agent wrote, None while there is none. Raises LimitError for one too long."""
        return self._lines.take() if self._lines is not None else None

    def send_last(self, message: bytes) -> None:
        """Queue a last line, behind which the agent's input ends. What it writes from now on is dropped."""
        self.send(message)
        self._last = True
        self._lines = None

    def pump(self, seconds: float) -> None:
        """Read and write what can be without waiting; wait for that at most `seconds`."""
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

    def finish(self) -> None:
        """Keep what is left of standard error, and close. Only for after the process has ended."""
        if self._errors in self._reading:
            self._read(self._errors)  # once is all: a pipe holds no more than is kept
        for file in self._files:
            file.close()
        self._reading.clear()
        self._writable = False

    def _read(self, descriptor: int) -> None:
        try:
            data = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._reading.discard(descriptor)
        elif descriptor == self._errors:
            self._stderr += data
            del self._stderr[:-STDERR_BYTES_LIMIT]
        elif self._lines is not None:
            self._lines.feed(data)

    def _write(self) -> None:
        try:
            written = os.write(self._input, self._sending)
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._writable = False  # it reads no more; what it still says, or how it ended, is on its output
            return
        self._sending, self._begun = self._sending[written:], True
        if not self._sending:
            self._sending, self._next, self._begun = self._next, b"", False
        if self._last and not self._sending:
            self._files[0].close()
            self._writable = False


LINE_BYTES_LIMIT = ACTION_BYTES_LIMIT + 1024
"""The longest line: the largest action the log takes, and the message around it."""


class LineBuffer:
    """Takes bytes as they come; gives whole lines without their line feed. Blank ones do not count."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._searched = 0
        self._dropping = False

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def take(self) -> bytes | None:
        """The next line, None when it has not all come. Raises LimitError once for a line too long."""
        while True:
            end = self._buffer.find(b"\n", self._searched)
            if end < 0:
                self._refuse_endless()
                return None
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._searched = 0
            if self._dropping:
                self._dropping = False
            elif end > LINE_BYTES_LIMIT:
                raise _too_long()
            elif line.strip():
                return line

    def _refuse_endless(self) -> None:
        self._searched = len(self._buffer)
        if self._dropping or self._searched > LINE_BYTES_LIMIT:
            known, self._dropping = self._dropping, True
            self._buffer.clear()
            self._searched = 0
            if not known:
                raise _too_long()


def _too_long() -> LimitError:
    return LimitError(f"the line is larger than {LINE_BYTES_LIMIT} bytes", code="line_size")
