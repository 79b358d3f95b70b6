"""A model that is served by a child process for as long as a `with` block lasts.

The child is killed at the end of the block, and with the parent if that is killed. Ctrl-C does not
reach it: it leads a session of its own, so the parent decides. Its standard error is read all the
time, or it would block; the last part of it is kept, to say what happened.
"""

from __future__ import annotations

import http.client
import importlib.util
import os
import secrets
import select
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, Final
from urllib.parse import urlsplit

import msgspec

from thorp.children.lifetime import child_command
from thorp.kernel.errors import InvalidError
from thorp.models.embedded.cache import Weights
from thorp.models.embedded.causes import describe_end, not_installed, too_slow, why_not_loaded
from thorp.models.embedded.llama import Served, ServerTask
from thorp.models.embedded.settings import Settings

RUNTIME: Final = "xllamacpp"
KEY_BYTES: Final = 24
# Where llama.cpp puts the first cause far above the last line: it prints a model's fields, too.
STDERR_BYTES_KEPT: Final = 1 << 18
LOOK_SECONDS: Final = 0.1  # How often a waiting parent says how long it has waited.
ASK_SECONDS: Final = 5.0  # How long a server that is loading may take to say so.
# After its end a child's pipe holds little, and is read out at once.
DRAIN_SECONDS: Final = 2.0
_CHUNK: Final = 1 << 16
_READY: Final = 200

Waiting = Callable[[float], None]
"""Called with the seconds that loading has taken so far."""


def _no_waiting(seconds: float) -> None:
    pass


class Endpoint:
    """A model that is being served. `url`, `key` and `model` are what a client is given."""

    def __init__(self, process: _Child, url: str, key: str, model: str) -> None:
        self.url = url
        self.key = key
        self.model = model
        self._process = process

    @property
    def pid(self) -> int:
        """The child's process id."""
        return self._process.pid

    @property
    def environment(self) -> dict[str, str]:
        """The variables under which every command of Thorp asks this endpoint."""
        return {"THORP_MODEL_URL": self.url, "THORP_MODEL_KEY": self.key}

    def trouble(self) -> str | None:
        """Why it does not answer any more, in one line; None while it runs."""
        code = self._process.poll()
        return None if code is None else f"the model {self.model} is gone: {describe_end(code)}"

    def wait(self, seconds: float | None = None) -> str | None:
        """Wait until it has ended, or until `seconds` are over; return what `trouble` says."""
        self._process.wait(seconds)
        return self.trouble()

    def __repr__(self) -> str:
        return f"Endpoint({self.url}, {self.model}, key hidden)"


class EmbeddedModel:
    """Runs models. There is nothing to make: `open` is all."""

    @staticmethod
    @contextmanager
    def open(
        weights: Weights, settings: Settings | None = None, *, waiting: Waiting = _no_waiting
    ) -> Iterator[Endpoint]:
        """Serve a model until the block is left; `waiting` hears how long loading takes.

        Raises a ThorpError with the cause if it cannot be served. The thread that enters must live
        as long as the block: for Linux it is the parent of the child.
        """
        settings = settings or Settings()
        settings.check()
        _check_context(weights, settings)
        if importlib.util.find_spec(RUNTIME) is None:
            raise not_installed()
        patience = _Patience(weights, settings.load_seconds, waiting)
        child = _Child()
        try:
            yield child.load(weights, settings, patience)
        finally:
            child.end()


def _check_context(weights: Weights, settings: Settings) -> None:
    """Refuse a longer context than a known model was trained for: it would only take memory."""
    model = weights.known
    if model is not None and settings.context_tokens > model.context_tokens:
        raise InvalidError(
            f"{model.name} was trained for talks of at most {model.context_tokens} tokens, not "
            f"{settings.context_tokens}; ask for a shorter context",
            code="context",
        )


class _Patience:
    """The time limit of loading, and the callback that hears how long it has taken so far."""

    def __init__(self, weights: Weights, seconds: float, waiting: Waiting) -> None:
        self._weights = weights
        self._seconds = seconds
        self._waiting = waiting
        self._began = time.monotonic()

    def check(self) -> None:
        """Say how long it has taken. Raises LimitError when that is too long."""
        taken = time.monotonic() - self._began
        self._waiting(taken)
        if taken > self._seconds:
            raise too_slow(self._weights, self._seconds)


class _Child:
    """The process, and the thread that reads its standard error."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            child_command("thorp.models.embedded.llama"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        self.pid = self._process.pid
        self._said = bytearray()
        self._reader = threading.Thread(
            target=self._read_errors, name="model's errors", daemon=True
        )
        self._reader.start()

    def load(self, weights: Weights, settings: Settings, patience: _Patience) -> Endpoint:
        """Give the child its task, and wait until it serves."""
        key = settings.key or secrets.token_urlsafe(KEY_BYTES)
        task = ServerTask(
            model=str(weights.path.absolute()),
            name=weights.name,
            key=key,
            adapter=None if settings.adapter is None else str(settings.adapter.absolute()),
            adapter_scale=settings.adapter_scale,
            context_tokens=settings.context_tokens,
            slots=settings.slots,
            threads=settings.threads,
            niceness=settings.niceness,
            port=settings.port,
        )
        with suppress(BrokenPipeError):  # it has ended already; its standard error says why
            _pipe(self._process.stdin).write(msgspec.json.encode(task) + b"\n")
        # A small model may be ready before anybody looks at the clock again.
        patience.check()
        line = self._read_line(patience)
        if not line:
            self.end(kill=False)
            raise why_not_loaded(self.said, self.poll(), weights, settings)
        url = msgspec.json.decode(line, type=Served).url
        while not _is_ready(url):
            if self.poll() is not None:
                raise why_not_loaded(self.said, self.poll(), weights, settings)
            time.sleep(LOOK_SECONDS)
            patience.check()
        return Endpoint(self, f"{url}/v1", key, weights.name)

    def _read_line(self, patience: _Patience) -> bytes:
        """The line of its standard output; empty if that ends before the line does."""
        answer = _pipe(self._process.stdout)
        line = b""
        while not line.endswith(b"\n"):
            while not select.select([answer], [], [], LOOK_SECONDS)[0]:
                patience.check()
            part = os.read(answer.fileno(), _CHUNK)
            if not part:
                return b""
            line += part
        return line

    @property
    def said(self) -> str:
        """The last part of its standard error."""
        return bytes(self._said).decode("utf-8", "replace")

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._process.poll()

    def wait(self, seconds: float | None) -> None:
        """Wait for its end, or until `seconds` are over."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def end(self, *, kill: bool = True) -> None:
        """Kill it, or let one end that has closed its output; reap it, and let go of its pipes.
        Calling it twice is fine."""
        if not kill:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(DRAIN_SECONDS)
        self._process.kill()
        self._process.wait()
        self._reader.join(DRAIN_SECONDS)
        for pipe in (self._process.stdin, self._process.stdout):
            _pipe(pipe).close()

    def _read_errors(self) -> None:
        with _pipe(self._process.stderr) as errors:
            while part := os.read(errors.fileno(), _CHUNK):
                self._said += part
                del self._said[:-STDERR_BYTES_KEPT]


def _is_ready(url: str) -> bool:
    """Whether the server has loaded its model; it answers 503 until then."""
    host = urlsplit(url)
    line = http.client.HTTPConnection(str(host.hostname), host.port, timeout=ASK_SECONDS)
    try:
        line.request("GET", "/health")
        return line.getresponse().status == _READY
    except (OSError, http.client.HTTPException):
        return False
    finally:
        line.close()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None, "every pipe was asked for"
    return pipe
